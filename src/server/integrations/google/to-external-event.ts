import { z } from 'zod'
import type { Interval } from '#core/shared/interval.ts'
import { overlaps } from '#core/shared/interval.ts'
import { truncateText } from '#core/shared/text.ts'
import { isDate, isTimeZone, toEpochMs } from '#core/shared/zoned-time.ts'
import type {
  EventOccurrence,
  ExternalChange,
  ExternalEvent,
  UnreadablePart,
} from '#server/ports/external-calendar.ts'
import { findAppointmentOfEvent } from './event-id.ts'

/** Requested fields of each event. Source: https://developers.google.com/workspace/calendar/api/guides/performance */
export const EVENT_FIELDS =
  'id,status,summary,start,end,transparency,eventType,etag,organizer,attendees(self,responseStatus),extendedProperties/private'

const moment = z.object({
  date: z.string().nullish(),
  dateTime: z.string().nullish(),
  timeZone: z.string().nullish(),
})
type Moment = z.infer<typeof moment>

/**
 * An event as sent by Google. Only the id is required: a cancelled event can have no other field, and one malformed
 * event must not stop the others from being read.
 */
const googleEvent = z.object({
  id: z.string().min(1).max(1_024),
  status: z.string().nullish().catch(null),
  summary: z.string().nullish().catch(null),
  start: moment.nullish().catch(null),
  end: moment.nullish().catch(null),
  transparency: z.string().nullish().catch(null),
  eventType: z.string().nullish().catch(null),
  etag: z.string().nullish().catch(null),
  recurrence: z.array(z.string()).nullish().catch(null),
  organizer: z.object({ self: z.boolean().nullish() }).nullish().catch(null),
  attendees: z
    .array(z.object({ self: z.boolean().nullish(), responseStatus: z.string().nullish() }))
    .nullish()
    .catch(null),
  extendedProperties: z
    .object({ private: z.record(z.string(), z.string()).nullish() })
    .nullish()
    .catch(null),
})
type GoogleEvent = z.infer<typeof googleEvent>

/** Maximum length of a title, in characters; longer ones are truncated. */
const TITLE_LENGTH = 500

/** Event types that leave the owner's time bookable. Source: rule G3. */
const FREE_TYPES = new Set(['workingLocation', 'birthday'])

export type EventContext = {
  /** The calendar's time zone, used for its all-day events. */
  readonly timeZone: string
  /** Occurrences outside this window are dropped; null means no limit. */
  readonly window: Interval | null
}

/** Converts an event that Google sent; null when the value is not an event. */
export function toExternalChange(sent: unknown, frame: EventContext): ExternalChange | null {
  const { data: event } = googleEvent.safeParse(sent)
  if (event === undefined) return null
  return { eventId: event.id, event: event.status === 'cancelled' ? null : toExternalEvent(event, frame) }
}

function toExternalEvent(event: GoogleEvent, frame: EventContext): ExternalEvent {
  const named = findAppointmentOfEvent(event.id, event.extendedProperties?.private)
  const takesTime = isBusy(event)
  const isOurs = named !== null && !isInvitation(event)
  const isShown = isOurs || takesTime
  return {
    eventId: event.id,
    title: toTitle(event.summary),
    occurrences: isShown ? listOccurrences(event, frame) : [],
    appointmentId: named?.appointmentId ?? null,
    secret: takesTime && event.organizer?.self === true ? (named?.secret ?? null) : null,
    isInvitation: isInvitation(event),
    unreadable: isShown ? findUnreadable(event, frame) : null,
    etag: event.etag ?? null,
  }
}

/**
 * True when the organizer is not the calendar that contains the event. Google names the organizer of every event that
 * is not cancelled. Source: https://developers.google.com/workspace/calendar/api/v3/reference/events
 */
export function isInvitation({
  organizer,
}: {
  readonly organizer?: { readonly self?: boolean | null | undefined } | null | undefined
}): boolean {
  return organizer !== null && organizer !== undefined && organizer.self !== true
}

/** Source: rule G3. */
function isBusy({ transparency, eventType, attendees }: GoogleEvent): boolean {
  const isDeclined = attendees?.some(({ self, responseStatus }) => self && responseStatus === 'declined')
  return transparency !== 'transparent' && !FREE_TYPES.has(eventType ?? 'default') && isDeclined !== true
}

/**
 * Returns one occurrence, or none when the event has no length or lies outside the window. Lists contain each
 * occurrence of a series separately; a single lookup returns the series, which has no single time, so it has no
 * occurrence.
 */
function listOccurrences(
  { start, end, recurrence }: GoogleEvent,
  { timeZone, window }: EventContext,
): EventOccurrence[] {
  if (recurrence?.length) return []
  const startMs = findEpochMs(start, timeZone)
  const endMs = findEpochMs(end, timeZone)
  if (startMs === null || endMs === null || endMs <= startMs) return []
  if (window !== null && !overlaps({ startMs, endMs }, window)) return []
  return [{ key: '', startMs, endMs, isAllDay: typeof start?.date === 'string' }]
}

/**
 * Returns `date` when the start or end of an event is unreadable. A series itself has no times, only its occurrences
 * have, so it is never unreadable. Source: rule G30.
 */
function findUnreadable(
  { start, end, recurrence }: GoogleEvent,
  { timeZone }: EventContext,
): UnreadablePart | null {
  if (recurrence?.length) return null
  return findEpochMs(start, timeZone) === null || findEpochMs(end, timeZone) === null ? 'date' : null
}

/** Returns the instant of an event's start or end; null when it cannot be read. Source: rule G4. */
function findEpochMs(at: Moment | null | undefined, calendarZone: string): number | null {
  if (at?.dateTime) {
    const [, date = '', clock, offset] =
      /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:[.]\d+)?(Z|[+-]\d\d:\d\d)?$/i.exec(at.dateTime) ?? []
    if (offset !== undefined) return numberOrNull(Date.parse(at.dateTime))
    const zone = at.timeZone && isTimeZone(at.timeZone) ? at.timeZone : calendarZone
    return clock !== undefined && isDate(date) ? toEpochMs(date, secondsOf(clock), zone) : null
  }
  return at?.date && isDate(at.date) ? toEpochMs(at.date, 0, calendarZone) : null
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value
}

function secondsOf(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number)
  return hours * 3_600 + minutes * 60 + seconds
}

/** Returns a title without the characters that the database cannot store. */
function toTitle(summary: string | null | undefined): string | null {
  const title = truncateText((summary ?? '').replaceAll('\u0000', '').toWellFormed().trim(), TITLE_LENGTH)
  return title === '' ? null : title
}
