import { RRuleTemporal } from 'rrule-temporal'
import { DAY_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { toInstantMs } from './parse-event.ts'

/**
 * When a rule (RFC 5545 §3.3.10) repeats, as clock readings written as if they were UTC; `dense` when it does so all the time,
 * until a reading or without an end.
 */
export type Repetitions =
  | { readonly kind: 'starts'; readonly wallMs: readonly number[] }
  | { readonly kind: 'dense'; readonly untilWallMs: number }

/** Every hour for two years fits. */
const MAX_STEPS = 20_000
/** What all rules of an event share: with the most that it may have (rule G25), every day for two years still fits. */
const MAX_STEPS_OF_EVENT = 100_000
/** Each day of a year fits. Longer lists cost more with every step. */
const LONGEST_RULE = 2_000
/** More than one an hour is a rule that nobody attends one by one. */
const MAX_PER_DAY = 24
const STEP_MS: Readonly<Record<string, number>> = { SECONDLY: 1_000, MINUTELY: 60_000 }

/** How far each of the rules of an event is followed. */
export function shareSteps(rules: number): number {
  return Math.min(MAX_STEPS, Math.floor(MAX_STEPS_OF_EVENT / Math.max(rules, 1)))
}

/**
 * Lists the starts of a series within a stretch of clock readings. The rule is followed on the clock of its zone, whose changes
 * then do not move it. The work is bounded: what repeats more often than hourly, and what takes more steps than `maxSteps`, counts as
 * one time without a gap. A rule that nobody can read repeats never. Source: rules G4 and G25.
 */
export function expandRule(
  rule: string,
  {
    startWallMs,
    zone,
    within,
    maxSteps,
  }: {
    readonly startWallMs: number
    readonly zone: string
    readonly within: Interval
    readonly maxSteps: number
  },
): Repetitions {
  if (rule.length > LONGEST_RULE) return { kind: 'dense', untilWallMs: Number.POSITIVE_INFINITY }
  const parts = toParts(rule)
  const untilWallMs = untilOf(parts.get('UNTIL'), zone) ?? Number.POSITIVE_INFINITY
  if (isDense(parts) || countAtMost(parts, within) > maxSteps)
    return { kind: 'dense', untilWallMs: Math.min(untilWallMs, lastCounted(parts, startWallMs)) }
  parts.delete('UNTIL')
  if (Number.isFinite(untilWallMs)) parts.set('UNTIL', toBasic(untilWallMs))
  try {
    const wallMs = buildRule(parts, startWallMs, maxSteps)
      .between(new Date(within.startMs), new Date(within.endMs), true)
      .map(({ epochMilliseconds }) => epochMilliseconds)
    return { kind: 'starts', wallMs }
  } catch (error) {
    const isTooMuch = error instanceof Error && error.message.startsWith('Maximum ')
    return isTooMuch ? { kind: 'dense', untilWallMs } : { kind: 'starts', wallMs: [] }
  }
}

function buildRule(parts: ReadonlyMap<string, string>, startWallMs: number, maxSteps: number): RRuleTemporal {
  const text = [...parts].map(([name, value]) => `${name}=${value}`).join(';')
  return new RRuleTemporal({
    rruleString: `DTSTART:${toBasic(startWallMs)}\nRRULE:${text}`,
    maxIterations: maxSteps,
  })
}

function toParts(rule: string): Map<string, string> {
  const pairs = rule
    .toUpperCase()
    .split(';')
    .map((part) => part.split('='))
  return new Map(
    pairs.flatMap(([name = '', value = '']) => (name !== '' && value !== '' ? [[name, value]] : [])),
  )
}

function isDense(parts: ReadonlyMap<string, string>): boolean {
  const stepMs = stepOf(parts)
  const isNarrowed = [...parts.keys()].some((name) => name.startsWith('BY'))
  return countTimesOfDay(parts) > MAX_PER_DAY || (stepMs !== null && stepMs < 3_600_000 && !isNarrowed)
}

/** What a rule for days, weeks, months or years can find: of a year it finds all days in one step, so steps do not bound it. */
function countAtMost(parts: ReadonlyMap<string, string>, within: Interval): number {
  return countTimesOfDay(parts) * Math.ceil((within.endMs - within.startMs) / DAY_MS)
}

function countTimesOfDay(parts: ReadonlyMap<string, string>): number {
  return ['BYHOUR', 'BYMINUTE', 'BYSECOND']
    .map((name) => parts.get(name)?.split(',').length ?? 1)
    .reduce((product, count) => product * count, 1)
}

function stepOf(parts: ReadonlyMap<string, string>): number | null {
  const unitMs = STEP_MS[parts.get('FREQ') ?? '']
  return unitMs === undefined ? null : unitMs * Math.max(1, Number(parts.get('INTERVAL') ?? 1) || 1)
}

function lastCounted(parts: ReadonlyMap<string, string>, startWallMs: number): number {
  const count = Number(parts.get('COUNT'))
  const stepMs = stepOf(parts)
  return count > 0 && stepMs !== null ? startWallMs + (count - 1) * stepMs : Number.POSITIVE_INFINITY
}

/** UNTIL is an instant, a clock reading, or a date that belongs to the series; the clock reading of each. */
function untilOf(text: string | undefined, zone: string): number | null {
  const [, year, month, day, time = '235959', utc = ''] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})(Z?))?$/.exec(text ?? '') ?? []
  if (year === undefined) return null
  const [hour, minute, second] = [time.slice(0, 2), time.slice(2, 4), time.slice(4, 6)].map(Number)
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), hour, minute, second)
  if (utc === '') return ms
  const offsetMs = ms - toInstantMs({ wallMs: ms, zone })
  // Of a year far ahead nobody knows the offset, and it makes no difference.
  return Number.isNaN(offsetMs) ? ms : ms + offsetMs
}

/** `20270105T090000Z`. */
function toBasic(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}
