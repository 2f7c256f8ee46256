import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { deleteFreeTimes } from './free-times-repository.ts'
import { WAITING_LIST_SCAN } from './job-definitions.ts'
import {
  clearScanRequest,
  hasFutureScanRequest,
  insertDeferredScanRequest,
  listBookedLocations,
  listCalendarsAffectedByConnections,
  listCalendarsAffectedByExternal,
  listCalendarsAtLocations,
  listCalendarsOfPerson,
  listOverdueScanRequests,
  requestScansForFreedTimes,
  requestScansForTakenTimes,
} from './repository.ts'

export type FreedTimesDeps = { readonly jobs: Pick<JobQueue, 'insert'> }

/**
 * Says that a time of a calendar may have become free, in the transaction that frees it. A job then looks through the waiting list.
 * Further calls before that job runs queue no other one. Source: rule Z2.
 */
export async function announceFreedTime(deps: FreedTimesDeps, trx: Trx, calendarId: string): Promise<void> {
  await announceFreedTimes(deps, trx, [calendarId])
}

/** Says the same for every calendar of its person. Source: rule T40. */
export async function announceFreedTimeOfPerson(
  deps: FreedTimesDeps,
  trx: Trx,
  calendarId: string,
): Promise<void> {
  await announceFreedTimes(deps, trx, await listCalendarsOfPerson(trx, calendarId))
}

/** What else is known of times that became free. */
type Freed = {
  /** The appointment that left its time, where an offer may have led to it. */
  readonly appointmentId?: string | null
  /** For how many seconds the times can be taken back. Nobody is offered them before that is over. */
  readonly afterSeconds?: number
}

/** The same for several calendars. */
export async function announceFreedTimes(
  deps: FreedTimesDeps,
  trx: Trx,
  calendarIds: readonly string[],
  { appointmentId = null, afterSeconds = 0 }: Freed = {},
): Promise<void> {
  if (calendarIds.length === 0) return
  const noted = await requestScansForFreedTimes(trx, calendarIds, { appointmentId, afterSeconds })
  await queueLooks(deps, trx, noted, afterSeconds)
}

async function queueLooks(
  { jobs }: FreedTimesDeps,
  trx: Trx,
  calendarIds: readonly string[],
  afterSeconds = 0,
): Promise<void> {
  if (calendarIds.length === 0) return
  const looks = calendarIds.map((calendarId) => ({ calendarId }))
  await jobs.insert(trx, WAITING_LIST_SCAN, looks, { afterSeconds })
}

/** An appointment, and the exclusive location that it had, if any. */
export type VacatedTime = {
  readonly calendarId: string
  /** The time that the appointment took. Null when nothing was held. */
  readonly during: Interval | null
  /** Null where the appointment was no booking that an offer led to. */
  readonly id: string | null
  readonly conflictLocationId: string | null
  /** For how many seconds the move that left the time can be taken back. Source: rule A18. */
  readonly afterSeconds?: number
}

/**
 * The same for the time of an appointment: it is free on every calendar of its person and, where its location takes one at a time, on
 * every calendar that shares that location. When an offer was booked by it, its customer waits again. Source: rules Z2, Z12 and T40.
 */
export async function announceVacatedTime(
  deps: FreedTimesDeps,
  trx: Trx,
  { calendarId, id, conflictLocationId, during, afterSeconds = 0 }: VacatedTime,
): Promise<void> {
  const concerned = await listConcerned(trx, { calendarId, conflictLocationId })
  // No look has to find the time taken: times that were free before it was taken become free again. Source: rule Z3.
  if (during !== null) await deleteFreeTimes(trx, { calendarId, calendarIds: concerned, during })
  await announceFreedTimes(deps, trx, concerned, { appointmentId: id, afterSeconds })
}

/**
 * Says that a time of a calendar was taken. Somebody may have an offer of that time which does not hold it. A job then ends such
 * offers, and their customers wait in line again. The same holds for every calendar of its person, and for those that share an exclusive
 * location with it. Source: rules Z5 and T40.
 */
export async function announceTakenTime(
  deps: FreedTimesDeps,
  trx: Trx,
  { calendarId, conflictLocationId }: Pick<VacatedTime, 'calendarId' | 'conflictLocationId'>,
): Promise<void> {
  const concerned = await listConcerned(trx, { calendarId, conflictLocationId })
  await queueLooks(deps, trx, await requestScansForTakenTimes(trx, concerned))
}

