import { expect, test } from 'vitest'
import { LIMITS } from '#contract/shared/limits.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { runHousekeeping } from '#server/records/housekeeping/jobs.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner, TEST_MONDAY } from '#tests/support/meridian.ts'
import { manageTokenOf, savePolicy } from '#tests/support/policies.ts'
import { addAppointment, addAppointmentType, connectStripe } from '#tests/support/stored-rows.ts'
import {
  joinFullyBookedCalendar,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
} from '#tests/support/waiting.ts'
import { insertRefusal } from './repository.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

const TEN = '2027-01-04T10:00:00Z'
const EARLY = '2027-01-09T06:10:00Z'

test('a refused booking is kept with all reasons, and without anything about the customer (rule T75)', async () => {
  await book(TEN, 201)
  await book(TEN)
  await book(EARLY)
  expect(await readRefusals()).toEqual([
    {
      id: expect.any(String),
      at: '2027-01-04T08:00:00.000Z',
      times: 1,
      starts_at: '2027-01-09T06:10:00.000Z',
      appointment_type_name: null,
      reasons: ['outside_hours'],
    },
    expect.objectContaining({ starts_at: '2027-01-04T10:00:00.000Z', reasons: ['busy'] }),
  ])
  const { rows } = await meridian.database.execute('select * from refusals where calendar_id = $1', [
    calendar.id,
  ])
  expect(JSON.stringify(rows)).not.toMatch(/grace|hopper|example|127\.0/i)
})

test('a refusal for another reason than the time is not kept, and neither is a booking', async () => {
  await book(TEN, 201)
  await addAppointmentType(meridian, calendar.id)
  await book(TEN, 400)
  expect(await readRefusals()).toEqual([])
})

test('a paused calendar, a checkout and a move by the customer leave a refusal, too', async () => {
  await savePolicy(meridian, owner, calendar, {
    moving: { kind: 'until', hours: 0, times: null },
    cancelling: { kind: 'by_request' },
    refunds: [],
  })
  const booked = await book(TEN, 201)
  const moved = await meridian.post(`/api/public/manage/${manageTokenOf(meridian, booked.json().id)}/move`, {
    starts_at: EARLY,
    expected_starts_at: TEN,
  })
  expect(moved.statusCode).toBe(409)

  await connectStripe(meridian, calendar.id)
  await owner.patch(`/api/calendars/${calendar.id}/payment-settings`, { payment_enabled: true })
  const appointment_type_id = await addAppointmentType(meridian, calendar.id, { price_cents: 5_000 })
  const checkout = await meridian.post(`/api/public/calendars/${calendar.slug}/checkouts`, {
    appointment_type_id,
    starts_at: TEN,
    customer: { name: 'Grace Hopper', email: 'grace@example.com' },
    provider: 'stripe',
  })
  expect(checkout.statusCode, checkout.body).toBe(409)

  await owner.patch(`/api/calendars/${calendar.id}`, { takes_bookings: false })
  expect((await bookAppointment(meridian, calendar.slug, { starts_at: TEN })).statusCode).toBe(409)
  expect(await readRefusals()).toMatchObject([
    { appointment_type_name: null, reasons: ['paused'] },
    { appointment_type_name: 'Consultation', reasons: ['busy'] },
    { starts_at: '2027-01-09T06:10:00.000Z', reasons: ['outside_hours'] },
  ])
})

test('a refused acceptance of an offer leaves a refusal, too', async () => {
  const [offering, other] = [
    await makeCalendar(meridian, owner, { person_name: '' }),
    await makeCalendar(meridian, owner, { person_name: '' }),
  ]
  const email = 'waits@example.com'
  await joinFullyBookedCalendar(meridian, offering.slug, { email, to_date: '2027-01-05' })
  const token = tokenInWaitingListEmail(await waitForOffer(meridian, email))
  const { rows } = await meridian.database.execute(
    'select starts_at from waiting_offers where calendar_id = $1',
    [offering.id],
  )
  const startsAt = new Date(String(rows[0]?.starts_at)).toISOString()
  await addAppointment(meridian, other.id, { startsAt })
  expectRefusal(await respondToOffer(meridian, token, 'acceptance'), 'waiting.time_taken')
  expect(await readRefusals(offering.id)).toMatchObject([
    { starts_at: startsAt, times: 1, reasons: ['busy'] },
  ])
})

