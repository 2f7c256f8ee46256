// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { CustomerAppointment } from '#contract/appointments/customer-page.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { makeManagedAppointment } from '#web/testing/make-managed-appointment.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { ManageAppointmentPage } from './manage-page.tsx'

const VIEW = 'GET /api/public/manage/token'
const TERMS = 'GET /api/public/manage/token/move'
const MOVE = 'POST /api/public/manage/token/move'
const CANCEL = 'POST /api/public/manage/token/cancel'
const LATER = '2027-01-06T10:00:00.000Z'
const TIMES = {
  'GET /api/public/manage/token/days': { time_zone: 'Europe/London', days: [] },
  'GET /api/public/manage/token/slots': {
    date: '2027-01-06',
    time_zone: 'Europe/London',
    slots: [{ starts_at: LATER, ends_at: '2027-01-06T10:30:00.000Z' }],
  },
}

/** The state of the page each time it scrolled an element into view. */
const ledTo: string[] = []

beforeEach(() => {
  ledTo.length = 0
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function (this: HTMLElement) {
    ledTo.push(
      `${this.textContent} ${document.activeElement === this} ${screen.queryAllByText(/^Moved from/).length}`,
    )
  })
})
test('a request to cancel leads to the heading that says that it is pending', async () => {
  const { user, api } = open()
  api.answer(CANCEL, VIEW_OF_REQUEST)
  await user.click(await screen.findByRole('button', { name: 'Request cancellation' }))
  api.answer(VIEW, VIEW_OF_REQUEST)
  await user.click(screen.getByRole('button', { name: 'Request cancellation' }))
  await waitFor(() => expect(ledTo).toEqual(['Cancellation Pending true 0']))
  const sentence = 'Cancellation request submitted successfully. The calendar owner will review your request.'
  expect(screen.getAllByText(sentence, { exact: false })).toHaveLength(1)
})

test('a request that is refused leads to how the appointment stands meanwhile', async () => {
  const { user, api } = open()
  api.answer(CANCEL, errorResponse('appointment.already_cancelled'))
  await user.click(await screen.findByRole('button', { name: 'Request cancellation' }))
  api.answer(VIEW, makeManagedAppointment({ standing: 'cancelled', can_change: false }))
  await user.click(screen.getByRole('button', { name: 'Request cancellation' }))
  await waitFor(() => expect(ledTo).toEqual(['Appointment Cancelled true 0']))
  expect(screen.queryByText(PROBLEMS['appointment.already_cancelled'].title)).toBeNull()
})

test('after a cancellation, another booking begins with the same type. Source: rule T66', async () => {
  const { appointment, ...view } = makeManagedAppointment({ standing: 'cancelled', can_change: false })
  open({ ...view, appointment: { ...appointment, appointment_type_id: 'a1' } })
  const link = await screen.findByRole('link', { name: 'Make Another Booking' })
  expect(link.getAttribute('href')).toBe(`/book/${appointment.calendar_slug}?type=a1`)
})

test('a cancellation that fails says so once, above its buttons', async () => {
  const { user, api } = open()
  api.answer(CANCEL, errorResponse('server.unavailable'))
  await user.click(await screen.findByRole('button', { name: 'Request cancellation' }))
  await user.click(screen.getByRole('button', { name: 'Request cancellation' }))
  expect(await screen.findAllByText('Failed to submit cancellation request. Please try again.')).toHaveLength(
    1,
  )
  expect(screen.getByRole('heading', { name: 'Request cancellation of this appointment?' })).toBeDefined()
})

test('a refused cancellation says why next to the terms that hold now', async () => {
  const { user, api } = open()
  api.answer(CANCEL, errorResponse('request.too_many'))
  await user.click(await screen.findByRole('button', { name: 'Request cancellation' }))
  await user.click(screen.getByRole('button', { name: 'Request cancellation' }))
  await waitFor(() => expect(ledTo).toEqual(['Your appointment true 0']))
  expect(screen.getAllByText(PROBLEMS['request.too_many'].title)).toHaveLength(1)
  expect(screen.getByRole('button', { name: 'Request cancellation' })).toBeDefined()
})

test('a move leads to the heading above the new time, and so does taking it back', async () => {
  const { user, api } = open()
  const before = makeManagedAppointment()
  const { appointment } = before
  await user.click(await screen.findByRole('button', { name: 'Move to another time' }))
  await user.click(await screen.findByRole('button', { name: '10:00 AM' }))
  api.answer(MOVE, { id: appointment.id, starts_at: LATER, ends_at: LATER, email: 'queued' })
  const moved = {
    appointment: { ...appointment, starts_at: LATER, is_moved: true },
    moved_from: appointment.starts_at,
  }
  api.answer(VIEW, makeManagedAppointment(moved))
  await user.click(screen.getByRole('button', { name: 'Move to Jan 6, 2027, 10:00 AM' }))
  await waitFor(() => expect(ledTo).toEqual(['Your appointment true 1']))
  // Only the file moves an entry that the customer has added before; the other links would add a second one.
  expect(screen.getByRole('link', { name: 'Update calendar' }).getAttribute('href')).toMatch(
    /appointment\.ics$/,
  )
  expect(screen.queryByRole('link', { name: 'Google' })).toBeNull()
  api.answer(VIEW, before)
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(ledTo.slice(1)).toEqual(['Your appointment true 0']))
})

test('opening the page leads nowhere', async () => {
  open()
  await screen.findByRole('heading', { name: 'Your appointment' })
  expect(ledTo).toEqual([])
  expect(document.activeElement).toBe(document.body)
})

const VIEW_OF_REQUEST: CustomerAppointment = makeManagedAppointment({
  standing: 'pending_cancellation',
  can_change: false,
})

function open(view = makeManagedAppointment()) {
  const terms = { obstacle: null, until: LATER, times_left: null, offer: null }
  const api = stubApi({ [VIEW]: view, [TERMS]: terms, ...TIMES })
  const { user } = renderComponent(<ManageAppointmentPage token="token" />)
  return { user, api }
}
