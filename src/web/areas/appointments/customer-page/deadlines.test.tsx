// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { CustomerAppointment } from '#contract/appointments/customer-page.ts'
import { makeManagedAppointment } from '#web/testing/make-managed-appointment.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { stubApi } from '#web/testing/stub-api.ts'
import { AllCustomerAppointments } from './all-appointments.tsx'
import { ManageAppointmentPage } from './manage-page.tsx'

/** The customer's time zone, 13 hours ahead of London. The appointment, January 5 at 9:00 in London, is at 22:00 there. */
const OWN = 'Pacific/Auckland'
const UNTIL = '2027-01-04T09:00:00.000Z'
const LATER = '2027-01-06T10:00:00.000Z'
const EARLIER = '2027-01-04T15:00:00.000Z'
const SLOTS = 'GET /api/public/manage/token/slots'

test.each([
  [
    'in person',
    false,
    'January 4, 2027, 3:00 PM London time (GMT)',
    'Monday, January 4, 9:00 AM London time (GMT)',
  ],
  [
    'online',
    true,
    'January 5, 2027, 4:00 AM Auckland time (NZDT)',
    'Monday, January 4, 10:00 PM Auckland time (NZDT)',
  ],
])(
  'every deadline of an appointment %s is on the clock of the page, which it names',
  async (_how, isOnline, before, until) => {
    open(isOnline)
    await screen.findByText(`Moved from ${before}.`)
    await screen.findByText(`You can move it until ${until}.`)
    const cancel = screen.getByRole('button', { name: 'Cancel this appointment' })
    cancel.click()
    await screen.findByText((text) => text.startsWith(`You can cancel it until ${until}.`))
  },
)

test('the times that a customer moves between are on the clock of the page, which they name', async () => {
  const { api, user } = open(false)
  await user.click(await screen.findByRole('button', { name: 'Move to another time' }))
  screen.getByRole('button', { name: 'Keep Jan 5, 2027, 9:00 AM London time (GMT)' })
  await user.click(await screen.findByRole('button', { name: '10:00 AM' }))
  const zones = api.to(SLOTS).map(({ search }) => search.get('time_zone'))
  expect(new Set(zones)).toEqual(new Set(['Europe/London']))
  await user.click(screen.getByRole('button', { name: 'Move to Jan 6, 2027, 10:00 AM London time (GMT)' }))
  expect(await screen.findByText('Moved to Jan 6, 2027, 10:00 AM London time (GMT)')).toBeTruthy()
})

test('a customer whose clock reads the same is told no zone', async () => {
  vi.stubEnv('TZ', 'Europe/Lisbon')
  open(false, 'Europe/Lisbon')
  await screen.findByText('Moved from January 4, 2027, 3:00 PM.')
  await screen.findByText('You can move it until Monday, January 4, 9:00 AM.')
})

test('a customer who reads it elsewhere than they booked is told the zone', async () => {
  vi.stubEnv('TZ', 'America/New_York')
  open(false, 'Europe/London')
  await screen.findByText('You can move it until Monday, January 4, 9:00 AM London time (GMT).')
})

test('the list of all appointments writes each on the clock of its own page', async () => {
  const { appointment } = makeManagedAppointment()
  const listed = { ...appointment, standing: 'upcoming', customer_time_zone: OWN, token: null }
  const appointments = [
    { ...listed, id: '00000000-0000-4000-8000-000000000001' },
    { ...listed, id: '00000000-0000-4000-8000-000000000002', is_online: true },
  ]
  stubApi({ 'GET /api/public/manage/token/appointments': { appointments, is_complete: true } })
  renderComponent(<AllCustomerAppointments token="token" onSessionOver={() => {}} />)
  await screen.findByText('Jan 5, 2027, 9:00 AM London time (GMT)')
  screen.getByText('Jan 5, 2027, 10:00 PM Auckland time (NZDT)')
})

function open(isOnline: boolean, zone = OWN) {
  const { appointment, cancellation } = makeManagedAppointment()
  const view: CustomerAppointment = makeManagedAppointment({
    appointment: { ...appointment, customer_time_zone: zone, is_online: isOnline },
    moved_from: EARLIER,
    cancellation: { ...cancellation, way: 'alone', until: UNTIL },
  })
  const moved = { id: appointment.id, starts_at: LATER, ends_at: LATER, email: 'queued' }
  const api = stubApi({
    'GET /api/public/manage/token': view,
    'GET /api/public/manage/token/move': { obstacle: null, until: UNTIL, times_left: null, offer: null },
    'POST /api/public/manage/token/move': moved,
    'GET /api/public/manage/token/days': { time_zone: 'Europe/London', days: [] },
    [SLOTS]: {
      date: '2027-01-06',
      time_zone: 'Europe/London',
      slots: [{ starts_at: LATER, ends_at: '2027-01-06T10:30:00.000Z' }],
    },
  })
  return { api, ...renderComponent(<ManageAppointmentPage token="token" />) }
}
