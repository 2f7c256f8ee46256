import { DAY_MS } from '#core/shared/duration.ts'
import { type EventTime, type EventZone, toInstantMs, toWallMs, UTC } from './event-zones.ts'

/** The occurrences that some EXDATEs or RECURRENCE-IDs mean. */
export type NamedTimes = {
  readonly instants: ReadonlySet<number>
  /** Days since 1970 on the clocks of the series. */
  readonly days: ReadonlySet<number>
}

/**
 * Which occurrences of a series some times mean. Programs mix dates and times: a date means what begins on its day, and of a series of
 * days a time means its day. `dayZone`: the zone of such a series; null for a series of times.
 */
export function toOccurrenceNames(times: readonly EventTime[], dayZone: EventZone | null): NamedTimes {
  const instants = new Set<number>()
  const days = new Set<number>()
  // In order: a zone that is asked about far years in turn works out its offsets anew each time.
  for (const time of times.toSorted((a, b) => a.wallMs - b.wallMs)) {
    if (time.isDate) days.add(dayOf(time.wallMs))
    else if (dayZone === null) instants.add(toInstantMs(time))
    else days.add(findDay(time, dayZone))
  }
  return { instants, days }
}

/**
 * The day of a series of days that a time means, in days since 1970: the one that begins then, or the day that is written. A time in UTC
 * that is no midnight is on the day that the clocks of the series show.
 */
export function findDay(time: EventTime, dayZone: EventZone): number {
  const wallMs = toWallMs(toInstantMs(time), dayZone)
  const isWritten = wallMs % DAY_MS !== 0 && (time.zone !== UTC || time.wallMs % DAY_MS === 0)
  return dayOf(isWritten ? time.wallMs : wallMs)
}

/** Whether an occurrence is among them: by its instant, or by the day of its clock reading. */
export function isNamed(
  { instants, days }: NamedTimes,
  { idMs, wallMs }: { readonly idMs: number; readonly wallMs: number },
): boolean {
  return instants.has(idMs) || days.has(dayOf(wallMs))
}

function dayOf(wallMs: number): number {
  return Math.floor(wallMs / DAY_MS)
}
