/** A recurrence rule. Source: RFC 5545 §3.3.10. */
export type RecurrenceRule = {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number | null
  /** The UNTIL value as written; its meaning depends on the start. */
  readonly until: string | null
  /** First day of the week: 0 is Sunday, 6 is Saturday. */
  readonly weekStart: number
  readonly weekdays: readonly RuleWeekday[]
  /** The other BY parts by name, with their numbers; only those present in the rule. */
  readonly numbers: ReadonlyMap<NumericRulePart, readonly number[]>
  /** False when a part of the rule is unreadable. The rule then yields every time that could be meant. */
  readonly isReadable: boolean
}

export type RuleWeekday = {
  readonly dayOfWeek: number
  /** Which of these weekdays in the month or year is meant, negative if counted from the end; null for all of them. */
  readonly nth: number | null
}

const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** Valid range of each part, and whether its numbers can count from the end. */
const NUMBER_PARTS = {
  BYMONTH: { smallest: 1, largest: 12, isSigned: false },
  BYWEEKNO: { smallest: 1, largest: 53, isSigned: true },
  BYYEARDAY: { smallest: 1, largest: 366, isSigned: true },
  BYMONTHDAY: { smallest: 1, largest: 31, isSigned: true },
  BYHOUR: { smallest: 0, largest: 23, isSigned: false },
  BYMINUTE: { smallest: 0, largest: 59, isSigned: false },
  BYSECOND: { smallest: 0, largest: 59, isSigned: false },
  BYSETPOS: { smallest: 1, largest: 366, isSigned: true },
} as const
export type NumericRulePart = keyof typeof NUMBER_PARTS
const TIME_PARTS: readonly string[] = ['BYHOUR', 'BYMINUTE', 'BYSECOND']

/** Maximum length of a rule, in characters: enough to list every day of a year. */
const LONGEST_RULE = 2_000

const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY']
const MONDAY = 1

/**
 * Parses a rule; never fails. A malformed part is accepted if it has only one sensible meaning. An unreadable part
 * could mean any day, so such a rule becomes daily (rule G30), or hourly when the hours are unreadable.
 */
export function parseRecurrenceRule(text: string): RecurrenceRule {
  // An excessively long rule counts as continuous.
  if (text.length > LONGEST_RULE) return toUnreadable({ until: null, weekStart: MONDAY }, 'SECONDLY')
  const parts = toParts(text)
  const ends = {
    until: parts.get('UNTIL') ?? null,
    weekStart: toWeekday(parts.get('WKST') ?? '') ?? MONDAY,
  }
  const frequency = FREQUENCIES.find((one) => one === parts.get('FREQ'))
  const weekdays = readWeekdays(parts.get('BYDAY'))
  const read = [...parts.keys()]
    .filter(isNumberPart)
    .map((name) => ({ name, numbers: readNumbers(name, parts.get(name) ?? '') }))
  const unreadable = read.flatMap(({ name, numbers }) => (numbers === null ? [name] : []))
  if (frequency === undefined || weekdays === null || unreadable.length > 0 || !isGregorian(parts)) {
    const areHoursUnreadable = unreadable.some((name) => TIME_PARTS.includes(name))
    return toUnreadable(ends, toFinest(frequency ?? 'DAILY', areHoursUnreadable ? 'HOURLY' : 'DAILY'))
  }
  const interval = readInterval(parts.get('INTERVAL'))
  const count = readCount(parts.get('COUNT'))
  return {
    ...ends,
    frequency,
    interval: interval ?? 1,
    count: count === 'unreadable' ? null : count,
    weekdays,
    numbers: new Map(read.map(({ name, numbers }) => [name, numbers ?? []])),
    isReadable: interval !== null && count !== 'unreadable',
  }
}

/** Returns a rule with all the times that an unreadable part could mean. */
function toUnreadable(
  ends: Pick<RecurrenceRule, 'until' | 'weekStart'>,
  frequency: Frequency,
): RecurrenceRule {
  const nothing = { weekdays: [], numbers: new Map(), count: null }
  return { ...ends, ...nothing, frequency, interval: 1, isReadable: false }
}

/** Splits a rule into its parts. Repeated parts are merged into one list. */
function toParts(text: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of text.toUpperCase().replaceAll(/\s/g, '').split(';')) {
    const [name = '', value = ''] = part.split('=')
    if (name === '' || (value === '' && !name.startsWith('BY'))) continue
    const before = parts.get(name)
    parts.set(name, before !== undefined && name.startsWith('BY') ? `${before},${value}` : value)
  }
  return parts
}

/** True when the rule uses the Gregorian calendar; no other is supported. Source: RFC 7529. */
function isGregorian(parts: ReadonlyMap<string, string>): boolean {
  return (parts.get('RSCALE') ?? 'GREGORIAN') === 'GREGORIAN' && (parts.get('SKIP') ?? 'OMIT') === 'OMIT'
}

function toFinest(one: Frequency, other: Frequency): Frequency {
  return FREQUENCIES.indexOf(one) > FREQUENCIES.indexOf(other) ? one : other
}

/** Parses INTERVAL. A missing or zero value means 1; null when unreadable. */
function readInterval(text: string | undefined): number | null {
  if (text === undefined) return 1
  const interval = toWhole(text)
  return interval === null || interval < 0 ? null : Math.max(interval, 1)
}

function readCount(text: string | undefined): number | null | 'unreadable' {
  if (text === undefined) return null
  const count = toWhole(text)
  return count === null || count < 1 ? 'unreadable' : count
}

function toWhole(text: string): number | null {
  const value = /^[+-]?\d{1,15}(\.0*)?$/.test(text) ? Number(text) : null
  return value === null || !Number.isSafeInteger(value) ? null : value
}

function isNumberPart(name: string): name is NumericRulePart {
  return Object.hasOwn(NUMBER_PARTS, name)
}

/**
 * Parses the numbers of a part; null when it could mean any number. A number out of range (the 32nd) is ignored if
 * there are valid ones.
 */
function readNumbers(name: NumericRulePart, text: string): number[] | null {
  const { smallest, largest, isSigned } = NUMBER_PARTS[name]
  const numbers = toList(text).map(toWhole)
  if (numbers.includes(null)) return null
  const existing = numbers.flatMap((number) => {
    const size = isSigned ? Math.abs(number ?? Number.NaN) : (number ?? Number.NaN)
    return number !== null && size >= smallest && size <= largest ? [number] : []
  })
  return existing.length === 0 ? null : [...new Set(existing)]
}

function readWeekdays(text: string | undefined): RuleWeekday[] | null {
  const weekdays = (text === undefined ? [] : toList(text)).map((one) => {
    const { nth, name = '' } = /^(?<nth>[+-]?\d{1,2})?(?<name>[A-Z]{2,9})$/.exec(one)?.groups ?? {}
    const dayOfWeek = toWeekday(name)
    return dayOfWeek === null || Number(nth) === 0
      ? null
      : { dayOfWeek, nth: nth === undefined ? null : Number(nth) }
  })
  const read = weekdays.filter((one) => one !== null)
  return read.length === weekdays.length ? read : null
}

/** Splits a list at its commas. Extra commas are ignored, unless the list has nothing else. */
function toList(text: string): string[] {
  const list = text.split(',').filter((one) => one !== '')
  return list.length === 0 ? [''] : list
}

/** Parses a weekday: `MO`, and also `MON` and `MONDAY`. */
function toWeekday(name: string): number | null {
  const index = name.length < 2 ? -1 : WEEKDAYS.findIndex((weekday) => weekday.startsWith(name))
  return index === -1 ? null : index
}
