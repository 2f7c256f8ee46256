import type { Interval } from '#core/shared/interval.ts'
import type {
  EventOccurrence,
  ExternalChange,
  ExternalEvent,
  ReaderZones,
} from '#server/ports/external-calendar.ts'
import {
  buildEventReader,
  findLeastReadable,
  type ParsedEventContent,
  toWholeWindowBusyTime,
} from '../icalendar/event-reader.ts'
import { readCalendarFile } from '../icalendar/read-calendar-file.ts'
import { findAppointmentInHref } from './appointment-href.ts'
import { isSchedulingMessage } from './appointment-object.ts'

/**
 * Maximum number of UIDs in one object. The standard allows one; servers that break it put a few into one object.
 * Source: RFC 4791 §4.1; rule G25.
 */
const MAX_UIDS = 10

/** A calendar object resource: one event, or a series with its exceptions. */
export type DavObject = { readonly url: string; readonly etag: string | null; readonly text: string }

/** Settings for reading a calendar's objects. */
export type ObjectReadSettings = {
  readonly timeZones: ReaderZones
  readonly window: Interval
  readonly ownerAddresses: ReadonlySet<string>
  readonly ownUidHost: string
}

/**
 * Reads an object. An unreadable object occupies no time, is reported as unreadable, and does not affect other objects.
 * A cancelled event of ours counts as deleted.
 */
export function toCalendarObjectChange(
  { url, etag, text }: DavObject,
  settings: ObjectReadSettings,
): ExternalChange {
  const file = readCalendarFile(text)
  const read = file === null ? null : buildEventReader(file, settings)
  const ours = findAppointmentInHref(url)
  const events = [...(file?.events ?? [])]
  const readings = events
    .slice(0, MAX_UIDS)
    .flatMap(([uid, parts]) => (read === null ? [] : [read(uid, parts, ours)]))
  const appointmentId = readings.find((reading) => reading.appointmentId !== null)?.appointmentId ?? ours
  const isWhole = events.length <= MAX_UIDS
  const isCancelled = isWhole && readings.length > 0 && readings.every((reading) => reading.isCancelled)
  const isInvitation = isSchedulingMessage(text) || readings.some((reading) => reading.isInvitation)
  if (appointmentId !== null && isCancelled && !isInvitation) return { eventId: url, event: null }
  const event: ExternalEvent = {
    eventId: url,
    title: readings[0]?.title ?? null,
    occurrences: isWhole ? listAll(readings) : toWholeWindowBusyTime(settings.window),
    appointmentId,
    secret: isInvitation ? null : (readings[0]?.secret ?? null),
    isInvitation,
    unreadable: file === null ? 'date' : (findLeastReadable(readings) ?? (isWhole ? null : 'times')),
    etag,
  }
  return { eventId: url, event }
}

/** Lists the occurrences of all events in an object. With several UIDs, their keys are made distinct. */
function listAll(readings: readonly ParsedEventContent[]): EventOccurrence[] {
  return readings.flatMap(({ occurrences }, index) =>
    index === 0 ? occurrences : occurrences.map((one) => ({ ...one, key: `${index}. ${one.key}` })),
  )
}
