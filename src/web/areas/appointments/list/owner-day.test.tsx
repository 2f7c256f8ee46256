// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { SAVED_DAY_KEY } from '#web/shared/saved-day.ts'
import { CALENDAR_ID, makeAppointment, OWNER_ID } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { OwnerDay } from './owner-day.tsx'
import { readSavedDay } from './saved-day.ts'

const DAY = 'GET /api/appointments/day'
const NOW = '2026-12-01T09:00:00Z'
const TOLD = `POST /api/calendars/${CALENDAR_ID}/appointments/${makeAppointment().id}/delay`
const PAID = `POST /api/calendars/${CALENDAR_ID}/appointments/${makeAppointment().id}/actions`
const NO_SHOW = `PUT /api/calendars/${CALENDAR_ID}/appointments/${makeAppointment().id}/no-show`

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOW) })
})
test('today and what comes next are a line each, which opens what can be done', async () => {
  const next = {
    id: '00000000-0000-4000-8000-000000000502',
    date: '2026-12-03',
    starts_at: '2026-12-03T09:00:00Z',
  }
  const { user } = open([
    makeAppointment({ payment_status: 'pending' }),
    makeAppointment({ ...next, ends_at: '2026-12-03T10:00:00Z', customers: { ...ADA, name: 'Alan Turing' } }),
  ])
  const today = within(await screen.findByRole('region', { name: 'Today' }))
  expect(within(screen.getByRole('region', { name: 'Next' })).getByText('Alan Turing')).toBeDefined()
  const line = today.getByRole('button', { name: /9:30 AM.*Ada Lovelace.*Unpaid/, expanded: false })
  expect(screen.queryByRole('link', { name: 'Call' })).toBeNull()
  await user.click(line)
  expect(linkOf('Call')).toBe('tel:+442079460958')
  expect(linkOf('Message')).toBe('mailto:ada@example.org')
  expect(linkOf('Route')).toBe(
    'https://www.google.com/maps/dir/?api=1&destination=10+Harley+Street%2C+London',
  )
  expect(today.getByText(/“My back”|My back/)).toBeDefined()
  await user.click(today.getByRole('button', { name: 'View details' }))
  expect(within(await screen.findByRole('dialog')).getByText('BK-1764000000000')).toBeDefined()
})

const HALF_REFUNDED = { returned: 20, due: 20, percent: 50, failure: null, by_hand: false }

test.each([
  ['Paid', {}],
  ['Paid.*Sandbox', { paid_in_sandbox: true }],
  ['Partly refunded', { refund: HALF_REFUNDED }],
  ['Refunded', { payment_status: 'refunded' }],
  ['Cancelled', { status: 'cancelled' }],
] as const)('a line shows the payment, unless something needs attention: %s', async (badge, row) => {
  const { user } = open([makeAppointment({ payment_status: 'paid', ...row })])
  const name = new RegExp(`Ada Lovelace.*${badge}`)
  await user.click(await screen.findByRole('button', { name, expanded: false }))
  expect(screen.queryAllByText(/no real money/)).toHaveLength('paid_in_sandbox' in row ? 1 : 0)
})

test('a session is one line with its seats, which opens to the lines of its people (rule B59)', async () => {
  const session = { id: CALENDAR_ID, appointment_type_id: CALENDAR_ID, seats: 8, seats_taken: 2 }
  const alan = { id: '00000000-0000-4000-8000-000000000504', customers: { ...ADA, name: 'Alan Turing' } }
  const paid = { session, payment_status: 'paid' } as const
  const { user } = open([makeAppointment(paid), makeAppointment({ session, ...alan })])
  const today = within(await screen.findByRole('region', { name: 'Today' }))
  expect(today.getAllByRole('article')).toHaveLength(1)
  expect(today.queryByText('Paid'), 'one of them has paid').toBeNull()
  await user.click(today.getByRole('button', { name: /First consultation.*, 2 of 8/ }))
  await user.click(today.getByRole('button', { name: /Alan Turing/ }))
  expect(today.getByRole('link', { name: 'Call' })).toBeDefined()
})

