import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '#core/shared/duration.ts'
import { runManyChange } from '#server/areas/appointments/whole-days/jobs.ts'
import {
  makeFakeProviders,
  makePaidCalendar,
  type PaidCalendar,
  settlePayment,
  startCheckout,
  waitForPayment,
} from '#tests/support/checkouts.ts'
import { readBulkChangeSummaryEmail } from '#tests/support/many-changes.ts'
import {
  bookAppointment,
  makeOwner,
  TEST_MONDAY,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { HALF_REFUND_POLICY, manageTokenOf, savePolicy } from '#tests/support/policies.ts'
import { queryRows, waitUntil, waitUntilEmailsSent } from '#tests/support/race-track.ts'

const ROUNDS = 5
const DATE = '2027-01-06'
/** When the calendar opens on that day. */
const FIRST = `${DATE}T09:00:00.000Z`
const LATER = '2027-01-07T09:00:00.000Z'

/**
 * An appointment's state after one of two changes came first. `told`: the number of messages about a move and about a
 * cancellation.
 */
const MOVED = {
  status: 'confirmed',
  startsAt: LATER,
  reasons: ['It has been moved.'],
  told: [1, 0],
} as const
const CANCELLED = { status: 'cancelled', startsAt: FIRST, reasons: [], told: [0, 1] } as const

testOnEachDatabaseSetup(({ start }) => {
  const providers = makeFakeProviders()
  let meridian: TestMeridian
  let owner: TestOwner

  beforeAll(async () => {
    meridian = await start({ providers, env: { DEFAULT_PLAN: 'enterprise' } })
    owner = await makeOwner(meridian)
  })
  afterAll(() => meridian.stop())

  test('of a customer, the owner and the job of a whole day that cancel one appointment at once, one does: the money goes back once, and everybody is told once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const calendar = await makePaidCalendar(meridian, owner)
      await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
      meridian.clock.ms = TEST_MONDAY
      const { id, checkoutId } = await startCheckout(meridian, calendar, { starts_at: FIRST })
      providers.stripe.pay(checkoutId)
      await settlePayment(meridian, id)
      await waitUntilEmailsSent(meridian.database)
      // The cancellation policy refunds half; cancelling the whole day refunds everything.
      meridian.clock.ms = Date.parse(FIRST) - 30 * HOUR_MS
      const sequence = Number((await readAppointment(id)).sequence)
      const change = await beginChange(calendar, { kind: 'cancel', refund: 'all' })
      const [alone, byOwner] = await Promise.all([
        askAsCustomer(id, '/cancel', { way: 'alone', refund_amount: 20 }),
        askAsOwner(calendar, `/appointments/${id}/actions`, {
          action: 'cancel',
          was: { status: 'confirmed', payment_status: 'paid' },
        }),
        runManyChange(meridian.deps, change),
      ])
      expect([200, 409], alone.body).toContain(alone.statusCode)
      expect([200, 409], byOwner.body).toContain(byOwner.statusCode)
      await waitUntilFinished(calendar, change)
      const { payment } = await waitForPayment(meridian, id, ({ refunded_cents }) => refunded_cents > 0)
      const row = await readAppointment(id)
      expect(row).toMatchObject({ status: 'cancelled', sequence: sequence + 1 })
      expect([2_000, 4_000]).toContain(payment.refunded_cents)
      expect(payment.refunded_cents).toBe(row.refund_due_cents)
      expect(providers.stripe.checkouts.get(checkoutId)?.state).toMatchObject({
        refundedCents: payment.refunded_cents,
      })
      await waitUntilEmailsSent(meridian.database)
      expect(await readMessages(id, 'cancelled')).toEqual(['sent'])
      expect(await countLines(id, 'cancelled')).toBeLessThanOrEqual(1)
    }
  })

  test('of a customer who moves an appointment and the job of a whole day that cancels it, one comes first: it is moved, or cancelled at its time', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const calendar = await makePaidCalendar(meridian, owner)
      meridian.clock.ms = TEST_MONDAY
      const free = { appointment_type_id: calendar.typeId }
      const { id } = (await bookAppointment(meridian, calendar.slug, { ...free, starts_at: FIRST })).json()
      const change = await beginChange(calendar, { kind: 'cancel', refund: 'all' })
      const [moved] = await Promise.all([
        askAsCustomer(id, '/move', { starts_at: LATER, expected_starts_at: FIRST }),
        runManyChange(meridian.deps, change),
      ])
      await waitUntilFinished(calendar, change)
      const { status, startsAt, reasons, told } = moved.statusCode === 200 ? MOVED : CANCELLED
      const row = await readAppointment(id)
      expect(row, moved.body).toMatchObject({ status, starts_at: new Date(startsAt), sequence: 1 })
      const { done, skipped } = await readProgress(calendar, change)
      expect(done).toBe(1 - reasons.length)
      expect(skipped.map(({ reason }: { reason: string }) => reason)).toEqual(reasons)
      await waitUntilEmailsSent(meridian.database)
      const about = [await readMessages(id, 'moved'), await readMessages(id, 'cancelled')]
      expect(about.map(({ length }) => length)).toEqual(told)
    }
  })

  type Change = { readonly calendarId: string; readonly changeId: string }

  /** The change's job is also queued, so either the test or a worker runs it, whichever comes first. */
  async function beginChange(calendar: PaidCalendar, body: object): Promise<Change> {
    const changeId = randomUUID()
    const days = { from: DATE, to: DATE }
    const digest = await readBulkChangeSummaryEmail(meridian, owner, { ...days, calendarId: calendar.id })
    const payload = { ...body, ...days, id: changeId, message: 'Ill.', digest }
    const answer = await askAsOwner(calendar, '/many-changes', payload)
    expect(answer.statusCode, answer.body).toBe(202)
    return { calendarId: calendar.id, changeId }
  }

  async function waitUntilFinished(calendar: PaidCalendar, change: Change): Promise<void> {
    await waitUntil(async () => (await readProgress(calendar, change)).finished_at !== null)
  }

  async function readProgress({ id }: PaidCalendar, { changeId }: Change) {
    return (await owner.get(`/api/calendars/${id}/many-changes/${changeId}`)).json()
  }

  function askAsOwner({ id }: PaidCalendar, path: string, payload: object) {
    return owner.post(`/api/calendars/${id}${path}`, payload)
  }

  function askAsCustomer(id: string, path: string, payload: object) {
    return meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}${path}`, payload)
  }

  async function readAppointment(id: string): Promise<Record<string, unknown>> {
    const text = 'select status, sequence, starts_at, refund_due_cents from appointments where id = $1'
    return (await queryRows(meridian.database, text, [id]))[0] ?? {}
  }

  async function readMessages(id: string, kind: string): Promise<unknown[]> {
    const text = 'select state from appointment_messages where appointment_id = $1 and kind = $2'
    return (await queryRows(meridian.database, text, [id, kind])).map(({ state }) => state)
  }

  async function countLines(id: string, kind: string): Promise<number> {
    const text = 'select 1 from appointment_history where appointment_id = $1 and kind = $2'
    return (await queryRows(meridian.database, text, [id, kind])).length
  }
})
