import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { makeFakeProviders, startFirstCheckout } from '#tests/support/checkouts.ts'
import { makeConnectedOwner, waitUntilCalendarJobsFinish } from '#tests/support/connected-calendar.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { makeFakeCalendarProvider, PROVIDER_UNAVAILABLE } from '#tests/support/fake-calendar-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { bookAppointment, makeBookingBody, makeCalendar } from '#tests/support/meridian.ts'
import { HALF_REFUND_POLICY, manageTokenOf } from '#tests/support/policies.ts'
import { recordStatements } from '#tests/support/record-statements.ts'
import { addAppointment, addAppointmentType, connectStripe } from '#tests/support/stored-rows.ts'
import {
  joinFullyBookedCalendar,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
} from '#tests/support/waiting.ts'
import { syncConnection } from './sync-use-cases.ts'

let connected: Awaited<ReturnType<typeof makeConnectedOwner>>
let account: string
let accounts = 0
const recorder = recordStatements()
const google = makeFakeCalendarProvider({ hasPush: false })

/** Times on a Tuesday, in London. */
const TEN = '2027-01-05T10:00:00Z'
const HALF_PAST_NINE = '2027-01-05T09:30:00Z'
const TWO = '2027-01-05T14:00:00Z'

/** An event that the owner added within the last minute is found before anything is booked. Source: rule G7. */
setUpMeridian({ calendarProviders: { google }, providers: makeFakeProviders() })
afterAll(async () => {
  recorder.stop()
})
beforeEach(async () => {
  accounts += 1
  account = `emmy-${accounts}`
  connected = await makeConnectedOwner(meridian, account)
  await waitUntilCalendarJobsFinish(meridian)
  await syncConnection(meridian.deps, connected.connectionId)
})

type Way = {
  readonly name: string
  readonly refusal: ProblemCode
  /** Sets up the test. Returns the request to send once the owner has added an event at 10:00. */
  readonly prepare: () => Promise<() => Promise<LightMyRequestResponse>>
}

const ways: readonly Way[] = [
  {
    name: 'a customer books',
    refusal: 'booking.slot_unavailable',
    prepare: async () => () => bookAppointment(meridian, connected.slug, { starts_at: TEN }),
  },
  {
    name: 'a customer goes to pay',
    refusal: 'booking.slot_unavailable',
    async prepare() {
      const { calendarId, slug } = connected
      const typeId = await addAppointmentType(meridian, calendarId, { price_cents: 4_000 })
      await connectStripe(meridian, calendarId)
      return () => startFirstCheckout(meridian, { slug, typeId }, { starts_at: TEN })
    },
  },
  {
    name: 'the owner books',
    refusal: 'booking.slot_unavailable',
    prepare: async () => () =>
      asOwner('', { starts_at: TEN, customer: makeBookingBody().customer, outside_hours: true }),
  },
  {
    name: 'the owner restores an appointment',
    refusal: 'appointment.restore_conflict',
    async prepare() {
      const id = await addAppointment(meridian, connected.calendarId, { startsAt: TEN, status: 'cancelled' })
      return () => asOwner(`/${id}/actions`, { action: 'restore' })
    },
  },
  {
    name: 'the owner moves an appointment',
    refusal: 'appointment.move_conflict',
    async prepare() {
      const id = await addAppointment(meridian, connected.calendarId, { startsAt: TWO })
      return () => asOwner(`/${id}/move`, { starts_at: TEN, expected_starts_at: TWO, outside_hours: true })
    },
  },
  {
    name: 'a customer moves an appointment',
    refusal: 'booking.slot_unavailable',
    prepare: () => prepareMove({ startsAt: TWO }),
  },
  {
    name: 'a customer moves an appointment into its own time',
    refusal: 'booking.slot_unavailable',
    prepare: () => prepareMove({ startsAt: HALF_PAST_NINE, minutes: 60 }),
  },
  {
    name: 'somebody accepts a time that the waiting list holds for them',
    refusal: 'waiting.time_taken',
    async prepare() {
      const { calendarId, slug } = connected
      await meridian.database.execute(`delete from availability where calendar_id = $1`, [calendarId])
      await meridian.database.execute(
        `insert into availability (id, calendar_id, day_of_week, start_time, end_time)
          values (gen_random_uuid(), $1, 2, '10:00', '10:30')`,
        [calendarId],
      )
      const email = `waits-${account}@example.com`
      await joinFullyBookedCalendar(meridian, slug, { email, to_date: '2027-01-10' })
      const token = tokenInWaitingListEmail(await waitForOffer(meridian, email))
      return () => respondToOffer(meridian, token, 'acceptance')
    },
  },
]

/** Creates an appointment that its customer will move to 10:00. */
async function prepareMove(present: { readonly startsAt: string; readonly minutes?: number }) {
  const policy = JSON.stringify({ ...HALF_REFUND_POLICY, moving: { kind: 'until', hours: 0, times: null } })
  const id = await addAppointment(meridian, connected.calendarId, {
    ...present,
    policy,
    policy_text: 'Freely.',
  })
  const url = `/api/public/manage/${manageTokenOf(meridian, id)}/move`
  const payload = { starts_at: TEN, expected_starts_at: present.startsAt }
  return () => meridian.post(url, payload)
}

