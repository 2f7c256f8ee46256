import { DAY_MS, HOUR_MS } from '#core/shared/duration.ts'
import type { ZoneOffsets } from '#core/shared/zone-offsets.ts'
import { parseContentLine } from './content-line.ts'
import {
  buildFixedZone,
  buildKnownZone,
  buildUncertainZone,
  type EventZone,
  PRECOMPUTED_YEARS,
  UNKNOWN_ZONE,
} from './event-zones.ts'
import { expandRecurrenceRule, toMaxStepsPerRule } from './expand-recurrence-rule.ts'
import { parseRecurrenceRule } from './recurrence-rule.ts'
import { readOffset, readTimeValue } from './time-values.ts'
import type { WorkCounter } from './work-counter.ts'

/** A parsed VTIMEZONE. `isCertain` is true when all of it is readable. */
export type ZoneDefinition = {
  readonly zone: EventZone
  readonly isCertain: boolean
  /** X-LIC-LOCATION: the zone's IANA name, written by many programs. */
  readonly location: string | null
}

/** A STANDARD or DAYLIGHT part of a definition. Offsets are null when missing or unreadable. */
type Observance = {
  readonly starts: readonly number[]
  readonly rules: readonly string[]
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly isReadable: boolean
}

type Onset = { readonly atMs: number; readonly fromMs: number; readonly toMs: number }

/** Zone rules are expanded from this year on. After its last change, a zone keeps its offset. */
const FIRST_YEAR_MS = Date.UTC(1900, 0, 1)
/**
 * Margin after the last year for which rules are expanded: a definition can write a neighbouring clock change in a
 * different offset.
 */
const ROOM_MS = 400 * DAY_MS
/**
 * Maximum number of parts of a definition. A real one has about ten, or a few hundred dates if it lists each change.
 * Source: rule G25.
 */
const MAX_PARTS = 500
const MAX_DATES = 5_000
/** Larger UTC offsets are rejected. None on earth is larger. */
const FARTHEST_MS = 24 * HOUR_MS

/**
 * Computes the offsets that a VTIMEZONE describes. Before its first onset, the offset from which that onset changes
 * applies. Null when nothing is readable. Source: RFC 5545 §3.6.5.
 * @throws CalendarTooLargeError
 */
export function readZoneDefinition(lines: readonly string[], work: WorkCounter): ZoneDefinition | null {
  const { observances, location } = toObservances(lines)
  const offsets = observances.flatMap(({ fromMs, toMs }) => [fromMs, toMs].filter((one) => one !== null))
  const [smallest, largest] = [Math.min(...offsets), Math.max(...offsets)]
  if (offsets.length === 0)
    return location === null ? null : { zone: UNKNOWN_ZONE, isCertain: false, location }
  const onsets =
    observances.length <= MAX_PARTS && observances.every(({ isReadable }) => isReadable)
      ? listOnsets(observances, work)
      : null
  if (onsets === null) {
    return { zone: buildUncertainZone(smallest, largest), isCertain: false, location }
  }
  return { zone: buildKnownZone(toTable(onsets, smallest)), isCertain: true, location }
}

function toObservances(lines: readonly string[]): { observances: Observance[]; location: string | null } {
  const parts: string[][] = []
  let location: string | null = null
  let isInside = false
  for (const line of lines) {
    const { name, value } = parseContentLine(line)
    if (name === 'BEGIN') {
      isInside = /^(STANDARD|DAYLIGHT)$/i.test(value)
      if (isInside) parts.push([])
    } else if (name === 'END') isInside = false
    else if (isInside) parts.at(-1)?.push(line)
    else if (name === 'X-LIC-LOCATION') location = value
  }
  return { observances: parts.map(toObservance), location }
}

