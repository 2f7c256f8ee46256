import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { WAITING_LIST_LOOK } from './job-definitions.ts'
import { listCalendarsUsing, listNotes, noteFreedTime, takeNote } from './repository.ts'

export type FreedTimesDeps = { readonly jobs: Pick<JobQueue, 'insert'> }

/**
 * Says that a time of a calendar may have become free, in the transaction that frees it: one job looks through the waiting list,
 * however often it is said before that job runs. It is the last thing that such a transaction does. Source: rule Z2.
 */
export async function announceFreedTime(
  { jobs }: FreedTimesDeps,
  trx: Trx,
  calendarId: string,
): Promise<void> {
  if (await noteFreedTime(trx, calendarId)) await jobs.insert(trx, WAITING_LIST_LOOK, [{ calendarId }])
}

/** The same for every calendar whose times an external calendar took. */
export async function announceFreedExternalTime(
  deps: FreedTimesDeps,
  trx: Trx,
  externalCalendarId: string,
): Promise<void> {
  for (const calendarId of await listCalendarsUsing(trx, externalCalendarId)) {
    await announceFreedTime(deps, trx, calendarId)
  }
}

/** The list is about to be looked through. What is freed from now on is announced anew. */
export async function beginLook(db: Db, calendarId: string): Promise<void> {
  await takeNote(db, calendarId)
}

/** More than a minute is long for a job that is queued at once. */
const LOST_AFTER_MS = MINUTE_MS
const MOST_LOST = 100

/** The calendars whose job was lost. */
export function listLostLooks({ db, now }: { readonly db: Db; readonly now: Clock }): Promise<string[]> {
  return listNotes(db, new Date(now() - LOST_AFTER_MS), MOST_LOST)
}
