import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { deleteFreeTimes } from './free-times-repository.ts'
import {
  clearScanRequest,
  hasFutureScanRequest,
  insertDeferredScanRequest,
  listBookedLocations,
  listCalendarsAtLocations,
  listCalendarsBlockedByConnections,
  listCalendarsBlockedByExternalCalendar,
  listCalendarsOfPerson,
  listOverdueScanRequests,
  requestScansForFreedTimes,
  requestScansForTakenTimes,
} from './repository.ts'

type WaitingListScan = { readonly calendarId: string }

/** Job that scans the waiting list of a calendar on which a time became free. */
export const WAITING_LIST_SCAN_JOB: JobDefinition<WaitingListScan> = {
  name: 'waiting-list-look',
  retryLimit: 5,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 60,
  expireSeconds: 600,
  keepSeconds: 60 * 60,
  workersPerProcess: 1,
}

export type FreedTimesDeps = { readonly jobs: Pick<JobQueue, 'insert'> }

/**
 * Announces that a time on a calendar may have become free. Called in the transaction that frees the time. A job then
 * scans the waiting list. Further calls before that job runs queue no second job. Source: rule Z2.
 */
export async function announceFreedTime(deps: FreedTimesDeps, trx: Trx, calendarId: string): Promise<void> {
  await announceFreedTimes(deps, trx, [calendarId])
}

/** Announces a freed time on every calendar of the calendar's person. Source: rule T40. */
export async function announceFreedTimeOfPerson(
  deps: FreedTimesDeps,
  trx: Trx,
  calendarId: string,
): Promise<void> {
  await announceFreedTimes(deps, trx, await listCalendarsOfPerson(trx, calendarId))
}

/** Options for announcing freed times. */
type Freed = {
  /** The appointment that left its time, if it may have been booked through an offer. */
  readonly appointmentId?: string | null
  /** For how many seconds the owner can undo the change. Nothing is offered before that. */
  readonly afterSeconds?: number
}

/** Announces freed times on several calendars at once. */
export async function announceFreedTimes(
  deps: FreedTimesDeps,
  trx: Trx,
  calendarIds: readonly string[],
  { appointmentId = null, afterSeconds = 0 }: Freed = {},
): Promise<void> {
  if (calendarIds.length === 0) return
  const noted = await requestScansForFreedTimes(trx, calendarIds, { appointmentId, afterSeconds })
  await queueScans(deps, trx, noted, afterSeconds)
}

async function queueScans(
  { jobs }: FreedTimesDeps,
  trx: Trx,
  calendarIds: readonly string[],
  afterSeconds = 0,
): Promise<void> {
  if (calendarIds.length === 0) return
  const looks = calendarIds.map((calendarId) => ({ calendarId }))
  await jobs.insert(trx, WAITING_LIST_SCAN_JOB, looks, { afterSeconds })
}

/** The time that an appointment no longer occupies, and its exclusive location, if any. */
export type VacatedTime = {
  readonly calendarId: string
  /** The time that the appointment occupied. Null when it occupied none. */
  readonly during: Interval | null
  /** The id of the appointment; null when it cannot have been booked through an offer. */
  readonly id: string | null
  readonly conflictLocationId: string | null
  /** For how many seconds the owner can undo the move. Source: rule A18. */
  readonly afterSeconds?: number
}

/**
 * Announces that an appointment's time has become free, on every calendar of its person and on every calendar that
 * shares its exclusive location. If the appointment was booked through an offer, its customer returns to the waiting
 * list. Source: rules Z2, Z12 and T40.
 */
export async function announceVacatedTime(
  deps: FreedTimesDeps,
  trx: Trx,
  { calendarId, id, conflictLocationId, during, afterSeconds = 0 }: VacatedTime,
): Promise<void> {
  const concerned = await listConcerned(trx, { calendarId, conflictLocationId })
  // Delete the stored free times now, so that these times count as newly free even if no scan has run since they were
  // last free. Source: rule Z3.
  if (during !== null) await deleteFreeTimes(trx, { calendarId, calendarIds: concerned, during })
  await announceFreedTimes(deps, trx, concerned, { appointmentId: id, afterSeconds })
}

/**
 * Announces that a time was taken. A job then withdraws offers without a hold that have become impossible, and their
 * customers return to the waiting list. This covers every calendar of the person, and those that share the exclusive
 * location. Source: rules Z5 and T40.
 */