function toObservance(lines: readonly string[]): Observance {
  const read = lines.map(parseContentLine)
  const textOf = (wanted: string) => read.find(({ name }) => name === wanted)?.value
  const offsetOf = (wanted: string) => {
    const ms = readOffset(textOf(wanted) ?? '')
    return ms !== null && Math.abs(ms) < FARTHEST_MS ? ms : null
  }
  const [fromMs, toMs] = [offsetOf('TZOFFSETFROM'), offsetOf('TZOFFSETTO')]
  const dates = read.flatMap(({ name, value }) =>
    name === 'RDATE' ? value.split(',').map((one) => one.split('/')[0] ?? '') : [],
  )
  const start = textOf('DTSTART')
  const starts = [...(start === undefined ? [] : [start]), ...dates].slice(0, MAX_DATES + 1)
  const wallMs = starts.map((text) => toOnsetReading(text, fromMs ?? toMs ?? 0))
  return {
    // A part without a start has always applied.
    starts:
      start === undefined
        ? [FIRST_YEAR_MS, ...wallMs.filter((ms) => ms !== null)]
        : wallMs.filter((ms) => ms !== null),
    rules: read.flatMap(({ name, value }) => (name === 'RRULE' && value !== '' ? [value] : [])),
    fromMs,
    toMs,
    isReadable: toMs !== null && starts.length <= MAX_DATES && !wallMs.includes(null),
  }
}

/** Converts an onset to the clock reading before the change. */
function toOnsetReading(text: string, fromMs: number): number | null {
  const value = readTimeValue(text)
  if (value === null || value.kind === 'day') return null
  return value.offsetMs === null ? value.wallMs : value.wallMs - value.offsetMs + fromMs
}

/**
 * Lists the clock changes of all parts; null when a rule is unreadable, or when it changes the clocks implausibly
 * often.
 */
function listOnsets(observances: readonly Observance[], work: WorkCounter): Onset[] | null {
  const maxSteps = toMaxStepsPerRule(observances.length)
  const onsets: Onset[] = []
  for (const observance of observances) {
    const toMs = observance.toMs ?? 0
    const fromMs = observance.fromMs ?? toMs
    const wallMs = listReadings(observance, { fromMs, maxSteps, work })
    if (wallMs === null) return null
    work.spend(wallMs.length)
    for (const ms of wallMs) onsets.push({ atMs: ms - fromMs, fromMs, toMs })
  }
  return onsets.sort((a, b) => a.atMs - b.atMs)
}

/** Lists the onsets of one part as clock readings before the change. */
function listReadings(
  { starts, rules }: Observance,
  {
    fromMs,
    maxSteps,
    work,
  }: { readonly fromMs: number; readonly maxSteps: number; readonly work: WorkCounter },
): number[] | null {
  const start = { wallMs: starts[0] ?? FIRST_YEAR_MS, zone: buildFixedZone(fromMs), isDate: false }
  const within = { startMs: FIRST_YEAR_MS, endMs: PRECOMPUTED_YEARS.endMs + ROOM_MS }
  const wallMs = [...starts]
  for (const rule of rules.map(parseRecurrenceRule)) {
    const repetitions = rule.isReadable ? expandRecurrenceRule(rule, { start, within, maxSteps, work }) : null
    if (repetitions?.kind !== 'starts' || repetitions.wallMs.length > MAX_DATES) return null
    wallMs.push(...repetitions.wallMs)
  }
  return wallMs
}

function toTable(onsets: readonly Onset[], otherwiseMs: number): ZoneOffsets {
  const first = onsets[0]?.fromMs ?? otherwiseMs
  const offsetMs = [first]
  const untilMs: number[] = []
  const wallUntilMs: number[] = []
  for (const { atMs, toMs } of onsets) {
    const before = offsetMs.at(-1) ?? first
    if (toMs === before) continue
    untilMs.push(atMs)
    wallUntilMs.push(atMs + Math.max(before, toMs))
    offsetMs.push(toMs)
  }
  return { offsetMs, untilMs: [...untilMs, Infinity], wallUntilMs: [...wallUntilMs, Infinity] }
}

/**
 * True when a definition and a zone share an offset at some point in these years. Otherwise the definition means a
 * different zone.
 */
export function haveCommonOffset(definition: EventZone, zone: EventZone): boolean {
  const list = ({ offsets }: EventZone) => {
    const { offsetMs, untilMs } = offsets(COMPARED.startMs, COMPARED.endMs)
    return offsetMs.filter(
      (_, index) =>
        (untilMs[index] ?? 0) > COMPARED.startMs &&
        (untilMs[index - 1] ?? Number.NEGATIVE_INFINITY) < COMPARED.endMs,
    )
  }
  const offsets = new Set(list(definition))
  return list(zone).some((offset) => offsets.has(offset))
}

const COMPARED = { startMs: Date.UTC(2024, 0, 1), endMs: Date.UTC(2032, 0, 1) }
