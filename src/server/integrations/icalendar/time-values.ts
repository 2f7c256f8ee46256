import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/shared/duration.ts'

/** A date or time as written in a file, before its zone is known. */
export type TimeValue = {
  /** The clock reading, written as if it were UTC; midnight for a date. */
  readonly wallMs: number
  /**
   * - `time`, `date`: well-formed.
   * - `day`: the date is readable, but the time of day is not.
   */
  readonly kind: 'time' | 'date' | 'day'
  /** The UTC offset in the value itself (Z or +02:00), in milliseconds; null when the value has none. */
  readonly offsetMs: number | null
}

/** A duration: first the days, which are added on the clock, then the elapsed time. Source: RFC 5545 §3.3.6. */
export type EventDuration = { readonly days: number; readonly ms: number }

export const ZERO_DURATION: EventDuration = { days: 0, ms: 0 }

const DATE = /^(?<year>\d{4})(?<separator>[-/.]?)(?<month>\d\d)\k<separator>(?<day>\d\d)(?<rest>.*)$/s
const TIME =
  /^(?:T|\s)?\s*(?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d)(?:[.,]\d{1,9})?)?)?\s*(?<zone>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/
/** Matches a duration such as `P1DT2H`, and common mistakes: `1h 30m`, `PT1D`, `P1H`. */
const DURATION =
  /^(?<sign>[+-]?)P?(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?T?(?:(?<daysAfterT>\d+)D)?(?:(?<hours>\d+(?:[.,]\d+)?)H)?(?:(?<minutes>\d+(?:[.,]\d+)?)M)?(?:(?<seconds>\d+(?:[.,]\d+)?)S)?$/
/** Matches a duration written as a time: `01:30` or `01:30:00`. */
const CLOCK_DURATION = /^(?<hours>\d{1,2}):(?<minutes>\d\d)(?::(?<seconds>\d\d))?$/
/** Maximum length of a duration: a hundred years, in days. Longer durations are shortened to it. */
const LONGEST_DAYS = 36_525

/**
 * Parses a date or time. Besides `20270505T090000Z`, accepts unambiguous variants: dashes, colons, lower case, spaces,
 * missing seconds, an offset. Null when not even the date is readable. Source: rule G30.
 */
export function readTimeValue(text: string): TimeValue | null {
  const { year, month, day, rest = '' } = DATE.exec(normalize(text))?.groups ?? {}
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

/** Parses a duration; null when it cannot be read. */
export function readDuration(text: string): EventDuration | null {
  const value = normalize(text).replaceAll(/\s/g, '')
  const parts = (/\d/.test(value) ? DURATION.exec(value) : null)?.groups
  const clock = CLOCK_DURATION.exec(value)?.groups
  if (parts === undefined && clock === undefined) return null
  // RFC 5545 has no months in durations, so an M before the T must not be read as minutes.
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

/** Parses an offset such as `+0200`, `-05:00` or `+013000` into milliseconds; null for anything else. */
export function readOffset(text: string): number | null {
  const { sign, hours, minutes, seconds } =
    /^(?<sign>[+-]?)(?<hours>\d\d?):?(?<minutes>\d\d)?:?(?<seconds>\d\d)?$/.exec(text.trim())?.groups ?? {}
  if (hours === undefined || Number(hours) > 23 || toNumber(minutes) > 59) return null
  const ms = Number(hours) * HOUR_MS + toNumber(minutes) * MINUTE_MS + toNumber(seconds) * SECOND_MS
  return sign === '-' ? -ms : ms
}

/** True for a negative duration. The event then occupies the time between both ends, whichever comes first. */
export function isNegativeDuration({ days, ms }: EventDuration): boolean {
  return days * DAY_MS + ms < 0
}

function normalize(text: string): string {
  return text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
    .toUpperCase()
}

/** Converts a date to milliseconds. Handles years before 100, to which `Date.UTC` would add 1900. */
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
