import { Temporal } from 'temporal-polyfill'
import { zoneAbbreviation, zoneCityName } from '#contract/zone-names.ts'
import { LOCALE } from '#core/shared/locale.ts'

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
    changes ? `${inWords(at, 'clock')} ${zone}` : inWords(at, 'clock')
  const endDay = end.toPlainDate().equals(start.toPlainDate()) ? '' : `${inWords(end, 'day')}, `

  return {
    date: inWords(start, 'date'),
    clock: `${clockOf(start, startZone)} – ${endDay}${clockOf(end, endZone)}`,
    zone: [place, changes ? null : startZone].filter((part) => part !== null).join(', '),
    brief: `${inWords(start, 'day')}, ${inWords(start, 'clock')}`,
    startMinuteOfDay: start.hour * 60 + start.minute,
  }
}

/** The start, with its clock named: `Tuesday, December 1, 2026` and `9:30 AM (GMT)`. */
export function describeStart(startsAt: string, timeZone: string): { date: string; time: string } {
  const start = zoned(startsAt, timeZone)
  const zone = zoneAbbreviation(timeZone, start.epochMilliseconds)
  return { date: inWords(start, 'date'), time: `${inWords(start, 'clock')} (${zone})` }
}

/** A sentence with a blank in front about the start before a move; nothing when there was none. */
export function describeFormerTime(startsAt: string | null | undefined, timeZone: string): string {
  if (startsAt === null || startsAt === undefined) return ''
  const { date, time } = describeStart(startsAt, timeZone)
  return ` Before, it was on ${date} at ${time}.`
}

/** `Tuesday, December 1, 2026, 9:30 AM – 10:00 AM (London time, GMT)` */
export function toSentence(time: AppointmentTime): string {
  return time.zone === '' ? `${time.date}, ${time.clock}` : `${time.date}, ${time.clock} (${time.zone})`
}

/** Whether the clocks of two zones read the same at that instant, as in Paris and Berlin, or London and Lisbon. */
export function clocksAgree(instant: string, oneZone: string, otherZone: string): boolean {
  return zoned(instant, oneZone).toPlainDateTime().equals(zoned(instant, otherZone).toPlainDateTime())
}

/** A time on one clock. */
type TimeInZone = { readonly startsAt: string; readonly endsAt: string; readonly zone: string }

/** The start for a subject. It names its clock where another one reads another time: `Tuesday, December 1, 4:30 AM (New York time, EST)`. */
export function describeStartForSubject(
  { startsAt, endsAt, zone }: TimeInZone,
  ...otherZones: readonly string[]
): string {
  const time = describeTime(startsAt, endsAt, zone)
  const isClear = time.zone === '' || otherZones.every((other) => clocksAgree(startsAt, zone, other))
  return isClear ? time.brief : `${time.brief} (${time.zone})`
}

/** The same time on the clock of somebody else: `For Ada: 9:30 AM – 10:00 AM (London time, GMT)`. Null where both clocks read the same. */
export function describeTimeInOtherZone(
  { startsAt, endsAt, zone }: TimeInZone,
  other: { readonly name: string; readonly zone: string },
): string | null {
  if ([startsAt, endsAt].every((instant) => clocksAgree(instant, zone, other.zone))) return null
  const [here, there] = [describeTime(startsAt, endsAt, zone), describeTime(startsAt, endsAt, other.zone)]
  // The date is written again only when it differs.
  const words = there.date === here.date ? `${there.clock} (${there.zone})` : toSentence(there)
  return `For ${other.name}: ${words}`
}

/** `45 minutes`, `1 hour`, `1 hour 30 minutes`: elapsed, whatever the clocks do meanwhile. */
export function describeDuration(startsAt: string, endsAt: string): string {
  const elapsed = Temporal.Instant.from(startsAt).until(Temporal.Instant.from(endsAt), {
    largestUnit: 'hour',
  })
  const parts = [counted(elapsed.hours, 'hour'), counted(elapsed.minutes, 'minute')]
  return parts.filter((part) => part !== null).join(' ')
}

type Formats = Readonly<Record<'date' | 'day' | 'clock', Intl.DateTimeFormat>>

/** More than there are zones. */
const MOST_ZONES = 700
const formats = new Map<string, Formats>()

/** Kept, because building one format costs more than everything else about a time. */
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
    clock: build({ hour: 'numeric', minute: '2-digit' }),
  }
}

function zoned(instant: string, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone)
}

function inWords(at: Temporal.ZonedDateTime, style: keyof Formats): string {
  const format = formatsOf(at.timeZoneId)[style]
  // The narrow no-break space that Intl puts before AM and PM is a box in some mail clients' fonts.
  return format.format(at.epochMilliseconds).replace(/\s/g, ' ')
}

function counted(count: number, unit: string): string | null {
  if (count === 0) return null
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
