import { randomUUID } from 'node:crypto'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type { CustomerAppointment } from '#contract/appointments/customer-page.ts'
import type { BulkChangePreview } from '#contract/appointments/whole-days.ts'
import { HOLD_MS } from '#core/appointments/hold.ts'
import type { Policy } from '#core/appointments/policy.ts'
import { runManyChange } from '#server/areas/appointments/whole-days/jobs.ts'
import { releaseExpiredHolds } from '#server/areas/payments/checkouts/end-checkouts.ts'
import { runRefundJob, syncRefundsFromProvider } from '#server/areas/payments/checkouts/refund-payment.ts'
import { writeWaitingLink } from '#server/areas/waiting-list/read-waiting-link.ts'
import { scanWaitingList } from '#server/areas/waiting-list/scan-waiting-list.ts'
import { sendAppointmentMail } from '#server/messages/queue/jobs.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { PaymentProviderError, type PaymentProviderName } from '#server/ports/payment-provider.ts'
import { PAYMENT_REFUND_JOB } from '#server/records/ledger/refund-job.ts'
import { sendAppointmentAction } from './act-on.ts'
import type { ArbitraryChange, ChangeKind } from './any-change.ts'
import { settlePayment, startFirstCheckout } from './checkouts.ts'
import { type FakeProvider, REFUND_REFUSED } from './fake-payment-provider.ts'
import { bookAppointment, makeCalendar, TEST_MONDAY, type TestMeridian, type TestOwner } from './meridian.ts'
import { manageTokenOf, savePolicy } from './policies.ts'
import { queryRows } from './race-track.ts'
import { addAppointmentType, connectStripe } from './stored-rows.ts'
import { makeWaitingRequestBody, respondToOffer } from './waiting.ts'

/** A practice with one open day, on which owners, customers, providers and workers make changes in any order. */
export type PracticeUnderTest = {
  readonly meridian: TestMeridian
  readonly owner: TestOwner
  readonly providers: Readonly<Record<PaymentProviderName, FakeProvider>>
  readonly calendar: { readonly id: string; readonly slug: string; readonly typeId: string }
  /** The number of erasures of each person. A person who books again after an erasure counts as somebody new. */
  readonly erasures: number[]
  /** Erased email addresses, each with the number of emails that had been sent by then. */
  readonly erased: Map<string, number>
  /** The recipient of each email, oldest first. */
  readonly mailed: string[]
}

/** A Friday far enough ahead that customers can move and cancel for days. Open from 10:00 to 13:00. */
const DATE = '2027-01-08'
const FIRST_MS = Date.parse(`${DATE}T10:00:00Z`)
/** The policy refunds 33 % or 67 % of this price, which is not a whole number of cents, so that refunds have to be rounded. */
const PRICE_CENTS = 3_333

export async function makePracticeUnderTest(
  base: Pick<PracticeUnderTest, 'meridian' | 'owner' | 'providers'>,
  policy: Policy,
): Promise<PracticeUnderTest> {
  const { meridian, owner } = base
  meridian.clock.ms = TEST_MONDAY
  const { db } = meridian.database
  const { id, slug } = await makeCalendar(meridian, owner)
  const typeId = await addAppointmentType(meridian, id, { price_cents: PRICE_CENTS })
  await connectStripe(meridian, id)
  const paypal_client_secret_encrypted = meridian.deps.secrets.seal('secret', `paypal:${id}`)
  const app = { paypal_merchant_id: 'merchant', paypal_client_id: 'client', paypal_client_secret_encrypted }
  await db
    .updateTable('payment_settings')
    .set({ paypal_connected: true, ...app })
    .where('calendar_id', '=', id)
    .execute()
  await db.deleteFrom('availability').where('calendar_id', '=', id).execute()
  await db
    .insertInto('availability')
    .values({ calendar_id: id, id: randomUUID(), day_of_week: 5, start_time: '10:00', end_time: '13:00' })
    .execute()
  await savePolicy(meridian, owner, { id }, policy)
  return {
    ...base,
    calendar: { id, slug, typeId },
    erasures: [0, 0, 0],
    erased: new Map(),
    mailed: [],
  }
}

/** Makes one change. Returns true when it took effect: many changes are refused, or find nothing to change. */
export function applyPracticeChange(practice: PracticeUnderTest, change: ArbitraryChange): Promise<boolean> {
  // The table maps each kind to the function that takes changes of that kind.
  const take = TAKE[change.kind] as (practice: PracticeUnderTest, change: ArbitraryChange) => Promise<boolean>
  return take(practice, change)
}

