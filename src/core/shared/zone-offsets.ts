import { DAY_MS } from './duration.ts'
import { makeUtcOffsetLookup } from './zone-probe.ts'

/**
 * The UTC offsets of a zone as periods of constant offset, oldest first, in three parallel lists. Iterate with an index
 * that only increases, and a whole range of days needs no search.
 */
export type ZoneOffsets = {
  /** Local clock minus UTC during the period. */
  readonly offsetMs: readonly number[]
  /** Instant at which the period ends; Infinity for the last. */
  readonly untilMs: readonly number[]
  /** The clock reading, written as if it were UTC, at which the next period starts; see `wallTimeToEpochMs`. */
  readonly wallUntilMs: readonly number[]
}

type Table = ZoneOffsets & { readonly knownFromMs: number; readonly knownUntilMs: number }

/** Years 1968 to 2204: those of `isDate`, plus a margin for ranges that begin or end in them. */
const EARLIEST_MS = -2 * 366 * DAY_MS
const LATEST_MS = 234.5 * 365.25 * DAY_MS

/** Tables grow in steps of four years (0.6 ms of work), which is longer than anybody can book ahead. */
const CHUNK_MS = 1_461 * DAY_MS

/** Maximum time span of a table: forty years, which takes 6 ms to compute. No practice looks back further than that. */
const LONGEST_MS = 10 * CHUNK_MS

/**
 * No zone since 1969 kept an offset for less than seven days (Noronha, October 2000), so this step finds every change.
 */
const PROBE_STEP_MS = 3 * DAY_MS

/** There are fewer zones than this. */
const MAX_TABLES = 700

/**
 * Tables by canonical zone name; callers resolve aliases first. Offsets never change, so a cache hit and a miss return
 * the same result.
 */
const tables = new Map<string, Table>()

/** True when an instant lies in the years that tables cover. False for NaN. */
export function isInOffsetTableRange(epochMs: number): boolean {
  return epochMs >= EARLIEST_MS && epochMs < LATEST_MS
}

/**
 * Returns the offsets of a zone, complete at least from `fromMs` to `untilMs`.
 * @throws RangeError when the zone is unknown, or the time is outside 1968 to 2204
 */
export function getZoneOffsets(timeZone: string, fromMs: number, untilMs: number): ZoneOffsets {
  const known = tables.get(timeZone)
  if (known !== undefined && known.knownFromMs <= fromMs && untilMs <= known.knownUntilMs) return known
  if (!isInOffsetTableRange(fromMs) || !isInOffsetTableRange(untilMs))
    throw new RangeError('time outside 1968 to 2204')
  const table = buildTable(timeZone, rangeToKnow(known, fromMs, untilMs))
  tables.delete(timeZone)
  for (const oldest of tables.keys()) {
    if (tables.size < MAX_TABLES) break
    tables.delete(oldest)
  }
  tables.set(timeZone, table)
  return table
}

/** Returns the index of the period that contains an instant, searching from `index` in either direction. */
export function findOffsetPeriodIndex(zone: ZoneOffsets, epochMs: number, index = 0): number {
  let i = index
  while (i > 0 && epochMs < (zone.untilMs[i - 1] ?? 0)) i--
  while (epochMs >= (zone.untilMs[i] ?? Infinity)) i++
  return i
}

/** Returns the instant at which a period begins; -Infinity for the first. */
export function offsetPeriodStartMs(zone: ZoneOffsets, index: number): number {
  return index === 0 ? -Infinity : (zone.untilMs[index - 1] ?? Infinity)
}

/**
 * Converts a clock reading `wallMs` (written as if it were UTC) to an instant, searching from period `index`. A reading
 * that occurs twice means the first; a skipped reading uses the offset before the gap. Both follow because each period
 * covers every reading below the later of the two readings at its end. Source: RFC 5545 §3.3.5, Temporal's
 * `compatible`; rule T2.
 */
export function wallTimeToEpochMs(zone: ZoneOffsets, wallMs: number, index = 0): number {
  let i = index
  while (wallMs >= (zone.wallUntilMs[i] ?? Infinity)) i++
  return wallMs - (zone.offsetMs[i] ?? 0)
}

type Range = Pick<Table, 'knownFromMs' | 'knownUntilMs'>

/**
 * Rounds the requested range to whole chunks and merges it with the known range, unless that is too far away; then the
 * known range is dropped.
 */
function rangeToKnow(known: Range | undefined, fromMs: number, untilMs: number): Range {
  const asked = {
    knownFromMs: Math.floor(fromMs / CHUNK_MS) * CHUNK_MS,
    // The end of a chunk is the start of the next, so an instant there belongs to the next chunk.
    knownUntilMs: (Math.floor(untilMs / CHUNK_MS) + 1) * CHUNK_MS,
  }
  if (known === undefined) return asked
  const both = {
    knownFromMs: Math.min(known.knownFromMs, asked.knownFromMs),
    knownUntilMs: Math.max(known.knownUntilMs, asked.knownUntilMs),
  }
  return both.knownUntilMs - both.knownFromMs <= LONGEST_MS ? both : asked
}

function buildTable(timeZone: string, { knownFromMs, knownUntilMs }: Range): Table {
  const offsetAt = makeUtcOffsetLookup(timeZone)
  let offset = offsetAt(knownFromMs)
  const offsetMs = [offset]
  const untilMs: number[] = []
  const wallUntilMs: number[] = []
  for (let at = knownFromMs; at < knownUntilMs; at += PROBE_STEP_MS) {
    const next = offsetAt(at + PROBE_STEP_MS)
    if (next === offset) continue
    const change = findChangeMs(offsetAt, at, at + PROBE_STEP_MS)
    untilMs.push(change)
    wallUntilMs.push(change + Math.max(offset, next))
    offsetMs.push(next)
    offset = next
  }
  untilMs.push(Infinity)
  wallUntilMs.push(Infinity)
  return { offsetMs, untilMs, wallUntilMs, knownFromMs, knownUntilMs }
}

/** Returns the first millisecond after `beforeMs` with a different offset; the offset at `afterMs` must differ. */
function findChangeMs(offsetAt: (epochMs: number) => number, beforeMs: number, afterMs: number): number {
  const offset = offsetAt(beforeMs)
  let before = beforeMs
  let after = afterMs
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle) === offset) before = middle
    else after = middle
  }
  return after
}
