import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { ProblemCode } from '#contract/shared/problem.ts'
import type { StartReason } from '#core/slots/explain-start.ts'
import { makeFakeProviders, startFirstCheckout } from '#tests/support/checkouts.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { bookAppointment } from '#tests/support/meridian.ts'
import { HALF_REFUND_POLICY, manageTokenOf, savePolicy } from '#tests/support/policies.ts'
import { addAppointmentType, connectStripe } from '#tests/support/stored-rows.ts'
import {
  joinFullyBookedCalendar,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
  waitUntilScansFinish,
} from '#tests/support/waiting.ts'

/** Tuesday, in London. It is 8:00: an offer of a time on the same day is not held, so all rules hold for its acceptance. */
const NOW = Date.parse('2027-01-05T08:00:00Z')
const TEN = '2027-01-05T10:00:00Z'
const NOON = '2027-01-05T12:00:00Z'
const TWO = '2027-01-05T14:00:00Z'

const env = { DEFAULT_PLAN: 'enterprise', BUDGETS: GENEROUS_BUDGETS }
setUpCalendar({ env, providers: makeFakeProviders(), calendar: 'file' })

let typeId: string
/** The appointment at two o’clock, which its customer moves. */
let moved: string
/** An offer of ten o’clock. */
let offer: { readonly id: string; readonly token: string }

beforeAll(async () => {
  meridian.clock.ms = NOW
  typeId = await addAppointmentType(meridian, calendar.id, { price_cents: 4_000 })
  await connectStripe(meridian, calendar.id)
  const moving = { kind: 'until', hours: 0, times: null }
  await expectSuccess(savePolicy(meridian, owner, calendar, { ...HALF_REFUND_POLICY, moving }))
  for (const starts_at of [NOON, TWO]) {
    const booked = await bookAppointment(meridian, calendar.slug, { starts_at, appointment_type_id: typeId })
    moved = booked.json().id
  }
  await changeType({ hours: [{ day_of_week: 2, start_time: '10:00', end_time: '10:30' }] })
  const email = 'waits@example.com'
  const place = { email, appointment_type_id: typeId, from_date: '2027-01-05', to_date: '2027-01-05' }
  await joinFullyBookedCalendar(meridian, calendar.slug, place)
  const token = tokenInWaitingListEmail(await waitForOffer(meridian, email))
  const { id } = await meridian.database.db
    .selectFrom('waiting_offers')
    .select('id')
    .where('calendar_id', '=', calendar.id)
    .executeTakeFirstOrThrow()
  offer = { id, token }
})
beforeEach(async () => {
  meridian.clock.ms = NOW
  await changeType({ hours: [], start_step_minutes: null, is_packed: false })
  const none = { booking_window: { kind: 'none' }, booking_limits: [], minimum_notice_minutes: 0 }
  await changeCalendar(none)
  await meridian.database.execute('delete from refusals where calendar_id = $1', [calendar.id])
})

type Rule = {
  readonly name: string
  readonly reason: StartReason
  readonly customerReads: ProblemCode
  readonly ownerReads: ProblemCode
  readonly set: () => Promise<void>
}

const unavailable = 'booking.slot_unavailable'
const rules: readonly Rule[] = [
  {
    name: 'the notice',
    reason: 'short_notice',
    customerReads: unavailable,
    ownerReads: 'booking.short_notice',
    set: () => changeCalendar({ minimum_notice_minutes: 180 }),
  },
  {
    name: 'the window',
    reason: 'window',
    customerReads: unavailable,
    ownerReads: 'booking.outside_window',
    set: () => changeCalendar({ booking_window: { kind: 'until', until: '2027-01-04' } }),
  },
  {
    name: 'the hours of the type',
    reason: 'outside_type_hours',
    customerReads: unavailable,
    ownerReads: 'booking.outside_type_hours',
    set: () => changeType({ hours: [{ day_of_week: 2, start_time: '14:00', end_time: '15:00' }] }),
  },
  {
    name: 'the step of the type',
    reason: 'off_grid',
    customerReads: unavailable,
    ownerReads: 'booking.off_grid',
    set: () => changeType({ start_step_minutes: 240 }),
  },
  {
    name: 'a packed type',
    reason: 'off_grid',
    customerReads: unavailable,
    ownerReads: 'booking.off_grid',
    set: () => changeType({ start_step_minutes: 240, is_packed: true }),
  },
  {
    name: 'a limit',
    reason: 'limit',
    customerReads: 'booking.fully_booked',
    ownerReads: 'booking.limit_reached',
    set: () => changeCalendar({ booking_limits: [{ most: 1, unit: 'appointments', period: 'day' }] }),
  },
]

