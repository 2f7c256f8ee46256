import { addDays, toDayNumber } from '#core/shared/calendar-date.ts'
import { HOUR_MS } from '#core/shared/duration.ts'
import { liesInOne } from '#core/shared/interval.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import {
  type FreeTimes,
  type PlannedOffer,
  planOffers,
  type WaitingCustomer,
} from '#core/waiting/plan-offers.ts'
import { beginLook, keepNote, mayBeTakenBack } from '#server/features/freed-times/use-cases.ts'
import { isUnchecked } from '#server/features/slots/external-repository.ts'
import { listFreeStarts } from '#server/features/slots/use-cases.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { findListCalendar } from './calendar-repository.ts'
import type { WaitingListDeps } from './deps.ts'
import { endOffer, endTakenOffers, withdrawOffersOnAbsences } from './end-offer.ts'
import { insertOffer } from './insert-offer.ts'
import { listAbsences } from './list-absences.ts'
import {
  type Entry,
  expireEntries,
  listEndedOffers,
  listOfferedStarts,
  listOffersToSettle,
  listTypeFacts,
  listWaiting,
} from './repository.ts'
import { settleOffer } from './settle-offer.ts'

/** Everybody who can wait on one calendar. Source: rule Z11. */
export const MOST_WAITING = 5_000

/** Offers of one plan. After them the free times are read anew, as others book meanwhile. */
const OFFERS_AT_ONCE = 200
/** Everybody on a full list has an offer after so many plans. */
const MOST_PLANS = Math.ceil(MOST_WAITING / OFFERS_AT_ONCE)
/** Customers who are told of one time that is open to all. Source: rule Z5. */
const MOST_TOLD = 50
/** The clocks of two zones differ by up to 26 hours, so a day can begin two dates earlier or later in another zone. */
const ZONE_REACH_DAYS = 2
/** `listFreeStarts` answers for at most so many days. A request for later days is looked at again before these come. */
const MOST_DAYS = 366

/**
 * Offers what is free on a calendar to those who wait for it, in order. Each offer is a small transaction of its own. Source: rule
 * Z3.
 */
export async function lookThroughList(deps: WaitingListDeps, calendarId: string): Promise<void> {
  await beginLook(deps.db, calendarId)
  const now = new Date(deps.now())
  for (const { id: offerId } of await listEndedOffers(deps.db, calendarId, now)) {
    await endOffer(deps, { calendarId, offerId })
  }
  await withdrawOffersOnAbsences(deps, calendarId)
  await endTakenOffers(deps, calendarId)
  for (const key of await listOffersToSettle(deps.db, calendarId)) await settleOffer(deps, key)
  await expireEntries(deps.db, calendarId, now)
  // Comes before the free times are read. When an external calendar cannot be checked, nothing is offered now. The note that is
  // kept has the list looked through once it can be checked again. Source: rule Z2.
  if (await isUnchecked(deps.db, { calendarId, nowMs: deps.now() })) return keepNote(deps.db, calendarId)
  const leftOut = new Set<string>()
  for (let plans = 0; plans < MOST_PLANS; plans += 1) {
    const plan = await makePlan(deps, calendarId, leftOut)
    let failed = 0
    for (const offer of plan) {
      if (await tryToOffer(deps, calendarId, offer)) continue
      failed += 1
      leftOut.add(offer.customerId)
    }
    // Done when the plan did not reach its limit and every offer was made. When an offer failed, another plan gives its time to
    // the next customer.
    if (plan.length < OFFERS_AT_ONCE && failed === 0) return
  }
}

/** False when the time, or the place on the list, is gone meanwhile: nobody is harmed by that. */
async function tryToOffer(
  deps: WaitingListDeps,
  calendarId: string,
  { customerId, startMs, heldUntilMs }: PlannedOffer,
): Promise<boolean> {
  try {
    await insertOffer(deps, { calendarId, customerId, startMs, heldUntilMs, madeBy: 'list' })
    return true
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return false
  }
}

