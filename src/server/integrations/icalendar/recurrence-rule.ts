/** A rule by which an event repeats. Source: RFC 5545 §3.3.10. */
export type RecurrenceRule = {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number | null
  /** As it is written; what it means depends on the start. */
  readonly until: string | null
  /** 0 = Sunday … 6 = Saturday. */
  readonly weekStart: number
  readonly weekdays: readonly RuleWeekday[]
  /** The other BY parts by their names, each with its numbers; only those that the rule has. */
  readonly numbers: ReadonlyMap<NumberPart, readonly number[]>
  /** False when a part cannot be read. The rule then has every time that may be meant. */
  readonly isReadable: boolean
}

export type RuleWeekday = {
  readonly dayOfWeek: number
  /** Which one of its month or year, from the end when negative; null for each. */
  readonly nth: number | null
}

const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** The largest number of each part, and whether it may count from the end. */
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
export type NumberPart = keyof typeof NUMBER_PARTS
const TIME_PARTS: readonly string[] = ['BYHOUR', 'BYMINUTE', 'BYSECOND']

/** Each day of a year fits. */
const LONGEST_RULE = 2_000

const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY']
const MONDAY = 1

/**
 * Reads a rule; never fails. Parts that have one sensible meaning are read leniently. A part that cannot be read may mean any day, so
 * such a rule is daily (rule G30), or hourly when the hours cannot be read.
 */
export function readRule(text: string): RecurrenceRule {
  // A book is taken for a rule that repeats all the time.
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

/** All times that a rule with an unreadable part may have. */
function toUnreadable(
  ends: Pick<RecurrenceRule, 'until' | 'weekStart'>,
  frequency: Frequency,
): RecurrenceRule {
  const nothing = { weekdays: [], numbers: new Map(), count: null }
  return { ...ends, ...nothing, frequency, interval: 1, isReadable: false }
}

/** A list that is given twice is one list. */
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

/** Other calendars than the Gregorian one are not read. Source: RFC 7529. */
function isGregorian(parts: ReadonlyMap<string, string>): boolean {
  return (parts.get('RSCALE') ?? 'GREGORIAN') === 'GREGORIAN' && (parts.get('SKIP') ?? 'OMIT') === 'OMIT'
}

function toFinest(one: Frequency, other: Frequency): Frequency {
  return FREQUENCIES.indexOf(one) > FREQUENCIES.indexOf(other) ? one : other
}

/** None, and zero, mean every one; null when it cannot be read. */
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

function isNumberPart(name: string): name is NumberPart {
  return Object.hasOwn(NUMBER_PARTS, name)
}

/** Null when it may mean any number. One that does not exist (the 32nd) says nothing beside others that do. */
function readNumbers(name: NumberPart, text: string): number[] | null {
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

/** A comma too many says nothing, unless there is nothing else. */
function toList(text: string): string[] {
  const list = text.split(',').filter((one) => one !== '')
  return list.length === 0 ? [''] : list
}

/** `MO`, and also `MON` and `MONDAY`. */
function toWeekday(name: string): number | null {
  const index = name.length < 2 ? -1 : WEEKDAYS.findIndex((weekday) => weekday.startsWith(name))
  return index === -1 ? null : index
}
