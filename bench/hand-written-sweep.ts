import type { OpenDay, OpenSlotsQuery, Slot } from '#core/scheduling/open-slots.ts'
import type { ZoneOffsets } from '#core/shared/zone-offsets.ts'

const DAY_MS = 86_400_000
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export type SweepInput = {
  readonly query: OpenSlotsQuery
  readonly zone: ZoneOffsets
  /** In order, busy times that do not overlap. */
  readonly busyStartsMs: Float64Array
  readonly busyEndsMs: Float64Array
}

/**
 * What a careful person writes for the easy case and no other: one pass, with the busy times sorted and the zone at hand.
 * It leaves out what the rules ask for besides: openings that touch, clocks that change while open, a buffer, the
 * location, leap years, busy times in any order. The engine is measured against it.
 */
export function sweepByHand({ query, zone, busyStartsMs, busyEndsMs }: SweepInput): OpenDay[] {
  const { openings, firstDate, dayCount, nowMs } = query
  const stepMs = query.rules.slotMinutes * 60_000
  const durationMs = query.durationMinutes * 60_000
  const afterMs = nowMs ?? -Infinity
  let year = Number(firstDate.slice(0, 4))
  let month = Number(firstDate.slice(5, 7))
  let dayOfMonth = Number(firstDate.slice(8))
  let midnightMs = Date.UTC(year, month - 1, dayOfMonth)
  let weekday = (midnightMs / DAY_MS + 4) % 7
  let stretch = 0
  let next = 0
  const days: OpenDay[] = []
  for (let i = 0; i < dayCount; i++) {
    const slots: Slot[] = []
    days.push({
      date: `${year}-${month < 10 ? '0' : ''}${month}-${dayOfMonth < 10 ? '0' : ''}${dayOfMonth}`,
      slots,
    })
    for (const opening of openings) {
      if (opening.dayOfWeek !== weekday) continue
      const startWallMs = midnightMs + opening.startSeconds * 1_000
      while (startWallMs >= (zone.wallUntilMs[stretch] as number)) stretch++
      const offsetMs = zone.offsetMs[stretch] as number
      const lastMs = midnightMs + opening.endSeconds * 1_000 - offsetMs - durationMs
      for (let startMs = startWallMs - offsetMs; startMs <= lastMs; startMs += stepMs) {
        if (startMs <= afterMs) continue
        const endMs = startMs + durationMs
        while (next < busyEndsMs.length && (busyEndsMs[next] as number) <= startMs) next++
        if (next < busyStartsMs.length && (busyStartsMs[next] as number) < endMs) continue
        slots.push({ startsAtMs: startMs, endsAtMs: endMs })
      }
    }
    midnightMs += DAY_MS
    weekday = weekday === 6 ? 0 : weekday + 1
    if (++dayOfMonth > (DAYS_IN_MONTH[month - 1] as number)) {
      dayOfMonth = 1
      if (++month > 12) {
        month = 1
        year++
      }
    }
  }
  return days
}
