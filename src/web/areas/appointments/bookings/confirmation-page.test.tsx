// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { PublicAppointment } from '#contract/appointments/bookings.ts'
import {
  errorResponse,
  FakeBookingApi,
  SAMPLE_APPOINTMENT,
  successResponse,
} from '#tests/support/fake-booking-api.ts'
import { ConfirmationPage } from './confirmation-page.tsx'
import { saveBooking } from './saved-booking.ts'

const PATH = `/api/public/appointments/${SAMPLE_APPOINTMENT.id}`
let api: FakeBookingApi

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z'), toFake: ['Date'] })
  api = new FakeBookingApi()
  vi.stubGlobal('fetch', api.fetch)
})
test('a confirmed booking is shown again with its reference and a way to cancel', async () => {
  renderConfirmation({})
  expect(screen.getByText('Loading appointment details...')).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'Booking Confirmed!' })).toBeTruthy()
  expect(screen.getByText('BK-1795000000000')).toBeTruthy()
  expect(screen.getByText('A confirmation email was sent to the address you gave.')).toBeTruthy()
  expect(screen.getByText('Payment will be handled manually.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Cancel this appointment' }).getAttribute('href')).toBe(
    `/cancel/${SAMPLE_APPOINTMENT.id}`,
  )
})

test('it says which appointment was booked and where, and nothing twice', async () => {
  renderConfirmation({ title: 'A stiff shoulder', location_name: 'Quay', location_address: 'Quay' })
  await screen.findByRole('heading', { name: 'Booking Confirmed!' })
  expect(rowOf('Title')).toBe('A stiff shoulder\nConsultation')
  expect(rowOf('Professional')).toBe('Maya Grey\nHarbour Practice')
  expect(rowOf('Location')).toBe('Quay')
  cleanup()
  renderConfirmation({ professional_first_name: null, professional_last_name: null })
  await screen.findByRole('heading', { name: 'Booking Confirmed!' })
  expect(rowOf('Title')).toBe('Consultation')
  expect(rowOf('Professional')).toBe('Harbour Practice')
})

test.each([
  ['cancelled', 'Appointment Cancelled'],
  ['pending_cancellation', 'Cancellation Pending'],
  ['pending_payment', 'Awaiting payment'],
] as const)('a booking that is %s is not called confirmed', async (status, heading) => {
  renderConfirmation({ status })
  expect(await screen.findByRole('heading', { name: heading })).toBeTruthy()
  expect(screen.queryByText('Booking Confirmed!')).toBeNull()
  expect(screen.queryByText(/A confirmation email was sent/)).toBeNull()
})

