import type { ZoneOffsets } from '#core/shared/zone-offsets.ts'
import { listOpeningIntervals, type OpeningHours, type OpeningInterval } from './opening-times.ts'
import type { WeeklyOpening } from './weekly-opening.ts'

/** The weekly hours of an appointment type, unordered. None when it can be booked whenever its calendar is open. */
export type TypeHours = { readonly typeOpenings?: readonly WeeklyOpening[] }

/** The opening hours of a type on their own, which special days do not change. Source: rule T60. */
export function toTypeOpeningHours({ typeOpenings = [] }: TypeHours): OpeningHours {
  return { openings: typeOpenings, specialDays: [] }
}

/**
 * Lists the openings in which a type starts, by start: those of its calendar, or the parts of its own in which the calendar is
 * open. The grid of a part is that of the type's opening. Source: rules T60 and T61.
 */
export function listTypeOpeningIntervals(
  hours: OpeningHours & TypeHours,
  zone: ZoneOffsets,
  firstDay: number,
  dayCount: number,
): readonly OpeningInterval[] {
  const openings = listOpeningIntervals(hours, zone, firstDay, dayCount)
  if (!hours.typeOpenings?.length) return openings
  const own = listOpeningIntervals(toTypeOpeningHours(hours), zone, firstDay, dayCount)
  const parts: OpeningInterval[] = []
  let next = 0
  for (const run of joinOpenings(openings)) {
    while (next < own.length && (own[next]?.endMs ?? 0) <= run.startMs) next++
    for (let i = next; i < own.length; i++) {
      const { startMs, endMs, gridMs, open } = own[i] as OpeningInterval
      if (startMs >= run.endMs) break
      const part = { startMs: Math.max(startMs, run.startMs), endMs: Math.min(endMs, run.endMs) }
      if (part.startMs < part.endMs)
        parts.push({ ...part, gridMs, open: { ...open, untilMs: Math.min(open.untilMs, run.endMs) } })
    }
  }
  return parts.sort((a, b) => a.startMs - b.startMs)
}

/** Lists the times in which a calendar is open without interruption. */
function joinOpenings(openings: readonly OpeningInterval[]) {
  const firstOfEach = openings.filter(({ open }, i) => open !== openings[i - 1]?.open)
  return firstOfEach.map(({ startMs, open }) => ({ startMs, endMs: open.untilMs }))
}
