import type { Interval } from '#core/shared/interval.ts'
import { stretchAt, zoneOffsets } from '#core/shared/zone-offsets.ts'

/** A stretch of time in which the clocks of a zone keep their distance to UTC. */
export type ClockStretch = Interval & {
  /** Local clock minus UTC, in milliseconds. */
  readonly offsetMs: number
}

/**
 * The stretches between two changes of the clocks that cover a time, the earliest first. With them a database reads the clocks of
 * a calendar as the rest of the product does, without zones of its own. Source: rule N1.
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
