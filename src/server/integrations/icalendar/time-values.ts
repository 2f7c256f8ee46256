import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/shared/duration.ts'

/** A date or a time as a file writes it, before its zone is known. */
export type TimeValue = {
  /** The clock reading, written as if it were UTC; midnight of a date. */
  readonly wallMs: number
  /**
   * - `time`, `date`: as they should be.
   * - `day`: the date can be read and the time of day cannot.
   */
  readonly kind: 'time' | 'date' | 'day'
  /** What the value itself says of its zone: Z or +02:00, in milliseconds; null when it says nothing. */
  readonly offsetMs: number | null
}

/** A length of time: days on the clock, then elapsed time. Source: RFC 5545 §3.3.6. */
export type Length = { readonly days: number; readonly ms: number }

export const NO_LENGTH: Length = { days: 0, ms: 0 }

const DATE = /^(?<year>\d{4})(?<separator>[-/.]?)(?<month>\d\d)\k<separator>(?<day>\d\d)(?<rest>.*)$/s
const TIME =
  /^(?:T|\s)?\s*(?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d)(?:[.,]\d{1,9})?)?)?\s*(?<zone>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/
/** `P1DT2H`, and what people make of it: `1h 30m`, `PT1D`, `P1H`. */
const DURATION =
  /^(?<sign>[+-]?)P?(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?T?(?:(?<daysAfterT>\d+)D)?(?:(?<hours>\d+(?:[.,]\d+)?)H)?(?:(?<minutes>\d+(?:[.,]\d+)?)M)?(?:(?<seconds>\d+(?:[.,]\d+)?)S)?$/
/** `01:30` and `01:30:00`. */
const CLOCK_DURATION = /^(?<hours>\d{1,2}):(?<minutes>\d\d)(?::(?<seconds>\d\d))?$/
/** A hundred years: beyond that nobody asks. */
const LONGEST_DAYS = 36_525

/**
 * Reads a date or a time. Beside `20270505T090000Z` it reads what has one meaning: dashes, colons, lower case, spaces, no seconds, an
 * offset. Null when not even a date can be read. Source: rule G30.
 */
export function readTimeValue(text: string): TimeValue | null {
  const { year, month, day, rest = '' } = DATE.exec(tidy(text))?.groups ?? {}
  const dateMs = toDateMs(Number(year), Number(month), Number(day))
  if (dateMs === null) return null
  if (rest.trim() === '') return { wallMs: dateMs, kind: 'date', offsetMs: null }
  const { hour, minute = '0', second = '0', zone } = TIME.exec(rest)?.groups ?? {}
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)]
  const isTime =
    hour !== undefined && minutes < 60 && seconds <= 60 && (hours < 24 || hours * 60 + minutes === 1_440)
  if (!isTime) return { wallMs: dateMs, kind: 'day', offsetMs: null }
  const wallMs = dateMs + hours * HOUR_MS + minutes * MINUTE_MS + Math.min(seconds, 59) * SECOND_MS
  return { wallMs, kind: 'time', offsetMs: toOffsetMs(zone) }
}

/** Null when it cannot be read. */
export function readDuration(text: string): Length | null {
  const value = tidy(text).replaceAll(/\s/g, '')
  const parts = (/\d/.test(value) ? DURATION.exec(value) : null)?.groups
  const clock = CLOCK_DURATION.exec(value)?.groups
  if (parts === undefined && clock === undefined) return null
  // A month without T is not a duration in RFC 5545, and is never read as minutes.
  if (/^[+-]?P[^T]*\dM/.test(value) && !value.includes('T')) return null
  const { sign, weeks, days, daysAfterT, hours, minutes, seconds } = parts ?? clock ?? {}
  const factor = sign === '-' ? -1 : 1
  const wholeDays = toNumber(weeks) * 7 + toNumber(days) + toNumber(daysAfterT)
  const ms = toNumber(hours) * HOUR_MS + toNumber(minutes) * MINUTE_MS + toNumber(seconds) * SECOND_MS
  return {
    days: factor * Math.min(wholeDays, LONGEST_DAYS),
    ms: factor * Math.min(Math.round(ms), LONGEST_DAYS * DAY_MS),
  }
}

/** `+0200`, `-05:00`, `+013000`; null when it is no offset from UTC. */
export function readOffset(text: string): number | null {
  const { sign, hours, minutes, seconds } =
    /^(?<sign>[+-]?)(?<hours>\d\d?):?(?<minutes>\d\d)?:?(?<seconds>\d\d)?$/.exec(text.trim())?.groups ?? {}
  if (hours === undefined || Number(hours) > 23 || toNumber(minutes) > 59) return null
  const ms = Number(hours) * HOUR_MS + toNumber(minutes) * MINUTE_MS + toNumber(seconds) * SECOND_MS
  return sign === '-' ? -ms : ms
}

/** A duration that cannot be negative turns round: the length between two times, whichever is first. */
export function isNegative({ days, ms }: Length): boolean {
  return days * DAY_MS + ms < 0
}

function tidy(text: string): string {
  return text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
    .toUpperCase()
}

/** Years before 100 are years, too, which `Date.UTC` does not know. */
function toDateMs(year: number, month: number, day: number): number | null {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isDate ? date.getTime() : null
}

function toOffsetMs(zone: string | undefined): number | null {
  if (zone === undefined) return null
  return /^[+-]/.test(zone) ? readOffset(zone) : 0
}

function toNumber(text: string | undefined): number {
  return text === undefined ? 0 : Number(text.replace(',', '.'))
}