export async function announceTakenTime(
  deps: FreedTimesDeps,
  trx: Trx,
  { calendarId, conflictLocationId }: Pick<VacatedTime, 'calendarId' | 'conflictLocationId'>,
): Promise<void> {
  const concerned = await listConcerned(trx, { calendarId, conflictLocationId })
  await queueScans(deps, trx, await requestScansForTakenTimes(trx, concerned))
}

/** Lists the calendars on which an appointment blocks time. */
async function listConcerned(
  trx: Trx,
  { calendarId, conflictLocationId }: Pick<VacatedTime, 'calendarId' | 'conflictLocationId'>,
): Promise<string[]> {
  const ofPerson = await listCalendarsOfPerson(trx, calendarId)
  const sharing = conflictLocationId === null ? [] : await listCalendarsAtLocations(trx, [conflictLocationId])
  return [...new Set([calendarId, ...ofPerson, ...sharing])]
}

/**
 * Announces that a booking occupies its time again because of a late payment. If it was booked through an offer, its
 * customer leaves the waiting list. Source: rule Z12.
 */
export async function announceReoccupiedTime(
  deps: FreedTimesDeps,
  trx: Trx,
  { calendarId, id }: { readonly calendarId: string; readonly id: string },
): Promise<void> {
  await announceFreedTimes(deps, trx, [calendarId], { appointmentId: id })
}

/** Announces freed times on all calendars of a location that is being deleted or is no longer exclusive. */
export async function announceFreedTimesAtLocation(
  deps: FreedTimesDeps,
  trx: Trx,
  locationId: string,
): Promise<void> {
  await announceFreedTimes(deps, trx, await listCalendarsAtLocations(trx, [locationId]))
}

/**
 * Announces freed times on the calendars that share a location or the person with a calendar that is about to be
 * deleted.
 */
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
 * Runs `give`, which assigns a calendar to another person, and announces the effects: freed times on the calendars of
 * the previous person, and taken times on the calendars of the new one. Source: rules T40 and T41.
 */
export async function reassignCalendarAndAnnounce(
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

/**
 * Announces freed times on all calendars of each person who has a calendar that uses this external calendar. Source:
 * rule G31.
 */
export async function announceTimeFreedInExternalCalendar(
  deps: FreedTimesDeps,
  trx: Trx,
  externalCalendarId: string,
): Promise<void> {
  await announceFreedTimes(deps, trx, await listCalendarsBlockedByExternalCalendar(trx, externalCalendarId))
}

/** Announces freed times because connections are about to be deleted. */
export async function announceTimeFreedByDisconnecting(
  deps: FreedTimesDeps,
  trx: Trx,
  connectionIds: readonly string[],
): Promise<void> {
  await announceFreedTimes(deps, trx, await listCalendarsBlockedByConnections(trx, connectionIds))
}

/**
 * Clears the scan request right before the waiting list is scanned. Times that become free from now on create a new
 * request.
 */
export async function markScanStarted(db: Db, calendarId: string): Promise<void> {
  await clearScanRequest(db, calendarId)
}

/**
 * Keeps a scan request for later, because an external calendar cannot be checked at the moment and so nothing can be
 * offered. The periodic sweep finds it. Source: rule Z2.
 */
export async function deferScan(db: Db, calendarId: string): Promise<void> {
  await insertDeferredScanRequest(db, calendarId)
}

/**
 * True when times have become free that an undo may still occupy again. Call it after reading the free times, so that
 * none is missed. Another job scans the list when the undo period is over. Source: rule A18.
 */
export function hasFreedTimesInUndoPeriod(db: Db, calendarId: string): Promise<boolean> {
  return hasFutureScanRequest(db, calendarId)
}

/** Age from which a scan request counts as lost: a queued job normally runs within seconds. */
const LOST_AFTER_MS = MINUTE_MS
const MAX_MISSED_SCANS = 100

/** Lists the calendars whose job was lost, and those with a deferred request that can be checked again. */
export function listCalendarsWithMissedScans({
  db,
  now,
}: {
  readonly db: Db
  readonly now: Clock
}): Promise<string[]> {
  const nowMs = now()
  return listOverdueScanRequests(db, {
    before: new Date(nowMs - LOST_AFTER_MS),
    now: new Date(nowMs),
    limit: MAX_MISSED_SCANS,
  })
}