type Way = {
  readonly name: string
  readonly take: () => Promise<LightMyRequestResponse>
  /** What the customer reads, if not the rule’s own sentence. */
  readonly reads?: ProblemCode
}

const ways: readonly Way[] = [
  {
    name: 'a customer books',
    take: () => bookAppointment(meridian, calendar.slug, { starts_at: TEN, appointment_type_id: typeId }),
  },
  {
    name: 'a customer goes to pay',
    take: () => startFirstCheckout(meridian, { ...calendar, typeId }, { starts_at: TEN }),
  },
  {
    name: 'a customer moves an appointment',
    take: () => {
      const body = { starts_at: TEN, expected_starts_at: TWO }
      return meridian.post(`/api/public/manage/${manageTokenOf(meridian, moved)}/move`, body)
    },
  },
  {
    name: 'a customer accepts an offer',
    reads: 'waiting.time_taken',
    take: async () => {
      // An offer that can’t be accepted ends, and a scan may have offered another time since.
      await waitUntilScansFinish(meridian)
      const { db } = meridian.database
      await db
        .deleteFrom('waiting_offers')
        .where('calendar_id', '=', calendar.id)
        .where('id', '<>', offer.id)
        .execute()
      await db
        .updateTable('waiting_offers')
        .set({ state: 'open', ended_at: null })
        .where('id', '=', offer.id)
        .execute()
      return respondToOffer(meridian, offer.token, 'acceptance')
    },
  },
]

test.each(rules.flatMap((rule) => ways.map((way) => ({ rule, way }))))(
  '$rule.name stands in the way when $way.name',
  async ({ rule, way }) => {
    await rule.set()
    expectRefusal(await way.take(), way.reads ?? rule.customerReads)
    const { refusals } = (await owner.get(`/api/calendars/${calendar.id}/refusals`)).json()
    expect(refusals).toMatchObject([{ starts_at: TEN.replace('Z', '.000Z'), reasons: [rule.reason] }])
  },
)

test.each(rules)('$name asks the owner who books, and does not stop them', async ({ set, ownerReads }) => {
  await set()
  expectRefusal(await bookAsOwner(), ownerReads)
  expect((await bookAsOwner({ outside_hours: true })).statusCode).toBe(201)
  await freeTime()
})

test.each([...ways, { name: 'the owner books', take: () => bookAsOwner() }])(
  'without such a rule nothing is refused when $name',
  async ({ take }) => {
    await expectSuccess(take())
    await freeTime()
  },
)

function bookAsOwner(more: Record<string, unknown> = {}): Promise<LightMyRequestResponse> {
  return meridian.request({
    method: 'POST',
    url: `/api/calendars/${calendar.id}/appointments`,
    cookie: owner.cookie,
    headers: { 'idempotency-key': randomUUID() },
    payload: { starts_at: TEN, appointment_type_id: typeId, customer: { name: 'Ada' }, ...more },
  })
}

function changeCalendar(settings: Record<string, unknown>): Promise<void> {
  return expectSuccess(owner.patch(`/api/calendars/${calendar.id}/slot-settings`, settings))
}

function changeType(fields: Record<string, unknown>): Promise<void> {
  return expectSuccess(owner.patch(`/api/calendars/${calendar.id}/appointment-types/${typeId}`, fields))
}

async function expectSuccess(answer: Promise<LightMyRequestResponse>): Promise<void> {
  const { statusCode, body } = await answer
  expect(statusCode, body).toBeLessThan(300)
}

/** Cancels what was booked at ten o’clock. */
async function freeTime(): Promise<void> {
  const cancelled = `update appointments set status = 'cancelled' where calendar_id = $1 and starts_at = $2`
  await meridian.database.execute(cancelled, [calendar.id, TEN])
}
