// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { makeAppointment, makeUpcoming } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { UpcomingAppointments } from './upcoming-appointments.tsx'

const UPCOMING = 'GET /api/appointments/upcoming'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-30T23:30:00Z') })
})

test('each appointment shows when, who, what, where booked, its reference and its state', async () => {
  renderUpcoming([makeAppointment({ status: 'pending_cancellation' })])
  const item = within(await screen.findByRole('article', { name: 'Ada Lovelace' }))
  expect(item.getByText('9:30 AM')).toBeDefined()
  // The time zone is shown once, above all appointments.
  expect(item.queryByText('London time (GMT)')).toBeNull()
  expect(screen.getByText('London time (GMT)')).toBeDefined()
  expect(item.getByText('First consultation · Dr. Grey')).toBeDefined()
  expect(item.getByText('BK-1764000000000')).toBeDefined()
  expect(item.getByText('Cancellation pending')).toBeDefined()
})

test('appointments of several calendars have a dot in the colour of theirs', async () => {
  const evening = {
    id: '00000000-0000-4000-8000-000000000509',
    calendar_id: '00000000-0000-4000-8000-000000000102',
    calendar_color: '#16a085',
  }
  renderUpcoming([makeAppointment(), makeAppointment(evening)])
  const items = await screen.findAllByRole('article', { name: 'Ada Lovelace' })
  const dots = items.map((item) => item.querySelector<HTMLElement>('[style]')?.style.backgroundColor)
  expect(dots).toEqual(['#3498db', '#16a085'])
})

test('a press on an appointment opens everything about it', async () => {
  const { user } = renderUpcoming([makeAppointment()])
  await user.click(await screen.findByRole('button', { name: 'Ada Lovelace' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Appointment' }))
  expect(dialog.getByText('ada@example.org')).toBeDefined()
  expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDefined()
})

test('times in several zones name theirs', async () => {
  const tokyo = { id: '00000000-0000-4000-8000-000000000509', time_zone: 'Asia/Tokyo' }
  renderUpcoming([makeAppointment(), makeAppointment(tokyo)])
  expect(await screen.findByText('London time (GMT)')).toBeDefined()
  expect(screen.getByText(/^Tokyo time/)).toBeDefined()
})

test('that it awaits its payment is said once', async () => {
  renderUpcoming([makeAppointment({ status: 'pending_payment', payment_status: 'pending' })])
  expect(await screen.findByText('Awaiting payment')).toBeDefined()
  expect(screen.queryByText('Unpaid')).toBeNull()
})

test('without a type the title stands for it', async () => {
  renderUpcoming([makeAppointment({ appointment_types: null })])
  expect(await screen.findByText('My back · Dr. Grey')).toBeDefined()
})

test('appointments of one day stand together, and today is the calendar’s today', async () => {
  const first = makeAppointment({ id: '00000000-0000-4000-8000-000000000502' })
  const tokyo = {
    time_zone: 'Asia/Tokyo',
    starts_at: '2026-12-01T02:00:00Z',
    ends_at: '2026-12-01T03:00:00Z',
  }
  renderUpcoming([
    makeAppointment(tokyo),
    first,
    makeAppointment({ id: '00000000-0000-4000-8000-000000000503', date: '2026-12-02' }),
  ])
  const tuesday = within(await screen.findByRole('region', { name: 'Tuesday, December 1, 2026' }))
  expect(tuesday.getAllByRole('article')).toHaveLength(2)
  // In Tokyo it is already December 1; in London it is still November 30.
  expect(tuesday.getByText('Today')).toBeDefined()
  const wednesday = within(screen.getByRole('region', { name: 'Wednesday, December 2, 2026' }))
  expect(wednesday.queryByText('Today')).toBeNull()
})

test('days are in order, also where a later day begins first in another zone', async () => {
  const auckland = {
    time_zone: 'Pacific/Auckland',
    starts_at: '2026-12-01T08:00:00Z',
    ends_at: '2026-12-01T08:30:00Z',
    date: '2026-12-02',
  }
  renderUpcoming([
    makeAppointment({ ...auckland, starts_at: '2026-12-01T11:30:00Z' }),
    makeAppointment({ id: '00000000-0000-4000-8000-000000000502', starts_at: '2026-12-01T15:00:00Z' }),
  ])
  await screen.findByRole('region', { name: 'Wednesday, December 2, 2026' })
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Tuesday, December 1, 2026',
    'Wednesday, December 2, 2026',
  ])
})

test('what does not fit is counted', async () => {
  renderUpcoming([makeAppointment()], 24)
  expect(await screen.findByText(/^23 more\./)).toBeDefined()
  expect(screen.getByRole('link', { name: 'View all' }).getAttribute('href')).toBe('/appointments?view=list')
})

test('empty, it says how to get booked', async () => {
  renderUpcoming([])
  expect(await screen.findByText('No upcoming appointments')).toBeDefined()
  expect(screen.getByText(/^Share your booking link/)).toBeDefined()
})

test('while it loads it says so', () => {
  stubApi({ [UPCOMING]: heldResponse({}).answer })
  renderComponent(<UpcomingAppointments />)
  expect(screen.getByText('Loading appointments...')).toBeDefined()
})

test('when it cannot be loaded it says so and can be asked again', async () => {
  const api = stubApi({ [UPCOMING]: errorResponse('request.too_many') })
  const { user } = renderComponent(<UpcomingAppointments />)
  expect(await screen.findAllByText('Failed to load appointments')).toHaveLength(1)
  api.answer(UPCOMING, makeUpcoming([makeAppointment()]))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Ada Lovelace')).toBeDefined()
})

function renderUpcoming(appointments: AppointmentRow[], total = appointments.length) {
  stubApi({ [UPCOMING]: makeUpcoming(appointments, { total }) })
  return renderComponent(<UpcomingAppointments />)
}
