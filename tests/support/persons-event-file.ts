import { localDateOf, localTimeOf } from '#core/shared/zoned-time.ts'
import type { EventAddedByPerson } from './calendar-provider-contract.ts'

const ZONE = 'Europe/Berlin'

/** Berlin's time zone definition, as calendar programs write it into their files. */
export const BERLIN_TIME_ZONE_LINES = [
  'BEGIN:VTIMEZONE',
  `TZID:${ZONE}`,
  'BEGIN:DAYLIGHT',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'DTSTART:19700329T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'DTSTART:19701025T030000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'END:VTIMEZONE',
]

/** The VEVENT lines that a calendar program writes for an event that a person entered. `owner` is the person's email address. */
export function toEventLines(uid: string, owner: string, event: EventAddedByPerson): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20261201T000000Z',
    toTimePropertyLine('DTSTART', event.startsAt, event.isAllDay),
    toTimePropertyLine('DTEND', event.endsAt, event.isAllDay),
    `SUMMARY:${event.title ?? 'Busy'}`,
    ...(event.repeats === undefined ? [] : [`RRULE:${event.repeats}`]),
    ...(event.isFree ? ['TRANSP:TRANSPARENT'] : []),
    ...(event.isTentative ? ['STATUS:TENTATIVE'] : []),
    ...(event.isDeclined
      ? ['ORGANIZER:mailto:grace@example.com', `ATTENDEE;CN=Ada;PARTSTAT=DECLINED:mailto:${owner}`]
      : []),
    ...(event.claims === undefined ? [] : [`X-MERIDIAN-APPOINTMENT:${event.claims}`]),
    'END:VEVENT',
  ]
}

/** Builds a complete iCalendar file. */
export function toCalendarText(lines: readonly string[]): string {
  return `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Tests//EN', ...lines, 'END:VCALENDAR'].join('\r\n')}\r\n`
}

/** Builds `DTSTART;TZID=Europe/Berlin:20261201T100000`. The file must also contain the definition of that zone. */
export function toTimePropertyLine(name: string, at: string, isAllDay = false): string {
  if (isAllDay) return `${name};VALUE=DATE:${at.replaceAll('-', '')}`
  const ms = Date.parse(at)
  const local = `${localDateOf(ms, ZONE)}T${localTimeOf(ms, ZONE)}`
  return `${name};TZID=${ZONE}:${local.replaceAll(/[-:]/g, '')}`
}
