import { DAY_MS } from './duration.ts'
import { makeOffsetProbe } from './zone-probe.ts'

/**
 * The UTC offsets of one zone, as stretches of constant offset, oldest first. The three lists run in parallel.
 * Read them with an index that only moves on, and a whole range of days costs no search.
 */
export type ZoneOffsets = {
  /** Local clock minus UTC during the stretch. */
  readonly offsetMs: readonly number[]
  /** Instant at which the stretch ends; Infinity for the last. */
  readonly untilMs: readonly number[]
  /** Clock reading, written as if it were UTC, from which a later stretch applies; see `wallToEpochMs`. */
  readonly wallUntilMs: readonly number[]
}

type Table = ZoneOffsets & { readonly knownFromMs: number; readonly knownUntilMs: number }

/** Years 1968 to 2204: those of `isDate`, and room for a range that begins or ends in them. */
const EARLIEST_MS = -2 * 366 * DAY_MS
const LATEST_MS = 234.5 * 365.25 * DAY_MS

/** Tables grow by this much at a time, four years: 0.6 ms of work. It is more than anybody can book ahead. */
const CHUNK_MS = 1_461 * DAY_MS

/** A table covers no more than forty years, 6 ms of work: more than a practice looks back on. */
const LONGEST_MS = 10 * CHUNK_MS

/** Finds every change, as no zone since 1969 kept an offset for less than seven days (Noronha, October 2000). */
const PROBE_STEP_MS = 3 * DAY_MS

/** More than the world has zones. */
const MAX_TABLES = 700

/**
 * Zone → table, by the name under which zones are stored: callers translate a name from outside first. Only values that
 * never change are cached, so a hit and a miss give the same answer.
 */
const tables = new Map<string, Table>()

/** Whether an instant lies in the years whose offsets are kept in tables. False for NaN. */
export function isWithinTables(epochMs: number): boolean {
  return epochMs >= EARLIEST_MS && epochMs < LATEST_MS
}

/**
 * The offsets of a zone, complete at least from `fromMs` to `untilMs`.
 *
 * @throws RangeError when the zone is unknown, or the time is outside 1968 to 2204
 */
export function zoneOffsets(timeZone: string, fromMs: number, untilMs: number): ZoneOffsets {
  const known = tables.get(timeZone)
  if (known !== undefined && known.knownFromMs <= fromMs && untilMs <= known.knownUntilMs) return known
  if (!isWithinTables(fromMs) || !isWithinTables(untilMs)) throw new RangeError('time outside 1968 to 2204')
  const table = buildTable(timeZone, rangeToKnow(known, fromMs, untilMs))
  tables.delete(timeZone)
  for (const oldest of tables.keys()) {
    if (tables.size < MAX_TABLES) break
    tables.delete(oldest)
  }
  tables.set(timeZone, table)
  return table
}

/** Index of the stretch that holds an instant, looking from `index` in either direction. */
export function stretchAt(zone: ZoneOffsets, epochMs: number, index = 0): number {
  let i = index
  while (i > 0 && epochMs < (zone.untilMs[i - 1] ?? 0)) i--
  while (epochMs >= (zone.untilMs[i] ?? Infinity)) i++
  return i
}

/** Instant at which a stretch begins; -Infinity for the first. */
export function stretchStartMs(zone: ZoneOffsets, index: number): number {
  return index === 0 ? -Infinity : (zone.untilMs[index - 1] ?? Infinity)
}

/**
 * The instant at which the clock reads `wallMs` (written as if it were UTC), looking from stretch `index` on. A reading
 * that occurs twice means the first; one that does not occur is read with the offset before the gap. Both follow from
 * using a stretch for every reading below the later of the two readings at its end.
 *
 * Source: RFC 5545 §3.3.5, Temporal's `compatible`; rule T2.
 */
export function wallToEpochMs(zone: ZoneOffsets, wallMs: number, index = 0): number {
  let i = index
  while (wallMs >= (zone.wallUntilMs[i] ?? Infinity)) i++
  return wallMs - (zone.offsetMs[i] ?? 0)
}

type Range = Pick<Table, 'knownFromMs' | 'knownUntilMs'>

/** The requested time in whole chunks, joined with what is known. When that is too far away, it is dropped instead. */
function rangeToKnow(known: Range | undefined, fromMs: number, untilMs: number): Range {
  const asked = {
    knownFromMs: Math.floor(fromMs / CHUNK_MS) * CHUNK_MS,
    // The end of a chunk is the beginning of the next: an instant there is within that one.
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
  const offsetAt = makeOffsetProbe(timeZone)
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

/** The first millisecond after `beforeMs` whose offset differs; `afterMs` is known to differ. */
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
