import { listOpenCalendars, OPEN_CALENDAR_CHOICE_DAYS } from '#core/plans/open-calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { announceFreedTimes, type FreedTimesDeps } from '#server/records/freed-times/use-cases.ts'
import {
  listPlanCalendars,
  lockCalendarsOfOwner,
  type PlanCalendar,
  setCalendarsPaused,
  updateOpenCalendarChoice,
} from './plan-repository.ts'

/** Lists the owner's calendars with the facts that plan limits depend on. */
export function listCalendarsForPlanLimits(db: Db, ownerId: OwnerId, now: Date): Promise<PlanCalendar[]> {
  return listPlanCalendars(db, ownerId, now)
}

/**
 * Pauses the calendars beyond the plan's limit and reopens the others. Customers on the waiting list of a reopened
 * calendar get offers again. Runs in the transaction that changes the plan, with the account locked. If nothing
 * changes, no calendar is locked. Source: rule S13.
 * @returns the calendars afterwards, and whether any was paused or reopened
 */
export async function applyCalendarLimit(
  deps: FreedTimesDeps,
  trx: Trx,
  ownerId: OwnerId,
  { limit, now }: { readonly limit: number | null; readonly now: Date },
): Promise<{ readonly calendars: readonly PlanCalendar[]; readonly isChanged: boolean }> {
  const seen = await listPlanCalendars(trx, ownerId, now)
  if (!needsChange(seen, limit)) return { calendars: seen, isChanged: false }
  await lockCalendarsOfOwner(trx, ownerId)
  // Load the calendars again under the locks: a concurrent booking may have changed the counts.
  const calendars = await listPlanCalendars(trx, ownerId, now)
  const open = listOpenCalendars(calendars, limit)
  const toPause = calendars
    .filter(({ id, is_paused: isPaused }) => !isPaused && !open.has(id))
    .map(({ id }) => id)
  const toOpen = calendars
    .filter(({ id, is_paused: isPaused }) => isPaused && open.has(id))
    .map(({ id }) => id)
  await setCalendarsPaused(trx, ownerId, { ids: toPause, isPaused: true })
  await setCalendarsPaused(trx, ownerId, { ids: toOpen, isPaused: false })
  await announceFreedTimes(deps, trx, toOpen)
  return {
    calendars: calendars.map((calendar) => ({ ...calendar, is_paused: !open.has(calendar.id) })),
    isChanged: toPause.length + toOpen.length > 0,
  }
}

function needsChange(calendars: readonly PlanCalendar[], limit: number | null): boolean {
  const open = listOpenCalendars(calendars, limit)
  return calendars.some(({ id, is_paused: isPaused }) => isPaused === open.has(id))
}

/**
 * Returns when the owner can change the choice of open calendars again; null when they can change it now. Source: rule
 * S13.
 */
export function findCalendarChoiceLockedUntil(
  calendars: readonly PlanCalendar[],
  chosenAt: Date | null,
  now: Date,
): Date | null {
  if (chosenAt === null || !calendars.some(({ is_paused }) => is_paused)) return null
  const until = new Date(chosenAt.getTime() + OPEN_CALENDAR_CHOICE_DAYS * DAY_MS)
  return until > now ? until : null
}

/**
 * Stores which calendars the owner keeps open, then pauses and reopens calendars if the plan's limit is exceeded. The
 * account is locked. Source: rule S13.
 * @returns true if any calendar was paused or reopened
 * @throws ProblemError `calendar.not_found`, `subscription.too_many_calendars`, `subscription.choice_locked`
 */
export async function storeOpenCalendarChoice(
  deps: FreedTimesDeps,
  trx: Trx,
  ownerId: OwnerId,
  {
    calendarIds,
    limit,
    chosenAt,
    now,
  }: {
    readonly calendarIds: readonly string[]
    readonly limit: number | null
    readonly chosenAt: Date | null
    readonly now: Date
  },
): Promise<boolean> {
  const calendars = await listPlanCalendars(trx, ownerId, now)
  const own = new Set(calendars.map(({ id }) => id))
  const wanted = new Set(calendarIds)
  if ([...wanted].some((id) => !own.has(id))) throw new ProblemError('calendar.not_found')
  if (limit !== null && wanted.size > limit) throw new ProblemError('subscription.too_many_calendars')
  const chosen = calendars.map((calendar) => ({ ...calendar, stays_open: wanted.has(calendar.id) }))
  const isOtherChoice = needsChange(chosen, limit)
  if (isOtherChoice && findCalendarChoiceLockedUntil(calendars, chosenAt, now) !== null) {
    throw new ProblemError('subscription.choice_locked')
  }
  await lockCalendarsOfOwner(trx, ownerId)
  await updateOpenCalendarChoice(trx, ownerId, [...wanted])
  return (await applyCalendarLimit(deps, trx, ownerId, { limit, now })).isChanged
}
