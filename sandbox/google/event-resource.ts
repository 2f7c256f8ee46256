import type { calendar_v3 } from '@googleapis/calendar'
import { isDate, localDateOf, localTimeOf, utcOffsetMsAt } from '#core/shared/zoned-time.ts'
import type { SandboxCalendar } from '#sandbox/calendars/calendar.ts'
import type { SandboxEvent, SandboxEventTime } from '#sandbox/calendars/event.ts'

/** The ETag, which changes with every change of the event. */
export function etagOf({ updatedMs, change }: Pick<SandboxEvent, 'updatedMs' | 'change'>): string {
  return `"${updatedMs * 1_000 + (change % 1_000)}"`
}

/** Converts an event to Google's format. `isDetailed`: the caller may see more than its times. */
export function toEventResource(
  event: SandboxEvent,
  {
    calendar,
    isDetailed,
    origin,
  }: {
    readonly calendar: SandboxCalendar
    readonly isDetailed: boolean
    readonly origin: string
  },
): calendar_v3.Schema$Event {
  const { id, series } = event
  const exception = series && {
    recurringEventId: series.id,
    originalStartTime: toGoogleTime(series.originalStart),
  }
  const bare = { kind: 'calendar#event', etag: etagOf(event), id, ...exception }
  // Google guarantees no other fields for cancelled events.
  if (event.isCancelled) return { ...bare, status: 'cancelled' }
  const person = { email: calendar.email, self: true }
  const shown: calendar_v3.Schema$Event = {
    ...bare,
    status: event.answer === 'tentative' ? 'tentative' : 'confirmed',
    htmlLink: `${origin}/calendar/${encodeURIComponent(calendar.email)}`,
    created: new Date(event.createdMs).toISOString(),
    updated: new Date(event.updatedMs).toISOString(),
    creator: person,
    organizer: event.answer === null ? person : { email: 'host@invitations.example' },
    start: toGoogleTime(event.start),
    end: toGoogleTime(event.end),
    iCalUID: `${series?.id ?? id}@google.com`,
    sequence: event.sequence,
    eventType: event.eventType,
    ...(event.isFree ? { transparency: 'transparent' } : {}),
    ...(event.answer === null ? {} : { attendees: [{ ...person, responseStatus: event.answer }] }),
  }
  if (!isDetailed) return { ...shown, visibility: 'private' }
  return {
    ...shown,
    ...(event.summary === '' ? {} : { summary: event.summary }),
    ...(event.description === '' ? {} : { description: event.description }),
    ...(event.location === '' ? {} : { location: event.location }),
    ...(event.source === null ? {} : { source: event.source }),
    ...(Object.keys(event.privateProperties).length === 0
      ? {}
      : { extendedProperties: { private: event.privateProperties } }),
    reminders: { useDefault: true },
  }
}

function toGoogleTime(moment: SandboxEventTime): calendar_v3.Schema$EventDateTime {
  if ('date' in moment) return { date: moment.date }
  const { epochMs, timeZone } = moment
  const clock = `${localDateOf(epochMs, timeZone)}T${localTimeOf(epochMs, timeZone)}`
  return { dateTime: `${clock}${formatOffset(utcOffsetMsAt(timeZone, epochMs))}`, timeZone }
}

function formatOffset(offsetMs: number): string {
  if (offsetMs === 0) return 'Z'
  const minutes = Math.abs(Math.round(offsetMs / 60_000))
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  return `${offsetMs < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

type SentMoment = { readonly [Name in 'date' | 'dateTime' | 'timeZone']?: string | null | undefined }

/** Parses an event's start or end; null when it is invalid. */
export function parseEventTime(sent: SentMoment, calendarZone: string): SandboxEventTime | null {
  if (sent.date) return isDate(sent.date) ? { date: sent.date } : null
  const epochMs = Date.parse(sent.dateTime ?? '')
  return Number.isNaN(epochMs) ? null : { epochMs, timeZone: sent.timeZone ?? calendarZone }
}