/** Finishes all outstanding work of workers and providers. */
export async function finishOutstandingWork(practice: PracticeUnderTest): Promise<void> {
  const { meridian, calendar } = practice
  await letPass(practice, HOLD_MS)
  await releaseExpiredHolds(meridian.deps)
  await scanWaitingList(meridian.deps, calendar.id)
  // Twice, because the first attempt may meet the refusal that a test has prepared.
  for (let round = 0; round < 2; round += 1) await workOnRefunds(practice)
}

type TakeOf<Kind extends ChangeKind> = (
  practice: PracticeUnderTest,
  change: Extract<ArbitraryChange, { kind: Kind }>,
) => Promise<boolean>

const TAKE: { readonly [Kind in ChangeKind]: TakeOf<Kind> } = {
  async book(practice, { slot, person }) {
    const { meridian, calendar } = practice
    return isDone(await bookAppointment(meridian, calendar.slug, toBooking(practice, slot, person)))
  },

  async check_out(practice, { slot, person, provider, ending }) {
    const { meridian, calendar } = practice
    const begun = await startFirstCheckout(meridian, calendar, {
      ...toBooking(practice, slot, person),
      provider,
    })
    if (!isDone(begun)) return false
    if (ending === 'late') {
      await letPass(practice, HOLD_MS)
      await releaseExpiredHolds(meridian.deps)
    }
    if (ending !== 'left') await pay(practice, begun.json())
    return true
  },

  move: (practice, { index, slot }) =>
    withAppointment(practice, index, async ({ id, starts_at }) => {
      const payload = { ...toMove(starts_at, slot), outside_hours: true }
      return isDone(await askAsOwner(practice, 'POST', `/appointments/${id}/move`, payload))
    }),

  move_by_customer: (practice, { index, slot }) =>
    withAppointment(practice, index, async (row) =>
      isDoneByCustomer(row, await askAsCustomer(practice, row, 'POST', '/move', toMove(row.starts_at, slot))),
    ),

  act: (practice, { index, action, refundAmount }) =>
    withAppointment(practice, index, async ({ id, status, payment_status }) => {
      const refund = action === 'cancel' && refundAmount !== null ? { refund_amount: refundAmount } : {}
      return isDone(
        await sendAppointmentAction(practice, id, { action, was: { status, payment_status }, ...refund }),
      )
    }),

  cancel_by_customer: (practice, { index }) =>
    withAppointment(practice, index, async (row) => {
      const seen = await askAsCustomer(practice, row, 'GET', '')
      if (!isDoneByCustomer(row, seen)) return false
      const { way, refund } = seen.json<CustomerAppointment>().cancellation
      if (way === 'none') return false
      const payload = { way, refund_amount: refund?.amount ?? null }
      const cancelled = await askAsCustomer(practice, row, 'POST', '/cancel', payload)
      expect(cancelled.statusCode, cancelled.body).toBe(200)
      if (way === 'alone') await expectPromised(practice, row.id, refund?.amount ?? 0)
      return true
    }),

  cancel_day: (practice, { refund }) => changeDay(practice, { kind: 'cancel', refund }),
  offer_day: (practice) => changeDay(practice, { kind: 'offer' }),

  async wait_for_time(practice, { person }) {
    const { name, email } = toCustomer(practice, person)
    const { typeId: appointment_type_id } = practice.calendar
    const wish = { name, email, appointment_type_id, from_date: DATE, to_date: DATE }
    return isDone(await askAsOwner(practice, 'POST', '/waiting-list', makeWaitingRequestBody(wish)))
  },

  async offer_what_is_free(practice) {
    const before = await countOffers(practice)
    await scanWaitingList(practice.meridian.deps, practice.calendar.id)
    return (await countOffers(practice)) > before
  },

  async offer_by_hand(practice, { index, slot }) {
    const entry = pick(await listEntries(practice, 'waiting'), index)
    if (entry === undefined) return false
    const payload = { starts_at: timeOf(slot) }
    return isDone(await askAsOwner(practice, 'POST', `/waiting-list/${entry}/offer`, payload))
  },

  async withdraw_offer(practice, { index }) {
    const entry = pick(await listEntries(practice, 'offered'), index)
    if (entry === undefined) return false
    return isDone(await askAsOwner(practice, 'DELETE', `/waiting-list/${entry}/offer`))
  },

  async answer_offer(practice, { index, answer: said }) {
    const { meridian } = practice
    const offer = pick(await listOffers(practice), index)
    if (offer === undefined) return false
    const token = writeWaitingLink(meridian.deps.signer, { about: 'offer', id: offer.id, rotation: 0 })
    const answered = await (said === 'payment'
      ? respondToOffer(meridian, token, 'acceptance', { provider: 'stripe' })
      : respondToOffer(meridian, token, said))
    if (!isDone(answered)) return false
    const isOver = offer.state === 'open' && offer.expires_at.getTime() <= meridian.clock.ms
    if (said === 'acceptance' || said === 'payment') expect(isOver, 'accepted after its end').toBe(false)
    const accepted: { outcome?: string; url?: string } = said === 'refusal' ? {} : toBody(answered)
    if (accepted.outcome === 'pay' && accepted.url !== undefined) await payAt(practice, accepted.url)
    return true
  },

  async let_offer_end(practice) {
    const { meridian, calendar } = practice
    const [offer] = await listOffers(practice)
    if (offer?.state !== 'open') return false
    await letPass(practice, Math.max(0, offer.expires_at.getTime() - meridian.clock.ms))
    await scanWaitingList(meridian.deps, calendar.id)
    return true
  },

  async erase(practice, { index }) {
    const { database, clock } = practice.meridian
    const customers = await queryRows(
      database,
      `select c.id, c.email from customers c where calendar_id = $1 and erased_at is null order by exists (
         select from appointments a where a.calendar_id = c.calendar_id and a.customer_id = c.id
           and a.ends_at > $2 and a.status <> 'cancelled' and a.released_at is null
       ), client_id`,
      [practice.calendar.id, new Date(clock.ms)],
    )
    const customer = pick(customers, index)
    if (customer === undefined) return false
    if (!isDone(await askAsOwner(practice, 'DELETE', `/customers/${customer.id}/record`))) return false
    const email = String(customer.email)
    practice.erased.set(email, practice.mailed.length)
    const person = Number(/^person-(\d)/.exec(email)?.[1])
    practice.erasures[person] = (practice.erasures[person] ?? 0) + 1
    return true
  },

  async refuse_next_refund({ providers }) {
    for (const fake of Object.values(providers)) fake.failNext('refund', REFUND_REFUSED)
    return true
  },

  work_on_refunds: (practice) => workOnRefunds(practice),

  async refund_at_provider(practice, { index, cents }) {
    const paid = pick(
      (await listPayments(practice)).filter(({ payment }) => payment?.status === 'paid'),
      index,
    )
    if (paid?.payment?.status !== 'paid') return false
    const { amountCents, refundedCents } = paid.payment
    const goesBack = Math.min(cents, amountCents - refundedCents - paid.by_hand_cents)
    if (goesBack <= 0) return false
    practice.providers[paid.provider].refundInDashboard(paid.checkout_id, goesBack)
    await syncRefundsFromProvider(practice.meridian.deps, { calendar_id: practice.calendar.id, id: paid.id })
    return true
  },

  async settle_refund(practice, { index, way }) {
    const owed = (await listPayments(practice)).filter(
      ({ status, return_cents, refunded_cents }) =>
        status === 'completed' && (return_cents ?? 0) > refunded_cents,
    )
    const id = pick(owed, index)?.appointment_id
    if (id === undefined) return false
    return isDone(await askAsOwner(practice, 'POST', `/appointments/${id}/refund`, { way }))
  },

  async send_message(practice, { index }) {
    const { meridian, calendar, mailed } = practice
    const waiting = await queryRows(
      meridian.database,
      `select id, repeat from appointment_messages where calendar_id = $1 and state = 'queued' order by created_at, id`,
      [calendar.id],
    )
    const message = pick(waiting, index)
    if (message === undefined) return false
    const before = mailed.length
    const mailer: Mailer = {
      send: async ({ to }) => {
        mailed.push(to.address)
      },
      close: async () => {},
    }
    const job = { calendarId: calendar.id, messageId: String(message.id), repeat: Number(message.repeat) }
    await sendAppointmentMail({ ...meridian.deps, mailer }, job)
    return mailed.length > before
  },

  async wait(practice, { ms }) {
    await letPass(practice, ms)
    await releaseExpiredHolds(practice.meridian.deps)
    return true
  },
}

