import { DAY_MS, HOUR_MS } from '#core/shared/duration.ts'
import { stretchAt, wallToEpochMs, type ZoneOffsets, zoneOffsets } from '#core/shared/zone-offsets.ts'

/** The clocks on which a time of an event is read. */
export type EventZone = {
  /** Complete between two clock readings or instants of the years `NEAR`. */
  readonly offsets: (fromMs: number, untilMs: number) => ZoneOffsets
  /**
   * Of a zone that nobody knows: how much earlier and later than by `offsets` a time may be, in milliseconds. An event in it takes
   * all the time that may be meant. Source: rule G30.
   */
  readonly earlyMs: number
  readonly lateMs: number
}

/** A time of an event on the clocks of its zone. */
export type EventTime = {
  /** The clock reading, written as if it were UTC. */
  readonly wallMs: number
  readonly zone: EventZone
  readonly isDate: boolean
}

/** The years of which all offsets of a zone fit into one table. */
export const NEAR = { startMs: Date.UTC(2014, 0, 1), endMs: Date.UTC(2046, 0, 1) }
/** The calendar comes back after 28 years, with its leap year and the days of the week. */
const CYCLE_MS = 28 * 365.25 * DAY_MS

/** Offsets on earth. */
const LARGEST_OFFSET_MS = 14 * HOUR_MS
const SMALLEST_OFFSET_MS = -12 * HOUR_MS

/** Zones by their IANA names, so that a time in the same zone has the same object. */
const named = new Map<string, EventZone>()
/** More than the world has zones. */
const MAX_NAMED = 700

/** The zone of an IANA name, which exists. */
export function toEventZone(name: string): EventZone {
  const known = named.get(name)
  if (known !== undefined) return known
  const zone: EventZone = {
    offsets: (fromMs, untilMs) => zoneOffsets(name, fromMs, untilMs),
    earlyMs: 0,
    lateMs: 0,
  }
  if (named.size < MAX_NAMED) named.set(name, zone)
  return zone
}

export const UTC = toEventZone('UTC')

/** A zone of which all changes of the clocks are known. */
export function buildKnownZone(offsets: ZoneOffsets): EventZone {
  return { offsets: () => offsets, earlyMs: 0, lateMs: 0 }
}

export function buildFixedZone(offsetMs: number): EventZone {
  return buildKnownZone({ offsetMs: [offsetMs], untilMs: [Infinity], wallUntilMs: [Infinity] })
}

/** A zone of which only this is known: its offset is between these two. */
export function buildUncertainZone(smallestMs: number, largestMs: number): EventZone {
  return { offsets: UTC.offsets, earlyMs: largestMs, lateMs: -smallestMs }
}

/** A zone of which nothing is known has some offset of those on earth. */
export const UNKNOWN_ZONE = buildUncertainZone(SMALLEST_OFFSET_MS, LARGEST_OFFSET_MS)

export function isUncertain({ earlyMs, lateMs }: EventZone): boolean {
  return earlyMs !== -lateMs
}

/** The instant at which the clocks of a zone show a reading. Of an uncertain zone: the one by UTC. */
export function toInstantMs({ wallMs, zone }: Pick<EventTime, 'wallMs' | 'zone'>): number {
  const nearMs = toNearYears(wallMs)
  return wallToEpochMs(offsetsAround(zone, nearMs), nearMs) + wallMs - nearMs
}

/** What the clocks of a zone show at an instant. */
export function toWallMs(atMs: number, zone: EventZone): number {
  const nearMs = toNearYears(atMs)
  const offsets = offsetsAround(zone, nearMs)
  return atMs + (offsets.offsetMs[stretchAt(offsets, nearMs)] ?? 0)
}

function offsetsAround(zone: EventZone, ms: number): ZoneOffsets {
  return zone.offsets(ms - 2 * DAY_MS, ms + 2 * DAY_MS)
}

/**
 * A clock reading with the same offset in years that are near. An event that leaps between far years would have the table of a zone
 * worked out anew each time, and which offset it has there makes no difference: no copy goes that far.
 */
function toNearYears(wallMs: number): number {
  const before = Math.max(0, Math.ceil((NEAR.startMs - wallMs) / CYCLE_MS))
  const after = Math.max(0, Math.ceil((wallMs - NEAR.endMs + 1) / CYCLE_MS))
  return wallMs + (before - after) * CYCLE_MS
}
