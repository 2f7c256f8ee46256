import { type Interval, isInAnyInterval } from '#core/shared/interval.ts'
import { localDateOf, toWholeDaysInterval } from '#core/shared/zoned-time.ts'
import { listAbsenceDays } from '#server/areas/appointments/whole-days/repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'

/** A period in which the owner is away and whose times the waiting list must not offer. Source: rule A24. */
export type Absence = Interval & {
  /** When the owner announced the absence. */
  readonly sinceMs: number
}

/** Lists the current and future absences on a calendar. */
export async function listAbsences(
  { db, now }: { readonly db: Db; readonly now: Clock },
  { id, timezone }: { readonly id: string; readonly timezone: string },
): Promise<Absence[]> {
  const days = await listAbsenceDays(db, id, localDateOf(now(), timezone))
  return days.map(({ first, last, since }) => ({
    ...toWholeDaysInterval(first, last, timezone),
    sinceMs: since.getTime(),
  }))
}

/**
 * True when, after the offer was made, the owner announced an absence that covers its time. An offer that the owner
 * makes after that is valid.
 */
export function isInvalidatedByAbsence(
  absences: readonly Absence[],
  { starts_at: startsAt, offered_at: offeredAt }: { readonly starts_at: Date; readonly offered_at: Date },
): boolean {
  const earlier = absences.filter(({ sinceMs }) => offeredAt.getTime() <= sinceMs)
  return isInAnyInterval(earlier, startsAt.getTime())
}
