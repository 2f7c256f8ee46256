// @vitest-environment happy-dom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { toast } from './toast.tsx'
import { Toaster } from './toaster.tsx'

test('it opens on its first field, and gives the focus back to what opened it', async () => {
  render(<CreateCalendar />)
  const opener = screen.getByRole('button', { name: 'Create Calendar' })
  await userEvent.click(opener)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Calendar Name')))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

test('its title names it and its description is read with it', async () => {
  render(<CreateCalendar />)
  await userEvent.click(screen.getByRole('button', { name: 'Create Calendar' }))
  const dialog = await screen.findByRole('dialog', { name: 'New calendar' })
  const described = document.getElementById(dialog.getAttribute('aria-describedby') ?? '')
  expect(described?.textContent).toBe('Its link works at once.')
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('what was said before is not over it, what is said in it stays, and so does what can be answered', async () => {
  render(
    <>
      <CreateCalendar />
      <Toaster />
    </>,
  )
  toast.success('Subscription status refreshed')
  await screen.findByText('Subscription status refreshed')
  await userEvent.click(screen.getByRole('button', { name: 'Create Calendar' }))
  await waitFor(() => expect(screen.queryByText('Subscription status refreshed')).toBeNull())
  toast.error('Failed to create calendar: offline')
  expect(await screen.findByText('Failed to create calendar: offline')).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  toast.info('Please log in to subscribe', { action: { label: 'Log in', onClick: () => undefined } })
  await userEvent.click(await screen.findByRole('button', { name: 'Create Calendar' }))
  await screen.findByRole('dialog')
  expect(screen.getByText('Please log in to subscribe')).toBeTruthy()
})

test('dismissing a toast does not close the dialog below it', async () => {
  render(
    <>
      <CreateCalendar />
      <Toaster />
    </>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Create Calendar' }))
  await screen.findByRole('dialog')
  toast.error('Failed to create calendar: offline')
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss', hidden: true }))
  expect(screen.queryByText('Failed to create calendar: offline')).toBeNull()
  expect(screen.getByRole('dialog')).toBeTruthy()
})

function CreateCalendar() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Create Calendar
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="New calendar" description="Its link works at once.">
        <TextField label="Calendar Name" />
      </Dialog>
    </>
  )
}
