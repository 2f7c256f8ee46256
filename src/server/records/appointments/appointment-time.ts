import { Temporal } from 'temporal-polyfill'
import { findZoneCityTimeName, zoneAbbreviation } from '#contract/shared/zone-names.ts'
import { DEFAULT_HOUR_CYCLE, type HourCycle } from '#core/shared/hour-cycle.ts'
import { LOCALE } from '#core/shared/locale.ts'

/**
 * The time zone and the hour cycle in which a person reads times. Without an hour cycle, as in jobs of earlier versions, times are
 * shown on the 12-hour clock. Source: rule W24.
 */
export type Clock = { readonly timeZone: string; readonly hourCycle?: HourCycle | undefined }

/** The date and time of an appointment as text, in one time zone. */
export type AppointmentTime = {
  /** Such as `Tuesday, December 1, 2026`. */
  readonly date: string
  /** Such as `9:30 AM – 10:00 AM`, or `09:30 – 10:00`. Includes the end's date when the appointment ends on another day. */
  readonly clock: string
  /** Such as `London time, GMT`. */
  readonly zone: string
  /** Such as `Tuesday, December 1, 9:30 AM`, for an email subject. */
  readonly brief: string
  /** The start, in minutes after local midnight (0 to 1439). */
  readonly startMinuteOfDay: number
}

/**
 * Formats the time of an appointment. When the clocks change between its start and its end, each of the two times has
 * its time zone abbreviation, because `12:30 AM – 12:15 AM` alone would be ambiguous.
 */
export function describeAppointmentTime(startsAt: string, endsAt: string, clock: Clock): AppointmentTime {
  const { timeZone } = clock
  const start = zoned(startsAt, timeZone)
  const end = zoned(endsAt, timeZone)
  const [startZone, endZone] = [start, end].map(({ epochMilliseconds }) =>
    zoneAbbreviation(timeZone, epochMilliseconds),
  )
  const changes = startZone !== endZone
  const place = findZoneCityTimeName(timeZone)
  const clockOf = (at: Temporal.ZonedDateTime, zone: string | undefined) =>
    changes ? `${formatClock(at, clock)} ${zone}` : formatClock(at, clock)
  const endDay = end.toPlainDate().equals(start.toPlainDate()) ? '' : `${formatInStyle(end, 'day')}, `

  return {
    date: formatInStyle(start, 'date'),
    clock: `${clockOf(start, startZone)} – ${endDay}${clockOf(end, endZone)}`,
    zone: [place, changes ? null : startZone].filter((part) => part !== null).join(', '),
    brief: `${formatInStyle(start, 'day')}, ${formatClock(start, clock)}`,
    startMinuteOfDay: start.hour * 60 + start.minute,
  }
}

/** Formats the start with its time zone abbreviation: `Tuesday, December 1, 2026` and `9:30 AM (GMT)`. */
export function describeStart(startsAt: string, clock: Clock): { date: string; time: string } {
  const start = zoned(startsAt, clock.timeZone)
  const zone = zoneAbbreviation(clock.timeZone, start.epochMilliseconds)
  return { date: formatInStyle(start, 'date'), time: `${formatClock(start, clock)} (${zone})` }
}

/** Returns ` It was previously on … at ….` (with a leading space), or an empty string when there was no earlier start. */
export function describePreviousStart(startsAt: string | null | undefined, clock: Clock): string {
  if (startsAt === null || startsAt === undefined) return ''
  const { date, time } = describeStart(startsAt, clock)
  return ` It was previously on ${date} at ${time}.`
}

/** Returns the whole time as text: `Tuesday, December 1, 2026, 9:30 AM – 10:00 AM (London time, GMT)`. */
export function formatAppointmentTime(time: AppointmentTime): string {
  return time.zone === '' ? `${time.date}, ${time.clock}` : `${time.date}, ${time.clock} (${time.zone})`
}

/**
 * True when clocks in the two zones show the same time at that instant, as in Paris and Berlin, or London and Lisbon.
 */
