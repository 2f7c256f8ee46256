import type { Interval } from '#core/shared/interval.ts'
import { findOffsetPeriodIndex, getZoneOffsets } from '#core/shared/zone-offsets.ts'

/** A period in which a time zone keeps one UTC offset. */
export type UtcOffsetPeriod = Interval & {
  /** Local clock minus UTC, in milliseconds. */
  readonly offsetMs: number
}

/**
 * Lists the periods of constant UTC offset within an interval, earliest first. SQL uses them to compute local times, so
 * the database needs no time zone data. Source: rule N1.
 */
export function listUtcOffsetPeriods(timeZone: string, { startMs, endMs }: Interval): UtcOffsetPeriod[] {
  const zone = getZoneOffsets(timeZone, startMs, endMs)
  const periods: UtcOffsetPeriod[] = []
  for (let atMs = startMs, i = findOffsetPeriodIndex(zone, startMs); atMs < endMs; i += 1) {
    const untilMs = Math.min(zone.untilMs[i] ?? Infinity, endMs)
    periods.push({ startMs: atMs, endMs: untilMs, offsetMs: zone.offsetMs[i] ?? 0 })
    atMs = untilMs
  }
  return periods
}