/** The calendars whose times an appointment takes. */
async function listConcerned(
  trx: Trx,
  { calendarId, conflictLocationId }: Pick<VacatedTime, 'calendarId' | 'conflictLocationId'>,
): Promise<string[]> {
  const ofPerson = await listCalendarsOfPerson(trx, calendarId)
  const sharing = conflictLocationId === null ? [] : await listCalendarsAtLocations(trx, [conflictLocationId])
  return [...new Set([calendarId, ...ofPerson, ...sharing])]
}

/**
 * Says that a payment came late and its booking has taken its time again. When an offer led to that booking, its customer leaves
 * the list. Source: rule Z12.
 */
export async function announceTimeTakenAgain(
  deps: FreedTimesDeps,
  trx: Trx,
  { calendarId, id }: { readonly calendarId: string; readonly id: string },
): Promise<void> {
  await announceFreedTimes(deps, trx, [calendarId], { appointmentId: id })
}

/** Says that times may be free on each calendar at a location that is deleted, or is no longer exclusive. */
export async function announceFreedLocation(
  deps: FreedTimesDeps,
  trx: Trx,
  locationId: string,
): Promise<void> {
  await announceFreedTimes(deps, trx, await listCalendarsAtLocations(trx, [locationId]))
}

/** Says that times may be free on the calendars that share a location or the person with a calendar that is about to be deleted. */
export async function announceClosedCalendar(
  deps: FreedTimesDeps,
  trx: Trx,
  { calendarId, now }: { readonly calendarId: string; readonly now: Date },
): Promise<void> {
  const sharing = await listCalendarsAtLocations(trx, await listBookedLocations(trx, calendarId, now))
  const concerned = new Set([...(await listCalendarsOfPerson(trx, calendarId)), ...sharing])
  concerned.delete(calendarId)
  await announceFreedTimes(deps, trx, [...concerned])
}

/**
 * Gives a calendar to another person: times may be free on it and on the other calendars of the person who had it, and times are taken on
 * the calendars of the person who gets it. Source: rules T40 and T41.
 */
export async function announceReassignedCalendar(
  deps: FreedTimesDeps,
  trx: Trx,
  calendarId: string,
  give: () => Promise<void>,
): Promise<void> {
  const left = await listCalendarsOfPerson(trx, calendarId)
  await give()
  await announceFreedTimes(deps, trx, left)
  await announceTakenTime(deps, trx, { calendarId, conflictLocationId: null })
}

/** Says that times may be free on all calendars of each person with a calendar that uses an external calendar. Source: rule G31. */
export async function announceFreedExternalTime(
  deps: FreedTimesDeps,
  trx: Trx,
  externalCalendarId: string,
): Promise<void> {
  await announceFreedTimes(deps, trx, await listCalendarsAffectedByExternal(trx, externalCalendarId))
}

/** Says that times may be free because connections are about to be deleted, on the same calendars. */
export async function announceDisconnectedTime(
  deps: FreedTimesDeps,
  trx: Trx,
  connectionIds: readonly string[],
): Promise<void> {
  await announceFreedTimes(deps, trx, await listCalendarsAffectedByConnections(trx, connectionIds))
}

/** The list is about to be looked through. What is freed from now on is announced anew. */
export async function startScan(db: Db, calendarId: string): Promise<void> {
  await clearScanRequest(db, calendarId)
}

/**
 * Nothing can be offered on a calendar, because an external calendar cannot be checked. Its list is looked through when that is over:
 * the sweep finds the note. Source: rule Z2.
 */
export async function keepScanRequest(db: Db, calendarId: string): Promise<void> {
  await insertDeferredScanRequest(db, calendarId)
}

/**
 * Whether times became free that may still be taken back. Call it after the free times were read: then none of them is missed.
 * Another job looks through the list when these times can no longer be taken back. Source: rule A18.
 */
export function hasRevertibleFreedTimes(db: Db, calendarId: string): Promise<boolean> {
  return hasFutureScanRequest(db, calendarId)
}

/** More than a minute is long for a job that is queued at once. */
const LOST_AFTER_MS = MINUTE_MS
const MOST_LOST = 100

/** The calendars whose job was lost, and those on which something can be offered again. */
export function listMissedScans({ db, now }: { readonly db: Db; readonly now: Clock }): Promise<string[]> {
  const nowMs = now()
  return listOverdueScanRequests(db, {
    before: new Date(nowMs - LOST_AFTER_MS),
    now: new Date(nowMs),
    limit: MOST_LOST,
  })
}
