import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { type EventTime, toWallMs } from './event-zones.ts'
import type { Frequency, NumericRulePart, RecurrenceRule } from './recurrence-rule.ts'
import { buildDayFilter, listDaysOfPeriod } from './rule-days.ts'
import { readTimeValue } from './time-values.ts'
import type { WorkCounter } from './work-counter.ts'

/**
 * The starts that a rule (RFC 5545 §3.3.10) yields, as clock readings written as if they were UTC; `dense` when it
 * repeats so often that it counts as continuous, until a clock reading or without an end.
 */
export type RuleExpansion =
  | { readonly kind: 'starts'; readonly wallMs: readonly number[] }
  | { readonly kind: 'dense'; readonly untilWallMs: number }

/** Maximum number of steps of one rule: enough for every hour of two years. */
const MAX_STEPS = 20_000
/**
 * Maximum number of steps of one event, shared by its rules. With the maximum number of rules (rule G25), every day of
 * two years still fits.
 */
const MAX_STEPS_OF_EVENT = 100_000
/**
 * Maximum number of occurrences per day that are listed one by one. A rule that repeats more often than hourly counts
 * as continuous, because no real series does.
 */
const MAX_PER_DAY = 24

const UNITS_MS = { HOURLY: HOUR_MS, MINUTELY: MINUTE_MS, SECONDLY: SECOND_MS }
type Unit = keyof typeof UNITS_MS

/** Returns the maximum number of steps for each rule of an event. */
export function toMaxStepsPerRule(rules: number): number {
  return Math.min(MAX_STEPS, Math.floor(MAX_STEPS_OF_EVENT / Math.max(rules, 1)))
}

type Expansion = {
  readonly start: EventTime
  readonly within: Interval
  readonly maxSteps: number
  readonly work: WorkCounter
}

/**
 * Lists the starts of a series within a range of clock readings, in order. Rules are expanded on their zone's clock, so
 * clock changes do not shift them. Work is limited: a rule that repeats more often than hourly, or needs more than
 * `maxSteps`, counts as continuous. Source: rules G4 and G25.
 * @throws CalendarTooLargeError
 */
export function expandRecurrenceRule(whole: RecurrenceRule, expansion: Expansion): RuleExpansion {
  const { start, within } = expansion
  const rule = start.isDate ? toRuleOfDays(whole) : whole
  const untilWallMs = findUntilMs(rule, start) ?? Number.POSITIVE_INFINITY
  const wallMs = isDense(rule) ? null : listStarts(rule, expansion, Math.min(within.endMs, untilWallMs))
  if (wallMs !== null) return { kind: 'starts', wallMs }
  return { kind: 'dense', untilWallMs: Math.min(untilWallMs, lastCounted(rule, start)) }
}

/** Returns null when there are too many starts or steps. */
function listStarts(
  rule: RecurrenceRule,
  { start, within, maxSteps, work }: Expansion,
  endMs: number,
): number[] | null {
  const isDay = buildDayFilter(rule, start.wallMs)
  const timesOf = buildTimes(rule, start.wallMs, work)
  const positions = isBelowDays(rule) ? undefined : rule.numbers.get('BYSETPOS')
  const starts: number[] = []
  let [steps, counted] = [0, 0]
  for (let index = firstPeriod(rule, start, within); counted < (rule.count ?? Infinity); ) {
    const { firstDay, days } = listDaysOfPeriod(rule, start.wallMs, index)
    // A year outside the calendar yields NaN, so the comparison is negated.
    if (!(firstDay * DAY_MS <= endMs)) return starts
    work.spend(days.length + 1)
    const all = pickPositions(
      days.flatMap((day) => (isDay(day) ? timesOf(day) : [])),
      positions,
    ).filter((at) => at >= start.wallMs)
    const times = all.slice(0, (rule.count ?? Infinity) - counted)
    starts.push(...times.filter((at) => at >= within.startMs && at <= endMs))
    counted += times.length
    steps += Math.max(times.length, 1)
    if (steps > maxSteps || times.length > MAX_PER_DAY * Math.max(days.length, 1)) return null
    index += isBelowDays(rule) ? 1 : rule.interval
  }
  return starts
}

/** Returns the clock reading after which a rule ends; null when it has no readable end. */
export function findUntilMs({ until }: Pick<RecurrenceRule, 'until'>, start: EventTime): number | null {
  const value = until === null ? null : readTimeValue(until)
  if (value === null) return null
  if (value.kind !== 'time') return value.wallMs + DAY_MS - SECOND_MS
  if (value.offsetMs === null) return value.wallMs
  const there = toWallMs(value.wallMs - value.offsetMs, start.zone) + Math.max(0, start.zone.earlyMs)
  // The end of an all-day series counts as the written date, or as the day that begins at that instant in the series'
  // zone.
  const isWrittenDay = [0, DAY_MS - SECOND_MS].includes(((value.wallMs % DAY_MS) + DAY_MS) % DAY_MS)
  if (!start.isDate) return there
  return isWrittenDay ? value.wallMs : Math.max(value.wallMs, there)
}

/** Removes the times of day from the rule of an all-day series. */
function toRuleOfDays(rule: RecurrenceRule): RecurrenceRule {
  const numbers = new Map(rule.numbers)
  for (const name of ['BYHOUR', 'BYMINUTE', 'BYSECOND'] as const) numbers.delete(name)
  return isBelowDays(rule) ? { ...rule, numbers, frequency: 'DAILY', interval: 1 } : { ...rule, numbers }
}

function isBelowDays({ frequency }: RecurrenceRule): boolean {
  return isUnit(frequency)
}

function isUnit(frequency: Frequency): frequency is Unit {
  return Object.hasOwn(UNITS_MS, frequency)
}