export function haveSameLocalTime(instant: string, oneZone: string, otherZone: string): boolean {
  return zoned(instant, oneZone).toPlainDateTime().equals(zoned(instant, otherZone).toPlainDateTime())
}

/** A time range and the clock to show it on. */
type TimeOnClock = Clock & { readonly startsAt: string; readonly endsAt: string }

/**
 * Formats the start for an email subject. Names the zone if a clock in another of the given zones shows a different
 * time: `Tuesday, December 1, 4:30 AM (New York time, EST)`.
 */
export function describeStartForSubject(
  { startsAt, endsAt, ...clock }: TimeOnClock,
  ...otherZones: readonly string[]
): string {
  const time = describeAppointmentTime(startsAt, endsAt, clock)
  const isClear =
    time.zone === '' || otherZones.every((other) => haveSameLocalTime(startsAt, clock.timeZone, other))
  return isClear ? time.brief : `${time.brief} (${time.zone})`
}

/**
 * Formats the time in another person's zone: `For Ada: 9:30 AM – 10:00 AM (London time, GMT)`. Null when both clocks
 * show the same time.
 */
export function describeTimeInOtherZone(
  { startsAt, endsAt, timeZone, hourCycle }: TimeOnClock,
  other: { readonly name: string; readonly timeZone: string },
): string | null {
  if ([startsAt, endsAt].every((instant) => haveSameLocalTime(instant, timeZone, other.timeZone))) return null
  const [here, there] = [
    describeAppointmentTime(startsAt, endsAt, { timeZone, hourCycle }),
    describeAppointmentTime(startsAt, endsAt, { timeZone: other.timeZone, hourCycle }),
  ]
  // Repeat the date only when it differs.
  const words = there.date === here.date ? `${there.clock} (${there.zone})` : formatAppointmentTime(there)
  return `For ${other.name}: ${words}`
}

/**
 * Formats a duration: `45 minutes`, `1 hour`, `1 hour 30 minutes`. It is elapsed time, so clock changes do not matter.
 */
export function describeDuration(startsAt: string, endsAt: string): string {
  const elapsed = Temporal.Instant.from(startsAt).until(Temporal.Instant.from(endsAt), {
    largestUnit: 'hour',
  })
  const parts = [counted(elapsed.hours, 'hour'), counted(elapsed.minutes, 'minute')]
  return parts.filter((part) => part !== null).join(' ')
}

type Formats = Readonly<Record<'date' | 'day' | HourCycle, Intl.DateTimeFormat>>

/** Maximum number of cached time zones. It is larger than the number of time zones that exist. */
const MOST_ZONES = 700
const formats = new Map<string, Formats>()

/** Returns the cached formatters of a zone: building one costs far more than formatting a time. */
function formatsOf(timeZone: string): Formats {
  const known = formats.get(timeZone) ?? buildFormats(timeZone)
  if (formats.size < MOST_ZONES) formats.set(timeZone, known)
  return known
}

function buildFormats(timeZone: string): Formats {
  const build = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LOCALE, { ...options, timeZone })
  return {
    date: build({ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }),
    day: build({ weekday: 'long', month: 'long', day: 'numeric' }),
    h12: build({ hour: 'numeric', minute: '2-digit', hourCycle: 'h12' }),
    h23: build({ hour: 'numeric', minute: '2-digit', hourCycle: 'h23' }),
  }
}

function zoned(instant: string, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone)
}

function formatClock(at: Temporal.ZonedDateTime, { hourCycle = DEFAULT_HOUR_CYCLE }: Clock): string {
  return formatInStyle(at, hourCycle)
}

function formatInStyle(at: Temporal.ZonedDateTime, style: keyof Formats): string {
  const format = formatsOf(at.timeZoneId)[style]
  // Replace the narrow no-break space that Intl puts before AM and PM: some mail clients' fonts show it as a box.
  return format.format(at.epochMilliseconds).replace(/\s/g, ' ')
}

function counted(count: number, unit: string): string | null {
  if (count === 0) return null
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
