import { Temporal } from 'temporal-polyfill'
import { zoneAbbreviation } from '#contract/zone-names.ts'
import { LOCALE } from '#core/shared/locale.ts'
import { zoneCityName } from './zone-name.ts'

/** When an appointment is, in words for readers in one zone. */
export type AppointmentTime = {
  /** `Tuesday, December 1, 2026` */
  readonly date: string
  /** `9:30 AM – 10:00 AM`; with the end's date where that is another day. */
  readonly clock: string
  /** `London time, GMT` */
  readonly zone: string
  /** `Tuesday, December 1, 9:30 AM`, for a subject. */
  readonly brief: string
  /** The start in minutes of its local day, 0 to 1439, which is its position in the day. */
  readonly startMinuteOfDay: number
}

/**
 * Writes an appointment's time in words. When the clocks change between its start and its end, each of the two times
 * names its clock, because `12:30 AM – 12:15 AM` alone cannot be understood.
 */
export function describeTime(startsAt: string, endsAt: string, timeZone: string): AppointmentTime {
  const start = zoned(startsAt, timeZone)
  const end = zoned(endsAt, timeZone)
  const [startZone, endZone] = [start, end].map(({ epochMilliseconds }) =>
    zoneAbbreviation(timeZone, epochMilliseconds),
  )
  const changes = startZone !== endZone
  const place = zoneCityName(timeZone)
  const clockOf = (at: Temporal.ZonedDateTime, zone: string | undefined) =>
    changes ? `${inWords(at, CLOCK)} ${zone}` : inWords(at, CLOCK)
  const endDay = end.toPlainDate().equals(start.toPlainDate()) ? '' : `${inWords(end, DAY)}, `

  return {
    date: inWords(start, DATE),
    clock: `${clockOf(start, startZone)} – ${endDay}${clockOf(end, endZone)}`,
    zone: [place, changes ? null : startZone].filter((part) => part !== null).join(', '),
    brief: `${inWords(start, DAY)}, ${inWords(start, CLOCK)}`,
    startMinuteOfDay: start.hour * 60 + start.minute,
  }
}

/** The start, with its clock named: `Tuesday, December 1, 2026` and `9:30 AM (GMT)`. */
export function describeStart(startsAt: string, timeZone: string): { date: string; time: string } {
  const start = zoned(startsAt, timeZone)
  const zone = zoneAbbreviation(timeZone, start.epochMilliseconds)
  return { date: inWords(start, DATE), time: `${inWords(start, CLOCK)} (${zone})` }
}

/** `Tuesday, December 1, 2026, 9:30 AM – 10:00 AM (London time, GMT)` */
export function toSentence(time: AppointmentTime): string {
  return time.zone === '' ? `${time.date}, ${time.clock}` : `${time.date}, ${time.clock} (${time.zone})`
}

/** Whether the clocks of two zones read the same at that instant, as in Paris and Berlin, or London and Lisbon. */
export function clocksAgree(instant: string, oneZone: string, otherZone: string): boolean {
  return zoned(instant, oneZone).toPlainDateTime().equals(zoned(instant, otherZone).toPlainDateTime())
}

/** `45 minutes`, `1 hour`, `1 hour 30 minutes`: elapsed, whatever the clocks do meanwhile. */
export function describeDuration(startsAt: string, endsAt: string): string {
  const elapsed = Temporal.Instant.from(startsAt).until(Temporal.Instant.from(endsAt), {
    largestUnit: 'hour',
  })
  const parts = [counted(elapsed.hours, 'hour'), counted(elapsed.minutes, 'minute')]
  return parts.filter((part) => part !== null).join(' ')
}

const DATE: Intl.DateTimeFormatOptions = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }
const DAY: Intl.DateTimeFormatOptions = { weekday: 'long', month: 'long', day: 'numeric' }
const CLOCK: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' }

function zoned(instant: string, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone)
}

function inWords(at: Temporal.ZonedDateTime, options: Intl.DateTimeFormatOptions): string {
  const format = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: at.timeZoneId })
  // The narrow no-break space that Intl puts before AM and PM is a box in some mail clients' fonts.
  return format.format(at.epochMilliseconds).replace(/\s/g, ' ')
}

function counted(count: number, unit: string): string | null {
  if (count === 0) return null
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
