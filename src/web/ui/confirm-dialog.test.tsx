// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { ConfirmDialog } from './confirm-dialog.tsx'

test('nothing happens until the confirmation is pressed, and the dialog says what it is about', async () => {
  let deletions = 0
  render(<DeleteCalendar onDelete={() => deletions++} />)
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete Calendar?' })
  expect(dialog.textContent).toContain('Its appointments are deleted too.')
  expect(deletions).toBe(0)
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(deletions).toBe(1)
})

test('the way back and the Escape key close it without doing anything', async () => {
  let deletions = 0
  for (const goBack of [
    () => userEvent.click(screen.getByRole('button', { name: 'Keep it' })),
    () => userEvent.keyboard('{Escape}'),
  ]) {
    render(<DeleteCalendar onDelete={() => deletions++} />)
    await screen.findByRole('alertdialog')
    await goBack()
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    cleanup()
  }
  expect(deletions).toBe(0)
})

test('while it is under way it cannot be closed or started again', async () => {
  let deletions = 0
  render(<DeleteCalendar pending onDelete={() => deletions++} />)
  await screen.findByRole('alertdialog')
  await userEvent.click(screen.getByRole('button', { name: 'Deleting...' }))
  await userEvent.keyboard('{Escape}')
  expect(screen.getByRole('alertdialog')).toBeTruthy()
  expect(deletions).toBe(0)
})

function DeleteCalendar({ pending = false, onDelete }: { pending?: boolean; onDelete: () => void }) {
  const [open, setOpen] = useState(true)
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={setOpen}
      title="Delete Calendar?"
      description="Its appointments are deleted too."
      confirmLabel="Delete"
      pendingLabel="Deleting..."
      cancelLabel="Keep it"
      pending={pending}
      tone="danger"
      onConfirm={onDelete}
    />
  )
}