/** The tests below book on another calendar of the same person, which reads no external calendar. */
async function bookOnOther(): Promise<void> {
  const { owner, personName } = connected
  const { id: calendarId, slug } = await makeCalendar(meridian, owner, { person_name: personName })
  connected = { ...connected, calendarId, slug }
}

test.each(
  ways.flatMap((way) => [
    { ...way, where: '', begin: async () => {} },
    { ...way, where: ' on another calendar of the person (rule G31)', begin: bookOnOther },
  ]),
)('when $name$where, the provider is asked first', async ({ refusal, prepare, begin }) => {
  await begin()
  const act = await prepare()
  google.put(account, { startsAt: TEN, endsAt: '2027-01-05T11:00:00Z' })
  google.calls.length = 0
  meridian.clock.ms += 60_001
  expectRefusal(await act(), refusal)
  expect(google.calls.slice(0, 1)).toEqual(['readBusyTimes'])
})

const WARNING = 'Could not verify Google Calendar conflicts. Please check manually.'

/** Reasons why the external calendar cannot be checked. The copy is 70 seconds old in each case. */
const troubles: readonly (readonly [string, () => unknown])[] = [
  ['its provider answers with an error', () => google.failNext('readBusyTimes', PROVIDER_UNAVAILABLE)],
  [
    'its provider answers with an error and all times stay offered',
    async () => {
      await meridian.database.execute(
        `insert into external_calendar_settings (calendar_id, when_unchecked) values ($1, 'always_offer')
          on conflict (calendar_id) do update set when_unchecked = excluded.when_unchecked`,
        [connected.calendarId],
      )
      google.failNext('readBusyTimes', PROVIDER_UNAVAILABLE)
    },
  ],
  ['its account has expired', () => changeConnection(`state = 'expired'`)],
  ['its provider asked for a pause', () => changeConnection(`paused_until = now() + interval '9 years'`)],
  [
    'its provider does not list it any more',
    () =>
      meridian.database.execute('update external_calendars set missing_since = now() where id = $1', [
        connected.externalCalendarId,
      ]),
  ],
]

test.each(
  ways
    .filter(({ name }) => name.startsWith('the owner'))
    .flatMap((way) => troubles.map(([trouble, begin]) => ({ ...way, trouble, begin }))),
)(
  'when $name while $trouble, the answer asks them to check by hand (rule G28)',
  async ({ prepare, begin }) => {
    const act = await prepare()
    meridian.clock.ms += 70_000
    await begin()
    expect((await act()).json()).toMatchObject({ warning: WARNING })
  },
)

test.each(ways.filter(({ name }) => name.startsWith('the owner')))(
  'when $name on another calendar of the person, the answer also asks them to check by hand (rules G28 and G31)',
  async ({ prepare }) => {
    await bookOnOther()
    const act = await prepare()
    meridian.clock.ms += 70_000
    google.failNext('readBusyTimes', PROVIDER_UNAVAILABLE)
    expect((await act()).json()).toMatchObject({ warning: WARNING })
  },
)

test.each(ways.filter(({ name }) => name.startsWith('the owner')))(
  'when $name and the provider answers, no check by hand is needed',
  async ({ prepare }) => {
    const act = await prepare()
    meridian.clock.ms += 70_000
    expect((await act()).json()).toMatchObject({ warning: null })
  },
)

test('a repeated booking with the same key gets the same answer without a check', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const first = await bookAppointment(meridian, connected.slug, { starts_at: TEN }, key)
  expect(first.statusCode, first.body).toBe(201)
  google.calls.length = 0
  meridian.clock.ms += 60_001
  expect((await bookAppointment(meridian, connected.slug, { starts_at: TEN }, key)).json()).toEqual(
    first.json(),
  )
  expect(google.calls).toEqual([])
})

test('a booking that replaces an earlier hold checks external calendars once', async () => {
  await meridian.database.execute('update calendars set email_confirmation_required = true where id = $1', [
    connected.calendarId,
  ])
  expect((await bookAppointment(meridian, connected.slug, { starts_at: TEN })).statusCode).toBe(201)
  const statements = await recorder.during(async () => {
    expect((await bookAppointment(meridian, connected.slug, { starts_at: TWO })).statusCode).toBe(201)
  })
  expect(statements.filter(({ text }) => text.includes('external.checked_from'))).toHaveLength(1)
  const { rows } = await meridian.database.execute(
    'select starts_at from appointments where calendar_id = $1 and released_at is null',
    [connected.calendarId],
  )
  expect(rows).toEqual([{ starts_at: new Date(TWO) }])
})

test('an action that takes no new time causes no check', async () => {
  const { calendarId } = connected
  const id = await addAppointment(meridian, calendarId, { startsAt: TEN, status: 'cancelled' })
  google.calls.length = 0
  meridian.clock.ms += 60_001
  expectRefusal(await asOwner(`/${id}/actions`, { action: 'refund' }), 'appointment.action_not_offered')
  expect(google.calls).toEqual([])
})

function changeConnection(change: string): Promise<unknown> {
  return meridian.database.execute(`update calendar_connections set ${change} where id = $1`, [
    connected.connectionId,
  ])
}

function asOwner(path: string, payload: object): Promise<LightMyRequestResponse> {
  return meridian.request({
    method: 'POST',
    url: `/api/calendars/${connected.calendarId}/appointments${path}`,
    cookie: connected.owner.cookie,
    headers: { 'idempotency-key': randomUUID() },
    payload,
  })
}
