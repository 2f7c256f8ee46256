// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { enterText } from '#web/testing/enter-text.ts'
import { SampleBooking } from './sample-booking.tsx'

/** True when the card counts as visible. The test environment has no layout, so the test decides. */
let inSight: boolean
beforeEach(() => {
  inSight = true
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly tell: (seen: { isIntersecting: boolean }[]) => void
      constructor(tell: (seen: { isIntersecting: boolean }[]) => void) {
        this.tell = tell
      }
      observe = () => this.tell([{ isIntersecting: inSight }])
      disconnect = () => {}
    },
  )
})
test('the sample is booked with the keyboard alone, asks no server, and says that it was a sample', async () => {
  const asked = vi.fn()
  vi.stubGlobal('fetch', asked)
  const user = userEvent.setup()
  render(<SampleBooking />)
  const service = await screen.findByRole('radio', { name: /Treatment/ })
  service.focus()
  await user.keyboard('{ArrowDown}')
  expect(screen.getByRole('radio', { name: /First visit/, checked: true })).toBeTruthy()

  const time = screen.getAllByText(/^\d+:\d\d [AP]M$/)[0]
  time?.focus()
  await user.keyboard('{Enter}')
  expect(document.activeElement?.textContent).toBe('Your details')
  expect(screen.getByText(new RegExp(`at ${time?.textContent}`))).toBeTruthy()

  screen.getByRole('button', { name: 'Book appointment' }).focus()
  await user.keyboard('{Enter}')
  expect(document.activeElement?.textContent).toBe('Booking Confirmed!')
  expect(screen.getByText('This was a sample')).toBeTruthy()
  expect(screen.getByText(/^BK-\d+$/)).toBeTruthy()
  expect(asked).not.toHaveBeenCalled()

  await user.click(screen.getByRole('button', { name: 'Make Another Booking' }))
  expect(document.activeElement?.textContent).toBe('Available Times')
})

test('the sample checks what is entered as the booking page does, and leads back to the times', async () => {
  const user = userEvent.setup()
  render(<SampleBooking />)
  await user.click((await screen.findAllByText(/^\d+:\d\d [AP]M$/))[0] as HTMLElement)
  const name = screen.getByRole('textbox', { name: /Full Name/ })
  await user.clear(name)
  await user.click(screen.getByRole('button', { name: 'Book appointment' }))
  expect(screen.getByText('Please enter your full name')).toBeTruthy()
  expect(document.activeElement).toBe(name)
  await enterText(user, name, 'Ida Berg')
  expect(screen.queryByText('Please enter your full name')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Choose another time' }))
  expect(screen.getByRole('heading', { name: 'Available Times' })).toBeTruthy()
})

test('out of sight the sample is not downloaded', async () => {
  inSight = false
  render(<SampleBooking />)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.queryAllByRole('radio')).toEqual([])
})
