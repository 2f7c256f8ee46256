import type { ZoneOffsets } from '#core/shared/zone-offsets.ts'
import type { OpenDay, OpenSlotsQuery } from '#core/slots/open-slots.ts'

const DAY_MS = 86_400_000
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export type HandWrittenScanInput = {
  readonly query: OpenSlotsQuery
  readonly zone: ZoneOffsets
  /** All start times in order, and all end times in order. */
  readonly busyStartsMs: Float64Array
  readonly busyEndsMs: Float64Array
}

/**
 * The code that a careful developer would write for the simple case only: one pass over sorted busy times with a prepared time
 * zone. It omits other requirements of the rules: openings that touch or are unordered, clock changes during openings, buffers,
 * locations, the last bookable day, leap years, unordered busy times. The engine is compared with it.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one function, as code written only for speed would be
export function scanByHand(input: HandWrittenScanInput): OpenDay[] {
  const { query, zone, busyStartsMs, busyEndsMs } = input
  const { firstDate, dayCount, openings } = query
  const stepMs = query.rules.slotMinutes * 60_000
  const durationMs = query.durationMinutes * 60_000
  const afterMs = query.nowMs ?? -Infinity
  const busyCount = busyStartsMs.length
  let year = Number(firstDate.slice(0, 4))
  let month = Number(firstDate.slice(5, 7))
  let dayOfMonth = Number(firstDate.slice(8))
  let midnightMs = Date.UTC(year, month - 1, dayOfMonth)
  let weekday = (midnightMs / DAY_MS + 4) % 7
  let stretch = 0
  let begun = 0
  let ended = 0
  const days: OpenDay[] = []
  for (let i = 0; i < dayCount; i++) {
    const startsMs: number[] = []
    days.push({
      date: `${year}-${month < 10 ? '0' : ''}${month}-${dayOfMonth < 10 ? '0' : ''}${dayOfMonth}`,
      startsMs,
    })
    for (const opening of openings) {
      if (opening.dayOfWeek !== weekday) continue
      const startWallMs = midnightMs + opening.startSeconds * 1_000
      // Every index with `as number` in this file is within its array.
      while (startWallMs >= (zone.wallUntilMs[stretch] as number)) stretch++
      const offsetMs = zone.offsetMs[stretch] as number
      const lastMs = midnightMs + opening.endSeconds * 1_000 - offsetMs - durationMs
      for (let startMs = startWallMs - offsetMs; startMs <= lastMs; startMs += stepMs) {
        if (startMs <= afterMs) continue
        const endMs = startMs + durationMs
        while (begun < busyCount && (busyStartsMs[begun] as number) < endMs) begun++
        while (ended < busyCount && (busyEndsMs[ended] as number) <= startMs) ended++
        if (begun === ended) startsMs.push(startMs)
      }
    }
    midnightMs += DAY_MS
    weekday = weekday === 6 ? 0 : weekday + 1
    dayOfMonth++
    if (dayOfMonth > (DAYS_IN_MONTH[month - 1] as number)) {
      dayOfMonth = 1
      month = month === 12 ? 1 : month + 1
      if (month === 1) year++
    }
  }
  return days
}
