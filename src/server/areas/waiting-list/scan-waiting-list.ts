import type { ProblemCode } from '#contract/shared/problem.ts'
import { HOUR_MS } from '#core/shared/duration.ts'
import { isInAnyInterval } from '#core/shared/interval.ts'
import { type PlannedOffer, planOffers, type WaitingCustomer } from '#core/waiting-list/plan-offers.ts'
import { lockBookableCalendar } from '#server/areas/appointments/bookings/repository.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { lockAppointmentWithHold } from '#server/records/appointments/state-repository.ts'
import {
  deferScan,
  hasFreedTimesInUndoPeriod,
  markScanStarted,
} from '#server/records/freed-times/use-cases.ts'
import { hasUncheckedExternalCalendar } from '#server/records/slots/external-repository.ts'
import { findWaitingListCalendar } from './calendar-repository.ts'
import type { WaitingListDeps } from './deps.ts'
import {
  endOffersOfTakenTimes,
  endUnbookedOffer,
  expireOffer,
  returnToWaitingList,
  withdrawOffersOnAbsences,
} from './end-offer.ts'
import { insertOffer } from './insert-offer.ts'
import { WAITING_BUDGET_SCAN_JOB } from './job-definitions.ts'
import { listAbsences } from './list-absences.ts'
import { listFreedTimes } from './list-free-times.ts'
import {
  expireEntries,
  listActiveEntries,
  listEndedOffers,
  listOfferedStarts,
  listOffersWithLatePayments,
  lockEntry,
  lockOffer,
  lockOpenOffer,
  type StoredWaitingEntry,
  updateEntry,
  updateOffer,
  type WaitingEntryKey,
} from './repository.ts'

type ScanDeps = WaitingListDeps & { readonly jobs: Pick<JobQueue, 'withdraw'> }

/** Maximum number of entries that can wait on one calendar. Source: rule Z11. */
export const MAX_WAITING_ENTRIES = 5_000

/**
 * Maximum number of offers per plan. After each plan the free times are read again, because others book in the
 * meantime.
 */
const OFFERS_AT_ONCE = 200
/** Maximum number of plans per scan. After this many, every customer on a full list has an offer. */
const MOST_PLANS = Math.ceil(MAX_WAITING_ENTRIES / OFFERS_AT_ONCE)
/**
 * Maximum number of customers who get an offer of the same time, when it is not held for one of them. Source: rule Z5.
 */
const MAX_ANNOUNCED = 50

/**
 * Offers the free times of a calendar to its waiting customers, in order. Each offer has its own small transaction. Source:
 * rule Z3.
 */
export async function scanWaitingList(deps: ScanDeps, calendarId: string): Promise<void> {
  await markScanStarted(deps.db, calendarId)
  const now = new Date(deps.now())
  for (const { id: offerId } of await listEndedOffers(deps.db, calendarId, now)) {
    await expireOffer(deps, { calendarId, offerId })
  }
  await withdrawOffersOnAbsences(deps, calendarId)
  await endOffersOfTakenTimes(deps, calendarId)
  for (const key of await listOffersWithLatePayments(deps.db, calendarId)) await settleOffer(deps, key)
  await expireEntries(deps.db, calendarId, now)
  // Check this before the free times are read. While an external calendar cannot be checked, nothing is offered; the
  // scan request is kept, so that the list is scanned once the calendar can be checked again. Source: rule Z2.
  if (await hasUncheckedExternalCalendar(deps.db, { calendarId, nowMs: deps.now() }))
    return deferScan(deps.db, calendarId)
  const waitSeconds = await makeOffers(deps, calendarId)
  if (Number.isFinite(waitSeconds)) await queueLaterScan(deps, calendarId, waitSeconds)
}

/**
 * Makes the offers of a calendar.
 * @returns the seconds until the first exceeded limit allows offers again; Infinity when none was exceeded
 */
async function makeOffers(deps: WaitingListDeps, calendarId: string): Promise<number> {
  const leftOut = new Set<string>()
  let waitSeconds = Infinity
  for (let plans = 0; plans < MOST_PLANS; plans += 1) {
    const { offers: plan, hasSeats } = await makePlan(deps, calendarId, leftOut)
    let failed = 0
    for (const offer of plan) {
      const refusal = await tryToOffer(deps, calendarId, offer)
      if (refusal === null) continue
      waitSeconds = Math.min(waitSeconds, refusal.retryAfterSeconds ?? Infinity)
      if (refusal.code === 'waiting.too_many') return waitSeconds
      failed += 1
      leftOut.add(offer.customerId)
    }
    // The scan is done when the plan was not full and every offer was made. If an offer failed, another plan gives its
    // time to the next customer. A session can have another free seat after an offer.
    const isDone = hasSeats ? plan.length === 0 : plan.length < OFFERS_AT_ONCE
    if (isDone && failed === 0) return waitSeconds
  }
  return waitSeconds
}

/**
 * Queues a scan for the moment at which a limit allows offers again. A calendar has only one such job. Source: rule
 * Z16.
 */
async function queueLaterScan(deps: ScanDeps, calendarId: string, afterSeconds: number): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await deps.jobs.withdraw(trx, WAITING_BUDGET_SCAN_JOB, { field: 'calendarId', values: [calendarId] })
    await deps.jobs.insert(trx, WAITING_BUDGET_SCAN_JOB, [{ calendarId }], { afterSeconds })
  })
}

