import type { Interval } from '#core/shared/interval.ts'
import { stretchAt, zoneOffsets } from '#core/shared/zone-offsets.ts'

/** A stretch of time in which a zone has one offset from UTC. */
export type ClockStretch = Interval & {
  /** Local clock minus UTC, in milliseconds. */
  readonly offsetMs: number
}

/**
 * Lists the stretches between clock changes that cover an interval, the earliest first. SQL computes local times from them, so it
 * needs no time zone data of the database. Source: rule N1.
 */
export function listClockStretches(timeZone: string, { startMs, endMs }: Interval): ClockStretch[] {
  const zone = zoneOffsets(timeZone, startMs, endMs)
  const stretches: ClockStretch[] = []
  for (let atMs = startMs, i = stretchAt(zone, startMs); atMs < endMs; i += 1) {
    const untilMs = Math.min(zone.untilMs[i] ?? Infinity, endMs)
    stretches.push({ startMs: atMs, endMs: untilMs, offsetMs: zone.offsetMs[i] ?? 0 })
    atMs = untilMs
  }
  return stretches
}