test('lines of several calendars have the colours of their calendars, which a legend names', async () => {
  const evening = {
    id: '00000000-0000-4000-8000-000000000503',
    calendar_id: '00000000-0000-4000-8000-000000000102',
    calendar_name: 'Evenings',
    calendar_color: '#16a085',
    customers: { ...ADA, name: 'Alan Turing' },
  }
  open([makeAppointment({ color: '#8e44ad' }), makeAppointment(evening)])
  const legend = within(await screen.findByRole('list', { name: 'Calendars' }))
  expect(legend.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Dr. Grey',
    'Evenings',
  ])
  const stripes = screen
    .getAllByRole('article')
    .map((line) => line.querySelector<HTMLElement>('[style]')?.style.backgroundColor)
  expect(stripes).toEqual(['#3498db', '#16a085'])
})

test('lines of one calendar have the colours of their types, and no legend', async () => {
  open([makeAppointment({ color: '#8e44ad' })])
  const line = await screen.findByRole('article')
  expect(line.querySelector<HTMLElement>('[style]')?.style.backgroundColor).toBe('#8e44ad')
  expect(screen.queryByRole('list', { name: 'Calendars' })).toBeNull()
})

test('calendars with several clocks are written on one, in order, and each start also on its own', async () => {
  vi.stubEnv('TZ', 'Europe/London')
  const rows = [
    { ...at('2026-12-01T14:00:00Z', 'America/New_York', '2026-12-01'), name: 'In New York' },
    { ...at('2026-12-01T20:00:00Z', 'Pacific/Auckland', '2026-12-02'), name: 'In Auckland' },
    { ...at('2026-12-01T21:00:00Z', 'Europe/London', '2026-12-01'), name: 'In London' },
    { ...at('2026-12-02T03:00:00Z', 'America/New_York', '2026-12-01'), name: 'Late in New York' },
    { ...at('2026-12-02T09:00:00Z', 'Europe/London', '2026-12-02'), name: 'Tomorrow' },
  ]
  const { user } = open(
    rows.map(({ name, ...row }, i) =>
      makeAppointment({ ...row, id: `00000000-0000-4000-8000-00000000051${i}`, customers: { ...ADA, name } }),
    ),
  )
  const linesIn = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('button')
      .map(({ textContent }) => textContent)
  await screen.findByText('London time (GMT)')
  expect(linesIn('Today')).toEqual([
    '2:00 PM 9:00 AM ESTIn New York',
    '8:00 PM Wed, 9:00 AM NZDTIn Auckland',
    '9:00 PMIn London',
  ])
  const next = within(screen.getByRole('region', { name: 'Next' }))
  expect(next.getAllByText(/^Wednesday/).map(({ textContent }) => textContent)).toEqual([
    'Wednesday, December 2',
  ])
  expect(linesIn('Next')).toEqual(['3:00 AM Tue, 10:00 PM ESTLate in New York', '9:00 AMTomorrow'])
  await user.click(screen.getByRole('button', { name: /In Auckland/ }))
  expect(screen.getByText(/^until 8:30 PM · Auckland time \(NZDT\)/)).toBeDefined()
})

test('on one clock that is not the browser’s the day is named with it', async () => {
  vi.stubEnv('TZ', 'Europe/London')
  vi.setSystemTime('2026-12-01T20:00:00Z')
  open([makeAppointment(at('2026-12-01T21:00:00Z', 'Pacific/Auckland', '2026-12-02'))])
  await screen.findByText('Wednesday, December 2, Auckland time (NZDT)')
  const today = within(screen.getByRole('region', { name: 'Today' }))
  expect(today.getByRole('button', { name: /^10:00 AM/ })).toBeDefined()
})

test('an appointment is marked as paid with one press', async () => {
  const { user, api } = open([makeAppointment({ payment_status: 'pending' })])
  await user.click(await screen.findByRole('button', { name: /Ada Lovelace/ }))
  api.answer(PAID, {
    id: 'a',
    status: 'confirmed',
    payment_status: 'paid',
    announced: null,
    email: 'none',
    warning: null,
  })
  await user.click(screen.getByRole('button', { name: 'Mark as Paid' }))
  expect(await screen.findByText('Payment marked as paid successfully')).toBeDefined()
  expect(api.to(PAID)[0]?.body).toMatchObject({ action: 'mark_paid' })
})