/**
 * Makes one offer of a plan. The offer has no hold when held times have reached their maximum share of the day. Source:
 * rules H8 and Z16.
 * @returns the refusal; null when the offer was made. `waiting.too_many`: the practice's limit is exceeded. Any other
 * refusal: the time or the entry is no longer available, or this customer's limit is exceeded.
 */
async function tryToOffer(
  deps: WaitingListDeps,
  calendarId: string,
  { customerId, startMs, heldUntilMs }: PlannedOffer,
): Promise<ProblemError | null> {
  const offer = { calendarId, customerId, startMs, heldUntilMs, madeBy: 'list' } as const
  try {
    await insertOffer(deps, offer).catch((error: unknown) => {
      if (!isRefusal(error, 'hold.day_held')) throw error
      return insertOffer(deps, { ...offer, mayHold: false })
    })
    return null
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return error
  }
}

function isRefusal(error: unknown, code: ProblemCode): boolean {
  return error instanceof ProblemError && error.code === code
}

async function makePlan(
  deps: WaitingListDeps,
  calendarId: string,
  leftOut: ReadonlySet<string>,
): Promise<{ readonly offers: readonly PlannedOffer[]; readonly hasSeats: boolean }> {
  const calendar = await findWaitingListCalendar(deps.db, calendarId)
  // While the calendar is paused, nothing is scanned. A pause occupies no times, so times that were free before it do
  // not count as newly free when it ends. Source: rule Z3.
  if (calendar === null || calendar.is_paused) return NO_PLAN
  const inLine = await listActiveEntries(deps.db, calendarId, MAX_WAITING_ENTRIES)
  if (inLine.length === 0) return NO_PLAN
  const nowMs = deps.now()
  const free = await inTransaction(deps.db, (trx) => listFreedTimes(deps, trx, { calendar, entries: inLine }))
  if (await hasFreedTimesInUndoPeriod(deps.db, calendarId)) return NO_PLAN
  const entries = inLine.filter(({ id, state }) => state === 'waiting' && !leftOut.has(id))
  const offered = await listOfferedStarts(deps.db, calendarId, new Date(nowMs - HOUR_MS))
  const absences = await listAbsences(deps, calendar)
  const offers = planOffers({
    customers: entries.map((entry) => toCustomer(entry, offered)),
    free: free.map(({ starts, ...type }) => ({
      ...type,
      starts: starts.filter(({ startMs }) => !isInAnyInterval(absences, startMs)),
    })),
    timeZone: calendar.timezone,
    bufferMinutes: calendar.rules.bufferMinutes,
    nowMs,
    mostOffers: OFFERS_AT_ONCE,
    mostTold: MAX_ANNOUNCED,
  })
  return { offers, hasSeats: free.some(({ seats }) => seats !== null) }
}

const NO_PLAN = { offers: [], hasSeats: false }

function toCustomer(
  entry: StoredWaitingEntry,
  offered: ReadonlyMap<string, ReadonlySet<number>>,
): WaitingCustomer {
  return {
    ...entry,
    joinedAtScan: entry.look_no ?? Infinity,
    offeredBefore: offered.get(entry.id) ?? NONE,
  }
}

const NONE: ReadonlySet<number> = new Set()

type SettlingDeps = Pick<WaitingListDeps, 'db' | 'now' | 'jobs'>

/**
 * Updates the list after the payment of an accepted offer missed its deadline, or arrived late. The payment itself is
 * handled elsewhere, under the same calendar lock. Idempotent. Source: rule Z12.
 */
async function settleOffer(deps: SettlingDeps, key: WaitingEntryKey): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockBookableCalendar(trx, key.calendar_id)
    const offer = await lockOffer(trx, key)
    const bookedId = offer?.booked_appointment_id ?? null
    if (offer === null || bookedId === null) return
    const booked = await lockAppointmentWithHold(trx, { calendarId: key.calendar_id, id: bookedId })
    const entryKey = { calendar_id: offer.calendar_id, id: offer.entry_id }
    if (offer.state === 'accepted' && booked?.state.status === 'pending_payment' && booked.isReleased) {
      await updateOffer(trx, offer, { state: 'unpaid', ended_at: new Date(deps.now()) })
      await returnToWaiting(deps, trx, entryKey)
    }
    if (offer.state === 'unpaid' && booked?.state.status === 'confirmed') {
      await updateOffer(trx, offer, { state: 'accepted', ended_at: new Date(deps.now()) })
      await leaveForBooking(deps, trx, entryKey)
    }
  })
}

/** Puts a customer who did not pay back on the list. This counts as one ignored offer. */
async function returnToWaiting(deps: SettlingDeps, trx: Trx, key: WaitingEntryKey): Promise<void> {
  const entry = await lockEntry(trx, key)
  if (entry?.state === 'accepted') await returnToWaitingList(deps, trx, entry, entry.unanswered + 1)
}

/**
 * Removes a customer who paid late from the list, because they are booked. If they were offered another time in the
 * meantime, it goes to the next customer.
 */
async function leaveForBooking(deps: SettlingDeps, trx: Trx, key: WaitingEntryKey): Promise<void> {
  const entry = await lockEntry(trx, key)
  if (entry?.state !== 'waiting' && entry?.state !== 'offered') return
  const open = await lockOpenOffer(trx, key)
  await updateEntry(trx, key, { state: 'accepted', ended_at: new Date(deps.now()) })
  if (open !== null) await endUnbookedOffer(deps, trx, open, 'withdrawn')
}