async function makePlan(
  deps: WaitingListDeps,
  calendarId: string,
  leftOut: ReadonlySet<string>,
): Promise<readonly PlannedOffer[]> {
  const calendar = await findListCalendar(deps.db, calendarId)
  if (calendar === null) return []
  const waiting = await listWaiting(deps.db, calendarId, MOST_WAITING)
  const entries = waiting.filter(({ id }) => !leftOut.has(id))
  if (entries.length === 0) return []
  const nowMs = deps.now()
  const offered = await listOfferedStarts(deps.db, calendarId, new Date(nowMs - HOUR_MS))
  const free = await listFreeTimes(deps, calendar, entries)
  if (await mayBeTakenBack(deps.db, calendarId)) return []
  const absences = await listAbsences(deps, calendar)
  return planOffers({
    customers: entries.map((entry) => toCustomer(entry, calendar.timeZone, offered)),
    free: free.map((times) => ({
      ...times,
      startsMs: times.startsMs.filter((startMs) => !liesInOne(absences, startMs)),
    })),
    bufferMinutes: calendar.rules.bufferMinutes,
    nowMs,
    mostOffers: OFFERS_AT_ONCE,
    mostTold: MOST_TOLD,
  })
}

/** The free times of each type that somebody waits for, on the days that somebody named. */
export async function listFreeTimes(
  deps: Pick<WaitingListDeps, 'db' | 'now'>,
  { id: calendarId, slug }: { readonly id: string; readonly slug: string },
  entries: readonly Entry[],
): Promise<FreeTimes[]> {
  const nowMs = deps.now()
  // No zone is more than a date behind UTC.
  const yesterday = addDays(localDateOf(nowMs, 'UTC'), -1)
  const byType = Map.groupBy(entries, ({ typeId }) => typeId)
  const free: FreeTimes[] = []
  // Who asked before the calendar had types waits for nothing that can be booked now.
  const isTypeNeeded = byType.has(null) && (await listTypeFacts(deps.db, calendarId)).length > 0
  for (const [typeId, ofType] of byType) {
    if (typeId === null && isTypeNeeded) continue
    const from = ofType.reduce((first, { fromDate }) => (fromDate < first ? fromDate : first), '9999-12-31')
    const to = ofType.reduce((last, { toDate }) => (toDate > last ? toDate : last), '0000-01-01')
    const first = addDays(from, -ZONE_REACH_DAYS)
    const firstDate = first < yesterday ? yesterday : first
    const dayCount = toDayNumber(to) - toDayNumber(firstDate) + 1 + ZONE_REACH_DAYS
    if (dayCount < 1) continue
    const starts = await findFreeStarts(deps, { slug, typeId, firstDate, dayCount })
    if (starts !== null) free.push({ typeId, ...starts })
  }
  return free
}

/** Null when the type is gone: nothing can be offered to those who wait for it. */
async function findFreeStarts(
  deps: Pick<WaitingListDeps, 'db' | 'now'>,
  {
    slug,
    typeId,
    firstDate,
    dayCount,
  }: {
    readonly slug: string
    readonly typeId: string | null
    readonly firstDate: string
    readonly dayCount: number
  },
) {
  try {
    const range = { firstDate, dayCount: Math.min(dayCount, MOST_DAYS) }
    return await listFreeStarts(deps, { slug, appointmentTypeId: typeId ?? undefined, ...range })
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'booking.type_unknown') return null
    throw error
  }
}

function toCustomer(
  entry: Entry,
  calendarZone: string,
  offered: ReadonlyMap<string, ReadonlySet<number>>,
): WaitingCustomer {
  return {
    id: entry.id,
    typeId: entry.typeId,
    fromDate: entry.fromDate,
    toDate: entry.toDate,
    weekdays: entry.weekdays,
    dayParts: entry.dayParts,
    timeZone: entry.timeZone,
    customerZone: entry.customer.timeZone ?? calendarZone,
    offeredBefore: offered.get(entry.id) ?? NONE,
  }
}

const NONE: ReadonlySet<number> = new Set()