test('the customer is told that it begins later, and the line says so', async () => {
  const { user, api } = open([makeAppointment()])
  await user.click(await screen.findByRole('button', { name: /Ada Lovelace/ }))
  api.answer(TOLD, { minutes: 10, told: 1 })
  api.answer(DAY, { as_of: NOW, appointments: [makeAppointment({ delay: { minutes: 10, told: 1 } })] })
  await user.click(screen.getByRole('button', { name: 'Running late' }))
  await user.click(await screen.findByRole('menuitem', { name: '10 minutes late' }))
  expect(await screen.findByText('We’ll tell Ada Lovelace you’re about 10 minutes late.')).toBeDefined()
  expect(api.to(TOLD).map(({ body }) => body)).toEqual([{ minutes: 10, told: 0 }])
  expect(await screen.findByText('10 min late')).toBeDefined()
})

test('a delay is not offered any more once the appointment is over, which a told delay puts off', async () => {
  const ended = { starts_at: '2026-12-01T08:30:00Z', ends_at: NOW }
  const id = '00000000-0000-4000-8000-000000000502'
  const { user } = open([
    makeAppointment(ended),
    makeAppointment({ ...ended, id, delay: { minutes: 15, told: 1 } }),
  ])
  for (const line of await screen.findAllByRole('button', { name: /Ada Lovelace/ })) await user.click(line)
  expect(screen.getAllByRole('button', { name: 'View details' })).toHaveLength(2)
  expect(screen.getAllByRole('button', { name: 'Running late' })).toHaveLength(1)
  expect(screen.getByText('The customer knows you’re about 15 minutes late.')).toBeDefined()
})

test.each([
  ['+44 20 7946 0958', 'This customer has no email address. Please call.'],
  [null, 'This customer has no email address.'],
])('nobody is asked to call without a phone number (%s)', async (phone, reason) => {
  const { user } = open([makeAppointment({ customers: { ...ADA, email: null, phone } })])
  await user.click(await screen.findByRole('button', { name: /Ada Lovelace/ }))
  expect(screen.getByText(reason)).toBeDefined()
})

test('each number of a customer is called by its own link, and a message goes to one without an extension', async () => {
  const phone_numbers = [
    { typed: '020 7946 0958 ext. 7', dials: '+442079460958;ext=7' },
    { typed: '07700 900123', dials: '+447700900123' },
  ]
  const { user } = open([makeAppointment({ customers: { ...ADA, email: null, phone_numbers } })])
  await user.click(await screen.findByRole('button', { name: /Ada Lovelace/ }))
  expect(linkOf('Call 020 7946 0958 ext. 7')).toBe('tel:+442079460958;ext=7')
  expect(linkOf('Call 07700 900123')).toBe('tel:+447700900123')
  expect(linkOf('Message')).toBe('sms:+447700900123')
})

test('what cannot be read as a number has no link', async () => {
  const customers = { ...ADA, email: null, phone: 'ask my mother', phone_numbers: [] }
  const { user } = open([makeAppointment({ customers })])
  await user.click(await screen.findByRole('button', { name: /Ada Lovelace/ }))
  expect(screen.queryByRole('link', { name: /Call|Message/ })).toBeNull()
})

test('whoever did not come is marked at once, in the dialog and on the line', async () => {
  const begun = makeAppointment({ starts_at: '2026-12-01T08:45:00Z', payment_status: 'pending' })
  const { user, api } = open([begun])
  await user.click(await screen.findByRole('button', { name: /Ada Lovelace.*Unpaid/ }))
  await user.click(screen.getByRole('button', { name: 'View details' }))
  const dialog = within(await screen.findByRole('dialog'))
  api.answer(NO_SHOW, { id: begun.id, no_show: true })
  api.answer(DAY, { as_of: NOW, appointments: [{ ...begun, no_show: true }] })
  await user.click(dialog.getByRole('button', { name: 'No-show' }))
  expect(await dialog.findByRole('button', { name: 'Undo no-show' })).toBeDefined()
  expect(dialog.getByText('No-show')).toBeDefined()
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('button', { name: /Ada Lovelace.*No-show/ })).toBeDefined()
  await waitFor(() => expect(readSavedDay(OWNER_ID, Date.parse(NOW))?.appointments[0]?.no_show).toBe(true))
})

