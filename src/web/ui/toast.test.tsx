// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TOAST_DURATION_MS, toast } from './toast.tsx'
import { Toaster } from './toaster.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  render(<Toaster />)
})
afterEach(() => {
  pass(10 * TOAST_DURATION_MS)
  cleanup()
  vi.useRealTimers()
})

test('a new toast takes the place of the one before, and only it is on screen', () => {
  act(() => toast.success('Calendar created successfully!'))
  act(() => toast.info('You are already on the free plan'))
  expect(screen.queryByText('Calendar created successfully!')).toBeNull()
  expect(screen.getByRole('status').textContent).toBe('You are already on the free plan')
  expect(screen.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(1)
})

test('an error interrupts a screen reader, anything else waits its turn', () => {
  act(() => toast.error('Failed to load appointments'))
  expect(screen.getByRole('alert').textContent).toBe('Failed to load appointments')
  act(() => toast.success('Calendar deleted successfully'))
  expect(screen.getByRole('alert').textContent).toBe('')
  expect(screen.getByRole('status').textContent).toBe('Calendar deleted successfully')
})

test('what else there is to say stands below, in the same message', () => {
  act(() => toast.success('Payment marked as refunded successfully', { details: ['Appointment cancelled'] }))
  const lines = [...screen.getByRole('status').querySelectorAll('p')].map((line) => line.textContent)
  expect(lines).toEqual(['Payment marked as refunded successfully', 'Appointment cancelled'])
})

test('a toast leaves by itself, and the time starts anew for the one that replaces it', () => {
  act(() => toast.info('first'))
  pass(TOAST_DURATION_MS - 1)
  act(() => toast.info('second'))
  pass(TOAST_DURATION_MS - 1)
  expect(screen.getByText('second')).toBeTruthy()
  pass(1)
  expect(screen.queryByText('second')).toBeNull()
})

test('a toast stays as long as the mouse is on it or the keyboard in it', () => {
  act(() => toast.warning('Could not verify appointment conflicts'))
  const text = screen.getByText('Could not verify appointment conflicts')
  fireEvent.mouseEnter(text)
  pass(3 * TOAST_DURATION_MS)
  expect(text.isConnected).toBe(true)
  fireEvent.mouseLeave(text)
  fireEvent.focus(screen.getByRole('button', { name: 'Dismiss' }))
  pass(3 * TOAST_DURATION_MS)
  expect(text.isConnected).toBe(true)
  fireEvent.blur(screen.getByRole('button', { name: 'Dismiss' }))
  pass(TOAST_DURATION_MS)
  expect(text.isConnected).toBe(false)
})

test('its action is done once and closes it', () => {
  let presses = 0
  act(() =>
    toast.info('Please log in to subscribe', { action: { label: 'Log in', onClick: () => presses++ } }),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }))
  expect(presses).toBe(1)
  expect(screen.queryByText('Please log in to subscribe')).toBeNull()
})

test('an action that shows a toast of its own is not closed with the old one', () => {
  act(() =>
    toast.info('Connection expired', {
      action: { label: 'Reconnect', onClick: () => toast.success('Connected') },
    }),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Reconnect' }))
  expect(screen.getByRole('status').textContent).toBe('Connected')
})

function pass(milliseconds: number): void {
  act(() => vi.advanceTimersByTime(milliseconds))
}

test('the page knows the height of the toast as long as it is shown, and ends above it', () => {
  const { style } = document.documentElement
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 540, 375, 57))
  act(() => toast.success('Availability removed'))
  act(() => toast.error('Failed to load appointments'))
  expect(style.getPropertyValue('--toast-height')).toBe('57px')
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(style.getPropertyValue('--toast-height')).toBe('')
  vi.restoreAllMocks()
})

test.each([
  { where: 'below its upper edge', top: 400, left: 0, scrolls: 1 },
  { where: 'above it', top: 100, left: 0, scrolls: 0 },
  { where: 'beside it', top: 400, left: 500, scrolls: 0 },
])('a focused element $where is scrolled into view only if the toast covers it', ({ top, left, scrolls }) => {
  const button = document.body.appendChild(document.createElement('button'))
  const scrollIntoView = vi.spyOn(button, 'scrollIntoView').mockImplementation(() => {})
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    return this === button ? new DOMRect(left, top, 100, 44) : new DOMRect(0, 380, 320, 100)
  })
  button.focus()
  act(() => toast.success('Marked as paid'))
  expect(scrollIntoView).toHaveBeenCalledTimes(scrolls)
  vi.restoreAllMocks()
  button.remove()
})
