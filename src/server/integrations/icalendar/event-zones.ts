import { DAY_MS, HOUR_MS } from '#core/shared/duration.ts'
import {
  findOffsetPeriodIndex,
  getZoneOffsets,
  wallTimeToEpochMs,
  type ZoneOffsets,
} from '#core/shared/zone-offsets.ts'

/** The time zone in which a time of an event is interpreted. */
export type EventZone = {
  /** Returns the zone's offsets. They are complete between two instants or clock readings within `PRECOMPUTED_YEARS`. */
  readonly offsets: (fromMs: number, untilMs: number) => ZoneOffsets
  /**
   * For an unknown zone: how many milliseconds earlier or later than `offsets` a time can be. Its events occupy all the
   * time that could be meant. Source: rule G30.
   */
  readonly earlyMs: number
  readonly lateMs: number
}

/** A time of an event in its zone. */
export type EventTime = {
  /** The clock reading, written as if it were UTC. */
  readonly wallMs: number
  readonly zone: EventZone
  readonly isDate: boolean
}

/** The years whose offsets fit into one table of a zone. */
export const PRECOMPUTED_YEARS = { startMs: Date.UTC(2014, 0, 1), endMs: Date.UTC(2046, 0, 1) }
/** The Gregorian calendar repeats after 28 years, including leap years and weekdays. */
const CYCLE_MS = 28 * 365.25 * DAY_MS

/** The largest UTC offset on earth; the next constant is the smallest. */
const LARGEST_OFFSET_MS = 14 * HOUR_MS
const SMALLEST_OFFSET_MS = -12 * HOUR_MS

/** Cache of zones by IANA name, so that times in the same zone share one object. */
const named = new Map<string, EventZone>()
/** Maximum number of cached zones. There are fewer IANA zones than this. */
const MAX_NAMED = 700

/** Returns the zone of a valid IANA name. */
export function toEventZone(name: string): EventZone {
  const known = named.get(name)
  if (known !== undefined) return known
  const zone: EventZone = {
    offsets: (fromMs, untilMs) => getZoneOffsets(name, fromMs, untilMs),
    earlyMs: 0,
    lateMs: 0,
  }
  if (named.size < MAX_NAMED) named.set(name, zone)
  return zone
}

export const UTC_ZONE = toEventZone('UTC')

/** Builds a zone whose clock changes are all known. */
export function buildKnownZone(offsets: ZoneOffsets): EventZone {
  return { offsets: () => offsets, earlyMs: 0, lateMs: 0 }
}

export function buildFixedZone(offsetMs: number): EventZone {
  return buildKnownZone({ offsetMs: [offsetMs], untilMs: [Infinity], wallUntilMs: [Infinity] })
}

/** Builds a zone that is known only by the range of its offset. */
export function buildUncertainZone(smallestMs: number, largestMs: number): EventZone {
  return { offsets: UTC_ZONE.offsets, earlyMs: largestMs, lateMs: -smallestMs }
}

/** An unknown zone can have any offset that exists on earth. */
export const UNKNOWN_ZONE = buildUncertainZone(SMALLEST_OFFSET_MS, LARGEST_OFFSET_MS)

export function isUncertainTime({ earlyMs, lateMs }: EventZone): boolean {
  return earlyMs !== -lateMs
}

/** Converts a clock reading in a zone to an instant; in an uncertain zone as if it were UTC. */
export function toInstantMs({ wallMs, zone }: Pick<EventTime, 'wallMs' | 'zone'>): number {
  const nearMs = toNearYears(wallMs)
  return wallTimeToEpochMs(offsetsAround(zone, nearMs), nearMs) + wallMs - nearMs
}

/** Converts an instant to the clock reading in a zone. */
export function toWallMs(atMs: number, zone: EventZone): number {
  const nearMs = toNearYears(atMs)
  const offsets = offsetsAround(zone, nearMs)
  return atMs + (offsets.offsetMs[findOffsetPeriodIndex(offsets, nearMs)] ?? 0)
}

function offsetsAround(zone: EventZone, ms: number): ZoneOffsets {
  return zone.offsets(ms - 2 * DAY_MS, ms + 2 * DAY_MS)
}

/**
 * Maps a clock reading to one with the same offset within `PRECOMPUTED_YEARS`. An event that alternates between distant years
 * would otherwise have the zone's table recomputed each time, and we store no events of those years anyway.
 */
function toNearYears(wallMs: number): number {
  const before = Math.max(0, Math.ceil((PRECOMPUTED_YEARS.startMs - wallMs) / CYCLE_MS))
  const after = Math.max(0, Math.ceil((wallMs - PRECOMPUTED_YEARS.endMs + 1) / CYCLE_MS))
  return wallMs + (before - after) * CYCLE_MS
}