/**
 * Lets time pass. Waiting-list scans use the database's clock, which the tests do not set, so their request times are moved back
 * instead.
 */
async function letPass({ meridian, calendar }: PracticeUnderTest, ms: number): Promise<void> {
  meridian.clock.ms += ms
  const pass = `update waiting_looks set asked_at = asked_at - make_interval(secs => $2) where calendar_id = $1`
  await meridian.database.execute(pass, [calendar.id, ms / 1_000])
}

type AppointmentRow = {
  readonly id: string
  readonly starts_at: Date
  readonly status: string
  readonly payment_status: string
  readonly is_erased: boolean
}

/**
 * Runs `take` with an appointment. Rows are sorted by booking reference, in order of creation, so that a failed sequence fails
 * again.
 */
async function withAppointment(
  { meridian, calendar }: PracticeUnderTest,
  index: number,
  take: (row: AppointmentRow) => Promise<boolean>,
): Promise<boolean> {
  const rows = await queryRows(
    meridian.database,
    `select a.id, a.starts_at, a.status, a.payment_status, c.erased_at is not null as is_erased
     from appointments a join customers c on c.calendar_id = a.calendar_id and c.id = a.customer_id
     where a.calendar_id = $1 and a.released_at is null order by a.booking_reference`,
    [calendar.id],
  )
  // The type matches the selected columns.
  const row = pick(rows as unknown as AppointmentRow[], index)
  return row === undefined ? false : take(row)
}