test.each([
  [{ starts_at: '2026-12-01T11:00:01Z' }, /^You can report a delay from two hours before the start/],
  [{ customers: { ...makeAppointment().customers, email: null } }, /^This customer has no email address/],
  [{ delay: { minutes: 5, told: 3 } }, /^We’ve already told the customer three times/],
] as const)('a delay that cannot be told says why (%#)', async (over, reason) => {
  const { user } = open([makeAppointment(over)])
  await user.click(await screen.findByRole('button', { name: /Ada Lovelace/ }))
  expect(screen.getByText(reason)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Running late' })).toHaveProperty('disabled', true)
})

test('without a connection the last known day is there, marked as old, with what needs no server', async () => {
  open([makeAppointment()])
  await screen.findByText('Ada Lovelace')
  await waitFor(() => expect(localStorage.getItem(SAVED_DAY_KEY)).not.toBeNull())
  // The customer's notes are not saved.
  expect(localStorage.getItem(SAVED_DAY_KEY)).not.toContain('Since last week')
  cleanup()
  vi.setSystemTime(new Date('2026-12-01T12:00:00Z'))
  const again = vi.fn()
  stubApi({})
  const { user } = renderComponent(<OwnerDay ownerId={null} onTryAgain={again} />)
  expect(await screen.findByText('You’re offline. Showing the last saved day.')).toBeDefined()
  expect(screen.getByText(/3 hours ago/)).toBeDefined()
  expect(screen.getByText('Old')).toBeDefined()
  await user.click(screen.getByRole('button', { name: /Ada Lovelace/ }))
  expect(linkOf('Call')).toBe('tel:+442079460958')
  for (const name of ['Running late', 'Mark as Paid', 'View details'])
    expect(screen.queryByRole('button', { name })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(again).toHaveBeenCalledOnce()
})

test('each line of the day has the clock of its calendar', async () => {
  open([
    makeAppointment(),
    makeAppointment({
      id: '00000000-0000-4000-8000-000000000502',
      starts_at: '2026-12-01T15:00:00Z',
      ends_at: '2026-12-01T15:30:00Z',
      hour_cycle: 'h23',
      customers: { ...ADA, name: 'Alan Turing' },
    }),
  ])
  expect(await screen.findByRole('button', { name: /9:30 AM.*Ada Lovelace/ })).toBeDefined()
  expect(screen.getByRole('button', { name: /^15:00.*Alan Turing/ })).toBeDefined()
})

test('a kept day is one owner’s, and not for longer than two days', async () => {
  open([makeAppointment()])
  await waitFor(() => expect(localStorage.getItem(SAVED_DAY_KEY)).not.toBeNull())
  const at = (hours: number) => Date.parse(NOW) + hours * 3_600_000
  expect(readSavedDay(OWNER_ID, at(48))?.appointments).toHaveLength(1)
  expect(readSavedDay('00000000-0000-4000-8000-000000000002', at(0))).toBeNull()
  // Reading the day as a different owner has deleted it.
  expect(localStorage.getItem(SAVED_DAY_KEY)).toBeNull()
})

test('a day that is too old is forgotten', async () => {
  open([makeAppointment()])
  await waitFor(() => expect(localStorage.getItem(SAVED_DAY_KEY)).not.toBeNull())
  expect(readSavedDay(null, Date.parse(NOW) + 48 * 3_600_000 + 1)).toBeNull()
  expect(localStorage.getItem(SAVED_DAY_KEY)).toBeNull()
})

test('without a kept day it says that it could not be loaded', async () => {
  stubApi({ [DAY]: errorResponse('server.unavailable') })
  renderComponent(<OwnerDay ownerId={OWNER_ID} onTryAgain={() => undefined} />)
  expect(await screen.findByText('Failed to load appointments', {}, { timeout: 10_000 })).toBeDefined()
})

const ADA = makeAppointment().customers

function linkOf(name: string): string | null {
  return screen.getByRole('link', { name }).getAttribute('href')
}

/** Makes the times of a half-hour appointment in another time zone, in which its date is `date`. */
function at(starts_at: string, time_zone: string, date: string) {
  const ends_at = new Date(Date.parse(starts_at) + 30 * 60_000).toISOString()
  return { starts_at, ends_at, time_zone, date }
}

function open(appointments: AppointmentRow[]) {
  const api = stubApi({ [DAY]: { as_of: NOW, appointments } })
  return { api, ...renderComponent(<OwnerDay ownerId={OWNER_ID} onTryAgain={() => undefined} />) }
}
