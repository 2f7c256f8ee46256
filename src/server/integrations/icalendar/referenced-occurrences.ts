import { DAY_MS } from '#core/shared/duration.ts'
import { type EventTime, type EventZone, toInstantMs, toWallMs, UTC_ZONE } from './event-zones.ts'

/** The occurrences that EXDATE or RECURRENCE-ID properties refer to. */
export type ReferencedOccurrences = {
  readonly instants: ReadonlySet<number>
  /** The days referred to, in days since 1970 in the series' zone. */
  readonly days: ReadonlySet<number>
}

/**
 * Resolves references to occurrences. Programs mix dates and times: a date refers to whatever begins on that day, and
 * in an all-day series a time refers to its day. `dayZone`: the zone of an all-day series; null for a timed series.
 */
export function toReferencedOccurrences(
  times: readonly EventTime[],
  dayZone: EventZone | null,
): ReferencedOccurrences {
  const instants = new Set<number>()
  const days = new Set<number>()
  // Sort the times first, because alternating between distant years would recompute the zone's offsets each time.
  for (const time of times.toSorted((a, b) => a.wallMs - b.wallMs)) {
    if (time.isDate) days.add(dayOf(time.wallMs))
    else if (dayZone === null) instants.add(toInstantMs(time))
    else days.add(toReferencedDay(time, dayZone))
  }
  return { instants, days }
}

/**
 * Returns the day of an all-day series that a time refers to, in days since 1970: the day that begins at that instant,
 * or the day as written. A UTC time other than midnight refers to the day in the series' zone.
 */
export function toReferencedDay(time: EventTime, dayZone: EventZone): number {
  const wallMs = toWallMs(toInstantMs(time), dayZone)
  const isWritten = wallMs % DAY_MS !== 0 && (time.zone !== UTC_ZONE || time.wallMs % DAY_MS === 0)
  return dayOf(isWritten ? time.wallMs : wallMs)
}

/** True when an occurrence is referred to by its instant, or by the day of its clock reading. */
export function isOccurrenceReferenced(
  { instants, days }: ReferencedOccurrences,
  { idMs, wallMs }: { readonly idMs: number; readonly wallMs: number },
): boolean {
  return instants.has(idMs) || days.has(dayOf(wallMs))
}

function dayOf(wallMs: number): number {
  return Math.floor(wallMs / DAY_MS)
}