/** Returns the step, in milliseconds, of an hourly, minutely or secondly rule; null for any other rule. */
function stepOf({ frequency, interval }: RecurrenceRule): number | null {
  return isUnit(frequency) ? UNITS_MS[frequency] * interval : null
}

function isDense(rule: RecurrenceRule): boolean {
  const stepMs = stepOf(rule)
  const isNarrowed = rule.weekdays.length > 0 || rule.numbers.size > 0
  if (stepMs !== null && stepMs < HOUR_MS && !isNarrowed) return true
  const timesADay = (['BYHOUR', 'BYMINUTE', 'BYSECOND'] as const).reduce(
    (product, name) => product * (rule.numbers.get(name)?.length ?? 1),
    1,
  )
  return timesADay > MAX_PER_DAY
}

function lastCounted(rule: RecurrenceRule, start: EventTime): number {
  const stepMs = stepOf(rule)
  const isNarrowed = rule.weekdays.length > 0 || rule.numbers.size > 0
  return rule.count !== null && stepMs !== null && !isNarrowed
    ? start.wallMs + (rule.count - 1) * stepMs
    : Number.POSITIVE_INFINITY
}

/** Returns the first period to expand. Skips periods before the wanted range, unless they must be counted. */
function firstPeriod(rule: RecurrenceRule, { wallMs }: EventTime, { startMs }: Interval): number {
  if (rule.count !== null || startMs <= wallMs) return 0
  const [from, to] = [new Date(wallMs), new Date(startMs)]
  const years = to.getUTCFullYear() - from.getUTCFullYear()
  const days = Math.floor(startMs / DAY_MS) - Math.floor(wallMs / DAY_MS)
  const periods = {
    YEARLY: years,
    MONTHLY: years * 12 + to.getUTCMonth() - from.getUTCMonth(),
    WEEKLY: Math.floor(days / 7),
  }
  const { frequency } = rule
  const passed =
    frequency === 'YEARLY' || frequency === 'MONTHLY' || frequency === 'WEEKLY' ? periods[frequency] : days
  const step = isBelowDays(rule) ? 1 : rule.interval
  return Math.max(0, Math.floor((passed - 1) / step) * step)
}

/**
 * Builds the function that lists the times of a day; for hourly, minutely and secondly rules, these are the steps that
 * fall on the day.
 */
function buildTimes(
  rule: RecurrenceRule,
  startWallMs: number,
  work: WorkCounter,
): (day: number) => readonly number[] {
  const start = new Date(startWallMs)
  const list = (name: NumericRulePart, ofStart: number) =>
    (rule.numbers.get(name) ?? [ofStart]).toSorted((a, b) => a - b)
  const seconds = list('BYSECOND', start.getUTCSeconds()).map((second) => second * SECOND_MS)
  const minutes = list('BYMINUTE', start.getUTCMinutes()).flatMap((minute) =>
    seconds.map((ms) => minute * MINUTE_MS + ms),
  )
  const { frequency } = rule
  if (isUnit(frequency)) {
    const ofStep = { HOURLY: minutes, MINUTELY: seconds, SECONDLY: [0] }[frequency]
    const positions = rule.numbers.get('BYSETPOS')
    return (day) =>
      listSteps(rule, { unitMs: UNITS_MS[frequency], startWallMs, day, work }).flatMap((stepMs) =>
        pickPositions(
          ofStep.map((ms) => stepMs + ms),
          positions,
        ),
      )
  }
  const ofDay = list('BYHOUR', start.getUTCHours()).flatMap((hour) =>
    minutes.map((ms) => hour * HOUR_MS + ms),
  )
  return (day) => ofDay.map((ms) => day * DAY_MS + ms)
}

/** Lists a day's steps that BYHOUR, BYMINUTE and BYSECOND allow, and stops once there are too many. */
function listSteps(
  rule: RecurrenceRule,
  {
    unitMs,
    startWallMs,
    day,
    work,
  }: {
    readonly unitMs: number
    readonly startWallMs: number
    readonly day: number
    readonly work: WorkCounter
  },
): number[] {
  const limits = (
    [
      ['BYHOUR', HOUR_MS, 24],
      ['BYMINUTE', MINUTE_MS, 60],
      ['BYSECOND', SECOND_MS, 60],
    ] as const
  )
    .filter(([name, sizeMs]) => sizeMs >= unitMs && rule.numbers.has(name))
    .map(([name, sizeMs, count]) => ({ sizeMs, count, wanted: new Set(rule.numbers.get(name)) }))
  const first = Math.floor(startWallMs / unitMs)
  const alignMs = (ms: number) => {
    const steps = Math.max(0, Math.ceil((Math.ceil(ms / unitMs) - first) / rule.interval))
    return (first + steps * rule.interval) * unitMs
  }
  const steps: number[] = []
  const endMs = (day + 1) * DAY_MS
  for (let at = alignMs(day * DAY_MS); at < endMs && steps.length <= MAX_PER_DAY; ) {
    work.spend(1)
    const wrong = limits.find(({ sizeMs, count, wanted }) => !wanted.has(Math.floor(at / sizeMs) % count))
    if (wrong === undefined) steps.push(at)
    at = alignMs(wrong === undefined ? at + unitMs : (Math.floor(at / wrong.sizeMs) + 1) * wrong.sizeMs)
  }
  return steps
}

/** Picks times by BYSETPOS; negative positions count from the end. */
function pickPositions(
  times: readonly number[],
  positions: readonly number[] | undefined,
): readonly number[] {
  if (positions === undefined) return times
  const picked = positions.flatMap((position) => times.at(position > 0 ? position - 1 : position) ?? [])
  return [...new Set(picked)].sort((a, b) => a - b)
}
