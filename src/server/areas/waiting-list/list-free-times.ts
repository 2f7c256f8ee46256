import { addDays, toDayNumber } from '#core/shared/calendar-date.ts'
import type { Interval } from '#core/shared/interval.ts'
import { toWholeDaysInterval } from '#core/shared/zoned-time.ts'
import { earliestDateNow } from '#core/slots/displayed-days.ts'
import type { SortedFreeStarts } from '#core/waiting-list/plan-offers.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  listStartsFreedSince,
  reserveScanNumber,
  storeFreeTimes,
} from '#server/records/freed-times/free-times-repository.ts'
import { hasUncheckedExternalCalendar } from '#server/records/slots/external-repository.ts'
import type { TypeTime } from '#server/records/slots/times-repository.ts'
import { listFreeStartTimes } from '#server/records/slots/use-cases.ts'
import type { WaitingListCalendar } from './calendar-repository.ts'
import { listBookableTypes, type StoredWaitingEntry, setMissingScanNumbers } from './repository.ts'

/**
 * Number of dates by which days are extended. Local times differ by up to 26 hours between zones, so a day in another
 * zone can begin up to two dates earlier or later.
 */
const ZONE_REACH_DAYS = 2
/** Maximum number of days that `listFreeStartTimes` reads. Later days are read by a scan closer to them. */
const MOST_DAYS = 366

type Deps = { readonly db: Db; readonly now: Clock }

/** The fields of a calendar that are needed to list its free times. */
type Looked = Pick<WaitingListCalendar, 'id' | 'slug' | 'timezone'>
type Wanted = Pick<StoredWaitingEntry, 'appointment_type_id' | 'from_date' | 'to_date'>

/** The free starts of one appointment type on the days that customers requested. */
type FreeStartsOfType = TypeTime & {
  readonly typeId: string | null
  readonly startsMs: readonly number[]
  /** The period that was searched. */
  readonly during: Interval
}

/** Lists the free times of each appointment type that customers wait for, on the days that they requested. */
export async function listFreeTimes(
  deps: Deps,
  { id: calendarId, slug, timezone: timeZone }: Looked,
  wanted: readonly Wanted[],
): Promise<FreeStartsOfType[]> {
  const nowMs = deps.now()
  const yesterday = earliestDateNow(nowMs)
  const byType = Map.groupBy(wanted, ({ appointment_type_id }) => appointment_type_id)
  const free: FreeStartsOfType[] = []
  // Skip requests from before the calendar had types: they match nothing that can be booked now.
  const isTypeNeeded = byType.has(null) && (await listBookableTypes(deps.db, calendarId)).length > 0
  for (const [typeId, ofType] of byType) {
    if (typeId === null && isTypeNeeded) continue
    const from = ofType.reduce(
      (first, { from_date: fromDate }) => (fromDate < first ? fromDate : first),
      '9999-12-31',
    )
    const to = ofType.reduce((last, { to_date: toDate }) => (toDate > last ? toDate : last), '0000-01-01')
    const first = addDays(from, -ZONE_REACH_DAYS)
    const firstDate = first < yesterday ? yesterday : first
    const wantedDays = toDayNumber(to) - toDayNumber(firstDate) + 1 + ZONE_REACH_DAYS
    if (wantedDays < 1) continue
    const dayCount = Math.min(wantedDays, MOST_DAYS)
    const starts = await findFreeStarts(deps, { slug, typeId, firstDate, dayCount })
    const during = toWholeDaysInterval(firstDate, addDays(firstDate, dayCount - 1), timeZone)
    if (starts !== null) free.push({ typeId, ...starts, during })
  }
  return free
}

/** Lists the free starts of a type. Returns null when the type was deleted, so that nothing can be offered. */
async function findFreeStarts(
  deps: Deps,
  {
    slug,
    typeId,
    ...days
  }: {
    readonly slug: string
    readonly typeId: string | null
    readonly firstDate: string
    readonly dayCount: number
  },
) {
  try {
    return await listFreeStartTimes(deps, { slug, appointmentTypeId: typeId ?? undefined, ...days })
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'booking.type_unknown') return null
    throw error
  }
}

/**
 * Finds and stores the free times, and lists those that became free after at least one of the customers joined.
 * Customers without a scan number count as having joined at this scan. Source: rule Z3.
 */
export async function listFreedTimes(
  { now }: Pick<Deps, 'now'>,
  trx: Trx,
  { calendar, entries }: { readonly calendar: Looked; readonly entries: readonly StoredWaitingEntry[] },
): Promise<(SortedFreeStarts & Pick<TypeTime, 'seats'>)[]> {
  const { scanNumber, free } = await scanFreeTimes({ now }, trx, calendar, entries)
  await setMissingScanNumbers(trx, calendar.id, scanNumber)
  const freed: (SortedFreeStarts & Pick<TypeTime, 'seats'>)[] = []
  for (const { typeId, durationMinutes, prepareMinutes, wrapUpMinutes, seats, during } of free) {
    const joinedAt = entries
      .filter((entry) => entry.appointment_type_id === typeId)
      .map((entry) => entry.look_no ?? scanNumber)
    const after = joinedAt.reduce((first, one) => Math.min(first, one), scanNumber)
    const starts = await listStartsFreedSince(trx, { calendarId: calendar.id, typeId }, { after, during })
    freed.push({ typeId, durationMinutes, prepareMinutes, wrapUpMinutes, seats, starts })
  }
  return freed
}

/**
 * Scans the free times when a customer joins, and returns the scan's number. Returns null while nothing is offered
 * because the calendar is paused or an external calendar cannot be checked; the next scan then records the free times.
 * Source: rule Z3.
 */
export async function scanForJoiningCustomer(
  { now }: Pick<Deps, 'now'>,
  trx: Trx,
  { calendar, wanted }: { readonly calendar: WaitingListCalendar; readonly wanted: Wanted },
): Promise<number | null> {
  if (
    calendar.is_paused ||
    (await hasUncheckedExternalCalendar(trx, { calendarId: calendar.id, nowMs: now() }))
  )
    return null
  return (await scanFreeTimes({ now }, trx, calendar, [wanted])).scanNumber
}

async function scanFreeTimes(
  { now }: Pick<Deps, 'now'>,
  trx: Trx,
  calendar: Looked,
  wanted: readonly Wanted[],
): Promise<{ readonly scanNumber: number; readonly free: readonly FreeStartsOfType[] }> {
  const scanNumber = await reserveScanNumber(trx, calendar.id)
  const free = await listFreeTimes({ db: trx, now }, calendar, wanted)
  for (const { typeId, ...times } of free) {
    await storeFreeTimes(trx, { calendarId: calendar.id, typeId }, { scanNumber, nowMs: now(), ...times })
  }
  return { scanNumber, free }
}
