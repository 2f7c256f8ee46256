// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { FakeBookingApi, makeBookingPageData } from '#tests/support/fake-booking-api.ts'
import {
  chooseAppointmentType,
  chooseTime,
  findDayButton,
  renderBookingPage,
  submitBooking,
} from '#tests/support/open-booking-page.tsx'

let api: FakeBookingApi

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z'), toFake: ['Date'] })
  vi.stubEnv('TZ', 'Europe/London')
  api = new FakeBookingApi()
  api.times = ['2026-11-24T09:00:00Z', '2026-11-24T09:30:00Z', '2026-11-25T09:00:00Z']
  vi.stubGlobal('fetch', api.fetch)
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
})
test('each choice closes to one line, and the heading of the next step takes the focus', async () => {
  open()
  await chooseAppointmentType('Consultation')
  expect(focused()).toBe('Select a Date & Time')
  expect(screen.queryByRole('radio', { name: /Consultation/ })).toBeNull()
  expect(change('appointment type').parentElement?.textContent).toMatch(/^Consultation/)

  await userEvent.click(findDayButton(/^Tuesday, November 24, 2026/))
  expect(focused()).toBe('Available Times')
  expect(screen.queryByRole('grid')).toBeNull()
  expect(change('date').parentElement?.textContent).toMatch(/^Tue, Nov 24/)

  await userEvent.click(await screen.findByRole('button', { name: '9:30 AM' }))
  expect(focused()).toBe('Your details')
  expect(screen.queryByRole('heading', { name: 'Available Times' })).toBeNull()
  expect(change('date and time').parentElement?.textContent).toMatch(/^Tue, Nov 24 at 9:30 AM/)
})

test('a line opens its step again, and the same choice closes it without losing anything', async () => {
  open()
  await chooseAppointmentType('Consultation')
  await chooseTime()
  await userEvent.click(change('appointment type'))
  const chosen = screen.getByRole('radio', { name: /Consultation/ })
  expect(document.activeElement).toBe(chosen)
  await userEvent.click(chosen)
  expect(screen.queryByRole('radio', { name: /Consultation/ })).toBeNull()
  expect(focused()).toBe('Your details')

  await userEvent.click(change('date and time'))
  expect(document.activeElement).toBe(findDayButton(/^Tuesday, November 24, 2026/))
  expect(screen.getByRole('button', { name: '9:30 AM', pressed: true })).toBeTruthy()
  await userEvent.click(findDayButton(/^Tuesday, November 24, 2026/))
  expect(change('date and time')).toBeTruthy()
  expect(focused()).toBe('Your details')
})

test('an arrow key passes by other types and leaves the step open, until Enter', async () => {
  open()
  await userEvent.tab()
  await userEvent.keyboard('[ArrowDown]')
  const passed = screen.getByRole<HTMLInputElement>('radio', { checked: true })
  expect(passed).toBeTruthy()
  passed.focus()
  await userEvent.keyboard('{Enter}')
  expect(focused()).toBe('Select a Date & Time')
  expect(change('appointment type')).toBeTruthy()
  expect(api.bookings).toEqual([])
})

test('another type leads to its times of the chosen day', async () => {
  open()
  await chooseAppointmentType('Consultation')
  await chooseTime()
  await userEvent.click(change('appointment type'))
  await chooseAppointmentType('Video call')
  expect(focused()).toBe('Available Times')
  expect(await screen.findByRole('button', { name: '9:30 AM', pressed: false })).toBeTruthy()
})

test('a full day stays open, because another one is chosen next', async () => {
  open()
  await chooseAppointmentType('Consultation')
  const full = await screen.findByRole('button', { name: /November 26, 2026, no available times/ })
  await userEvent.click(full)
  expect(await screen.findByText('No available times for this date')).toBeTruthy()
  expect(document.activeElement).toBe(full)
  expect(screen.getByRole('grid')).toBeTruthy()
})

test('the first free times are above the days, and one of them closes the step', async () => {
  open()
  await chooseAppointmentType('Consultation')
  const next = await screen.findByRole('group', { name: 'Next: Tuesday, November 24' })
  expect(next.compareDocumentPosition(screen.getByRole('grid'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await userEvent.click(screen.getAllByRole('button', { name: '9:00 AM' })[0] as HTMLElement) // three buttons have this name
  expect(change('date and time').parentElement?.textContent).toMatch(/^Tue, Nov 24 at 9:00 AM/)
  expect(focused()).toBe('Your details')
})

test('a time that is gone opens the step again', async () => {
  const client = open()
  await chooseAppointmentType('Consultation')
  await chooseTime()
  api.times = ['2026-11-24T09:00:00Z']
  await client.invalidateQueries()
  expect(await screen.findByText('9:30 AM is no longer free. Please choose another time.')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Available Times' })).toBeTruthy()
})

test('what is missing is open, with the focus on it', async () => {
  open()
  await submitBooking()
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: /Consultation/ }))
  await chooseAppointmentType('Consultation')
  await submitBooking()
  expect(screen.getByRole('grid').contains(document.activeElement)).toBe(true)
})

function open() {
  return renderBookingPage(api, makeBookingPageData())
}

function change(what: string) {
  return screen.getByRole('button', { name: `Change ${what}` })
}

/** Returns the text of the focused element. */
function focused() {
  return document.activeElement?.textContent
}
