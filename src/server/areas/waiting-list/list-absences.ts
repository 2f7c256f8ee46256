import { type Interval, isInAnyInterval } from '#core/shared/interval.ts'
import { localDateOf, wholeDays } from '#core/shared/zoned-time.ts'
import { listAbsenceDays } from '#server/areas/appointments/whole-days/repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Days on which the owner cannot come, and which the waiting list does not offer. Source: rule A24. */
export type Absence = Interval & {
  /** When the owner said so. */
  readonly sinceMs: number
}

/** The present and future absences on a calendar. */
export async function listAbsences(
  { db, now }: { readonly db: Db; readonly now: Clock },
  { id, timeZone }: { readonly id: string; readonly timeZone: string },
): Promise<Absence[]> {
  const days = await listAbsenceDays(db, id, localDateOf(now(), timeZone))
  return days.map(({ first, last, since }) => ({
    ...wholeDays(first, last, timeZone),
    sinceMs: since.getTime(),
  }))
}

/** Whether the owner became absent after an offer was made. An offer that the owner makes later stands. */
export function isOverruledByAbsence(
  absences: readonly Absence[],
  { startsAt, offeredAt }: { readonly startsAt: Date; readonly offeredAt: Date },
): boolean {
  const earlier = absences.filter(({ sinceMs }) => offeredAt.getTime() <= sinceMs)
  return isInAnyInterval(earlier, startsAt.getTime())
}