type DayChange = { readonly kind: 'cancel'; readonly refund: 'all' | 'policy' } | { readonly kind: 'offer' }

async function changeDay(practice: PracticeUnderTest, change: DayChange): Promise<boolean> {
  const days = { from: DATE, to: DATE }
  const effect = await askAsOwner(practice, 'GET', `/many-changes/effect?${new URLSearchParams(days)}`)
  const changeId = randomUUID()
  const { appointments, digest } = effect.json<BulkChangePreview>()
  if (appointments.length === 0) return false
  // Frees the times for the waiting list, so that offers can meet every other change.
  const payload = { ...days, ...change, id: changeId, message: 'Ill.', digest, for_waiting_list: true }
  if (!isDone(await askAsOwner(practice, 'POST', '/many-changes', payload))) return false
  const { meridian, calendar } = practice
  await runManyChange(meridian.deps, { calendarId: calendar.id, changeId })
  if (change.kind === 'offer') return true
  // Each customer must be refunded the amount that the owner was shown before the change.
  for (const { id, paid, refund_by_policy } of appointments) {
    await expectPromised(practice, id, (change.refund === 'all' ? paid : refund_by_policy) ?? 0)
  }
  return true
}

/** Runs every refund job, including those that failed before, which the queue would retry. */
async function workOnRefunds({ meridian, calendar, providers }: PracticeUnderTest): Promise<boolean> {
  const jobs = await queryRows(
    meridian.database,
    `select distinct data ->> 'paymentId' as id from pgboss.job where name = $1 and data ->> 'calendarId' = $2 order by 1`,
    [PAYMENT_REFUND_JOB.name, calendar.id],
  )
  const countReturned = () => Object.values(providers).reduce((sum, { refunds }) => sum + refunds.size, 0)
  const before = countReturned()
  for (const { id } of jobs) {
    await runRefundJob(meridian.deps, { calendarId: calendar.id, paymentId: String(id) }).catch(
      (error: unknown) => {
        if (!(error instanceof PaymentProviderError)) throw error
      },
    )
  }
  return countReturned() > before
}

/** A payment as stored, with its state at the provider. */
export type LedgerRow = {
  readonly id: string
  readonly appointment_id: string
  readonly provider: PaymentProviderName
  readonly checkout_id: string
  readonly status: string
  readonly amount_cents: number
  readonly refunded_cents: number
  readonly by_hand_cents: number
  readonly return_cents: number | null
}

/** Lists the practice's payments that went through a provider. */
export async function listPayments({ meridian, calendar, providers }: PracticeUnderTest) {
  const rows = await queryRows(
    meridian.database,
    `select * from payment_transactions where calendar_id = $1 and provider <> 'manual' order by created_at, id`,
    [calendar.id],
  )
  // The type matches the selected columns.
  return (rows as unknown as LedgerRow[]).map((row) => ({
    ...row,
    payment: providers[row.provider].checkouts.get(row.checkout_id)?.state,
  }))
}

/** The customer pays, and returns from the provider. */
async function pay(
  practice: PracticeUnderTest,
  { url, appointment_id }: { url: string; appointment_id: string },
) {
  payHere(practice, url)
  await settlePayment(practice.meridian, appointment_id)
}

async function payAt(practice: PracticeUnderTest, url: string): Promise<void> {
  payHere(practice, url)
  const checkoutId = toCheckoutId(url)
  const payment = (await listPayments(practice)).find(({ checkout_id }) => checkout_id === checkoutId)
  if (payment !== undefined) await settlePayment(practice.meridian, payment.appointment_id)
}