test('without an id there is nothing to show', () => {
  renderConfirmation({}, { appointmentId: null })
  expect(screen.getByRole('heading', { name: 'No appointment ID provided' })).toBeTruthy()
  expect(screen.getByText(/open it again from your confirmation email/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Return to booking' }).getAttribute('href')).toBe('/book/dr-grey')
  cleanup()
  renderConfirmation({}, { appointmentId: null, slug: null })
  expect(screen.getByRole('link', { name: 'Go Home' }).getAttribute('href')).toBe('/')
  expect(api.paths).toEqual([])
})

test.each(['server.unexpected', 'appointment.not_found'] as const)(
  'details that cannot be loaded (%s) leave the booking confirmed',
  async (code) => {
    renderConfirmation({}, {}, errorResponse(code))
    expect(await screen.findByRole('heading', { name: 'Booking Confirmed!' })).toBeTruthy()
    expect(
      screen.getByText('Failed to load appointment details. Please refresh the page or contact support.'),
    ).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Return to Dashboard' })).toBeTruthy()
  },
)

test('both zones are named where the clocks differ, with the day where that differs too', async () => {
  renderConfirmation({
    starts_at: '2026-12-01T19:00:00Z',
    ends_at: '2026-12-01T19:30:00Z',
    customer_time_zone: 'Asia/Kathmandu',
  })
  await screen.findByRole('heading', { name: 'Booking Confirmed!' })
  expect(timeRow()).toBe(
    '7:00 PM – 7:30 PM London time (GMT)' +
      'Your time: Wednesday, December 2, 2026, 12:45 AM – 1:15 AM Kathmandu time (GMT+5:45)',
  )
})

const IN_KATHMANDU = { customer_time_zone: 'Asia/Kathmandu' } as const
const KATHMANDU_FIRST =
  'Your time: 3:15 PM – 3:45 PM Kathmandu time (GMT+5:45)9:30 AM – 10:00 AM London time (GMT)'
const LONDON_FIRST =
  '9:30 AM – 10:00 AM London time (GMT)Your time: 3:15 PM – 3:45 PM Kathmandu time (GMT+5:45)'

test.each([
  { zone: 'visitor', is_online: false, shown: KATHMANDU_FIRST },
  { zone: 'calendar', is_online: true, shown: LONDON_FIRST },
  // If the time was not chosen in this browser, the zone is the booking page's default zone.
  { zone: null, is_online: true, shown: KATHMANDU_FIRST },
  { zone: null, is_online: false, shown: LONDON_FIRST },
] as const)(
  'a time chosen on the clock of the $zone (online: $is_online) is read there first',
  async ({ zone, is_online, shown }) => {
    if (zone !== null) saveBooking(location.href, { email: 'ada@example.org', zone })
    renderConfirmation({ ...IN_KATHMANDU, is_online })
    await screen.findByRole('heading', { name: 'Booking Confirmed!' })
    expect(timeRow()).toBe(shown)
  },
)

test('the date is that of the first clock, and the other one names its own where it differs', async () => {
  saveBooking(location.href, { email: 'ada@example.org', zone: 'visitor' })
  const late = { starts_at: '2026-12-01T19:00:00Z', ends_at: '2026-12-01T19:30:00Z' }
  renderConfirmation({ ...IN_KATHMANDU, ...late })
  await screen.findByRole('heading', { name: 'Booking Confirmed!' })
  expect(rowOf('Date')).toBe('Wednesday, December 2, 2026')
  expect(timeRow()).toBe(
    'Your time: 12:45 AM – 1:15 AM Kathmandu time (GMT+5:45)' +
      'Tuesday, December 1, 2026, 7:00 PM – 7:30 PM London time (GMT)',
  )
})

test('the address that the confirmation went to is named where it is known', async () => {
  saveBooking(location.href, { email: 'ada@example.org', zone: 'calendar' })
  renderConfirmation({})
  expect(await screen.findByText('A confirmation email was sent to ada@example.org.')).toBeTruthy()
})

test('the confirmation leads with the calendars and the way to move or cancel, before the other details', async () => {
  saveBooking(location.href, { email: 'ada@example.org', zone: 'calendar', link: 'signed-link' })
  renderConfirmation({ title: 'A stiff shoulder', location_name: 'Quay', location_address: '1 Quay' })
  await screen.findByRole('heading', { name: 'Booking Confirmed!' })
  const group = screen.getByRole('group', { name: 'Add to calendar' })
  const hrefOf = (name: string) => within(group).getByRole('link', { name }).getAttribute('href') ?? ''
  expect(hrefOf('File')).toBe('/api/public/manage/signed-link/appointment.ics')
  const google = new URL(hrefOf('Google'))
  expect(google.host).toBe('calendar.google.com')
  expect(google.searchParams.get('dates')).toBe('20261201T093000Z/20261201T100000Z')
  expect(google.searchParams.get('text')).toBe('A stiff shoulder · Maya Grey')
  expect(google.searchParams.get('location')).toBe('Quay, 1 Quay')
  expect(google.searchParams.get('details')).toContain(`${location.origin}/manage/signed-link`)
  expect(new URL(hrefOf('Outlook')).searchParams.get('startdt')).toBe('2026-12-01T09:30:00Z')
  const change = screen.getByRole('link', { name: 'Move or cancel' })
  expect(change.getAttribute('href')).toBe('/manage/signed-link')
  const order = [screen.getByText('Time'), group, change, screen.getByText('Professional')]
  for (const [at, element] of order.slice(1).entries())
    expect(order[at]?.compareDocumentPosition(element)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test.each([
  { name: 'Move to another time', cancel_until: '2026-11-20T09:00:00Z' },
  { name: 'View or cancel', move_until: null },
  { name: 'View or cancel', move_until: '2026-11-20T09:00:00Z' },
  { name: 'View your booking', move_until: '2026-11-20T09:00:00Z', cancel_until: '2026-11-20T09:00:00Z' },
])('the confirmation offers only what the policy still allows: $name', async ({ name, ...until }) => {
  saveBooking(location.href, { email: 'ada@example.org', zone: 'calendar', link: 'signed-link' })
  renderConfirmation(until)
  const change = await screen.findByRole('link', { name })
  expect(change.getAttribute('href')).toBe('/manage/signed-link')
})

test('a page that does not know the customer’s link has no file, and an appointment that is over has no actions', async () => {
  const findGroup = () => screen.queryByRole('group', { name: 'Add to calendar' })
  renderConfirmation({})
  await screen.findByRole('heading', { name: 'Booking Confirmed!' })
  expect(screen.getByRole('link', { name: 'Outlook' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'File' })).toBeNull()
  cleanup()
  saveBooking(location.href, { email: 'ada@example.org', zone: 'calendar', link: 'signed-link' })
  renderConfirmation({ status: 'pending_cancellation' })
  expect(await screen.findByRole('link', { name: 'File' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Move or cancel' })).toBeNull()
  for (const other of [
    { status: 'cancelled' },
    { status: 'pending_payment' },
    { starts_at: '2026-11-20T09:59:00Z' },
  ] as const) {
    cleanup()
    renderConfirmation(other)
    await screen.findByText('BK-1795000000000')
    expect(findGroup()).toBeNull()
    expect(screen.queryByRole('link', { name: 'Move or cancel' })).toBeNull()
  }
})

test('opened again after a move, it offers only the file, because Google and Outlook would add a second entry', async () => {
  saveBooking(location.href, { email: 'ada@example.org', zone: 'calendar', link: 'signed-link' })
  renderConfirmation({ is_moved: true })
  const update = await screen.findByRole('link', { name: 'Update calendar' })
  expect(update.getAttribute('href')).toBe('/api/public/manage/signed-link/appointment.ics')
  for (const name of ['Google', 'Outlook']) expect(screen.queryByRole('link', { name })).toBeNull()
})

test('one zone is enough where the clocks agree', async () => {
  renderConfirmation({ customer_time_zone: 'Europe/Lisbon' })
  await screen.findByRole('heading', { name: 'Booking Confirmed!' })
  expect(timeRow()).toBe('9:30 AM – 10:00 AM London time (GMT)')
})

test('an online appointment is online, and one without a place of its own is at the calendar’s', async () => {
  renderConfirmation({ is_online: true })
  await screen.findByText('Online')
  cleanup()
  renderConfirmation({ location_name: null, location_address: null, calendar_location: 'Room 4' })
  await screen.findByText('Room 4')
})

test('another booking is made on the calendar of the address, or of the appointment', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  renderConfirmation({})
  await userEvent.click(await screen.findByRole('button', { name: 'Make Another Booking' }))
  cleanup()
  renderConfirmation({}, { slug: null })
  await userEvent.click(await screen.findByRole('button', { name: 'Make Another Booking' }))
  expect(assign.mock.calls).toEqual([['/book/dr-grey'], ['https://book.example.org/book/dr-grey']])
  assign.mockRestore()
})

test('another booking begins with the type that was booked, which may be by link only. Source: rule T66', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  renderConfirmation({ appointment_type_id: 'a1' })
  await userEvent.click(await screen.findByRole('button', { name: 'Make Another Booking' }))
  expect(assign.mock.calls).toEqual([['/book/dr-grey?type=a1']])
  assign.mockRestore()
})

test('what a customer wrote is shown as the text it is', async () => {
  renderConfirmation({ description: '<script>alert(1)</script>', title: '<b>Knee</b>' })
  expect(await screen.findByText('<script>alert(1)</script>')).toBeTruthy()
  expect(rowOf('Title')).toBe('<b>Knee</b>\nConsultation')
})

function renderConfirmation(
  change: Partial<PublicAppointment>,
  props: { slug?: string | null; appointmentId?: string | null } = {},
  answer = successResponse({ ...SAMPLE_APPOINTMENT, ...change }),
) {
  api.overrides.set(PATH, answer)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <ConfirmationPage slug="dr-grey" appointmentId={SAMPLE_APPOINTMENT.id} {...props} />
    </QueryClientProvider>,
  )
}

function timeRow() {
  return rowOf('Time')
}

function rowOf(term: string) {
  return screen.getByText(term).nextElementSibling?.textContent
}