test('the same refusal within an hour is one row with a count and the last time; later it is another', async () => {
  await book(EARLY)
  meridian.clock.ms = TEST_MONDAY + 12 * MINUTE_MS
  await book(EARLY)
  expect(await readRefusals()).toMatchObject([{ times: 2, at: '2027-01-04T08:12:00.000Z' }])
  meridian.clock.ms = TEST_MONDAY + HOUR_MS
  await book(EARLY)
  expect(await readRefusals()).toMatchObject([{ times: 1 }, { times: 2 }])
})

test('a calendar keeps the newest 5,000, and other calendars lose none', async () => {
  const other = (await owner.post('/api/calendars', { name: 'Other', color: '#123456' })).json()
  await insert(other.id, 0)
  await meridian.database.execute(
    `insert into refusals (calendar_id, number, at, starts_at, reasons)
     select $1, number, now(), now() + number * interval '1 minute', array['busy'] from generate_series(1, 4999) as number`,
    [calendar.id],
  )
  for (const minutes of [1, 2, 3]) await insert(calendar.id, minutes)
  const { rows } = await meridian.database.execute(
    'select count(*)::integer, min(number)::integer from refusals where calendar_id = $1',
    [calendar.id],
  )
  expect(rows).toEqual([{ count: LIMITS.refusalsPerCalendar, min: 3 }])
  expect(await readRefusals(other.id)).toHaveLength(1)
})

test('a refusal is deleted after 30 days, and with its calendar', async () => {
  const { db } = meridian.database
  await insert(calendar.id, 0)
  await runHousekeeping({ db, now: () => TEST_MONDAY + 30 * DAY_MS })
  expect(await readRefusals()).toHaveLength(1)
  await runHousekeeping({ db, now: () => TEST_MONDAY + 30 * DAY_MS + 1 })
  expect(await readRefusals()).toEqual([])
  await insert(calendar.id, 0)
  expect((await owner.delete(`/api/calendars/${calendar.id}`)).statusCode).toBe(204)
  const { rows } = await meridian.database.execute('select from refusals where calendar_id = $1', [
    calendar.id,
  ])
  expect(rows).toEqual([])
})

test('the list is paged without gaps, and nobody reads that of another owner (rule T76)', async () => {
  for (let minutes = 0; minutes < 45; minutes += 1) await insert(calendar.id, minutes)
  const starts: string[] = []
  let next: string | null = ''
  while (next !== null) {
    const page = await owner.get(`/api/calendars/${calendar.id}/refusals${next && `?before=${next}`}`)
    starts.push(...page.json().refusals.map(({ starts_at }: { starts_at: string }) => starts_at))
    next = page.json().next
  }
  expect(starts).toEqual([...new Set(starts)].sort().reverse())
  expect(starts).toHaveLength(45)
  const stranger = await makeOwner(meridian)
  expect((await stranger.get(`/api/calendars/${calendar.id}/refusals`)).statusCode).toBe(403)
})

async function book(starts_at: string, status = 409) {
  const answer = await bookAppointment(meridian, calendar.slug, { starts_at })
  expect(answer.statusCode, answer.body).toBe(status)
  return answer
}

function insert(calendarId: string, minutes: number): Promise<void> {
  const startsAtMs = TEST_MONDAY + minutes * MINUTE_MS
  return insertRefusal(
    meridian.database.db,
    { calendarId, typeId: null, startsAtMs, reasons: ['busy'] },
    new Date(TEST_MONDAY),
  )
}

async function readRefusals(id = calendar.id) {
  return (await owner.get(`/api/calendars/${id}/refusals`)).json().refusals
}