function payHere({ providers }: PracticeUnderTest, url: string): void {
  const id = toCheckoutId(url)
  // PayPal only reports the customer's approval; Meridian then captures the money itself.
  if (id.startsWith('stripe')) providers.stripe.pay(id)
  else providers.paypal.set(id, 'approved')
}

function toCheckoutId(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

/** Checks that the refund reaches at least the amount that the customer was shown before cancelling. Source: rule Q8. */
async function expectPromised(practice: PracticeUnderTest, id: string, amount: number): Promise<void> {
  const payment = (await listPayments(practice)).find(
    (row) => row.appointment_id === id && row.status === 'completed',
  )
  if (payment !== undefined)
    expect(payment.return_cents ?? 0).toBeGreaterThanOrEqual(Math.round(amount * 100))
}

async function listEntries({ meridian, calendar }: PracticeUnderTest, state: string): Promise<string[]> {
  const text = 'select id from waiting_entries where calendar_id = $1 and state = $2 order by joined_at, id'
  return (await queryRows(meridian.database, text, [calendar.id, state])).map(({ id }) => String(id))
}

type OfferRow = { readonly id: string; readonly state: string; readonly expires_at: Date }

/** Lists the offers, open ones first. */
async function listOffers({ meridian, calendar }: PracticeUnderTest): Promise<OfferRow[]> {
  const text = `select id, state, expires_at from waiting_offers where calendar_id = $1
    order by state <> 'open', offered_at, starts_at, id`
  // The type matches the selected columns.
  return (await queryRows(meridian.database, text, [calendar.id])) as unknown as OfferRow[]
}

async function countOffers(practice: PracticeUnderTest): Promise<number> {
  return (await listOffers(practice)).length
}

function toBooking(practice: PracticeUnderTest, slot: number, person: number) {
  return {
    starts_at: timeOf(slot),
    appointment_type_id: practice.calendar.typeId,
    customer: toCustomer(practice, person),
  }
}

function toCustomer({ erasures }: PracticeUnderTest, person: number) {
  const name = `person-${person}-${erasures[person] ?? 0}`
  return { name, email: `${name}@example.com` }
}

function toMove(startsAt: Date, slot: number) {
  return { starts_at: timeOf(slot), expected_starts_at: startsAt.toISOString() }
}

function timeOf(slot: number): string {
  return new Date(FIRST_MS + slot * 1_800_000).toISOString()
}

function askAsOwner(
  { meridian, owner, calendar }: PracticeUnderTest,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  payload?: Record<string, unknown>,
): Promise<LightMyRequestResponse> {
  const url = `/api/calendars/${calendar.id}${path}`
  return meridian.request({ method, url, cookie: owner.cookie, ...withPayload(payload) })
}

function askAsCustomer(
  { meridian }: PracticeUnderTest,
  { id }: AppointmentRow,
  method: 'GET' | 'POST',
  path: string,
  payload?: Record<string, unknown>,
): Promise<LightMyRequestResponse> {
  const url = `/api/public/manage/${manageTokenOf(meridian, id)}${path}`
  return meridian.request({ method, url, ...withPayload(payload) })
}

function withPayload(payload: Record<string, unknown> | undefined): Pick<InjectOptions, 'payload'> {
  return payload === undefined ? {} : { payload }
}

/** Statuses of refusals that no earlier change explains. They mean that the test or Meridian is wrong. */
const UNEXPLAINED = [401, 403, 422, 429]

/** True when the request succeeded. Fails the test on a refusal that no earlier change explains. */
function isDone(answered: LightMyRequestResponse): boolean {
  const { statusCode, body } = answered
  if (statusCode < 300) return true
  const { code } = answered.json<{ code: string }>()
  const isExplained = code === 'appointment.refund_failed' || (statusCode < 500 && code !== 'request.invalid')
  expect(isExplained && !UNEXPLAINED.includes(statusCode), body).toBe(true)
  return false
}

/** Like `isDone`. The link of an erased customer must not work. Source: rule R11. */
function isDoneByCustomer({ is_erased }: AppointmentRow, answered: LightMyRequestResponse): boolean {
  const done = isDone(answered)
  expect(done && is_erased, 'the link of an erased customer works').toBe(false)
  return done
}

function toBody<Body>(answered: LightMyRequestResponse): Body {
  return answered.json<Body>()
}

function pick<Each>(all: readonly Each[], index: number): Each | undefined {
  return all[index % Math.max(1, all.length)]
}
