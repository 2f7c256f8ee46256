import { randomUUID } from 'node:crypto'
import type { calendar_v3 } from '@googleapis/calendar'
import { truncateText } from '#core/shared/text.ts'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import {
  type AppointmentEventContent,
  type CalendarAccess,
  type CalendarErrorKind,
  type CalendarProvider,
  CalendarProviderError,
  type ExternalEvent,
  type WrittenEvent,
} from '#server/ports/external-calendar.ts'
import { toAppointmentProperty } from '../own-events/appointment-property.ts'
import { APPOINTMENT_PROPERTY, findAppointmentOfEvent, toEventId } from './event-id.ts'
import type { GoogleClient } from './google-client.ts'
import { isInvitation, toExternalChange } from './to-external-event.ts'

type Event = calendar_v3.Schema$Event
type Events = NonNullable<CalendarProvider['events']>

/** The product sends its own emails, so Google must not. */
const NO_INVITATIONS = { sendUpdates: 'none' } as const

/** Writes events of appointments. Source: rules G9 and G10. */
export function buildEventWriter(client: GoogleClient): Events {
  async function get(access: CalendarAccess, calendarId: string, eventId: string): Promise<Event | null> {
    try {
      return await client.call(access, (google, options) =>
        google.events.get({ calendarId, eventId }, options),
      )
    } catch (error) {
      if (isKind(error, 'gone')) return null
      throw error
    }
  }

  /** Updates our fields of an event. Reminders, colours and guests belong to the owner. */
  function patch(
    access: CalendarAccess,
    { calendarId, eventId, etag }: { calendarId: string; eventId: string; etag: string | null },
    requestBody: Event,
  ): Promise<Event> {
    return client.call(
      access,
      (google, options) =>
        google.events.patch({ calendarId, eventId, ...NO_INVITATIONS, requestBody }, options),
      { etag, isWrite: true },
    )
  }

  function insert(
    access: CalendarAccess,
    calendarId: string,
    { appointment, eventId }: { readonly appointment: AppointmentEventContent; readonly eventId: string },
  ): Promise<Event> {
    const requestBody = { ...toGoogleEvent(appointment), id: eventId }
    return client.call(
      access,
      (google, options) => google.events.insert({ calendarId, ...NO_INVITATIONS, requestBody }, options),
      { isWrite: true },
    )
  }

  /**
   * Handles a create request whose event id already exists. The event is from an earlier attempt whose response was
   * lost, or it is a deleted event of ours, which is restored. Returns null when another event has the id. Source: rule
   * G27.
   */
  async function bringBack(
    access: CalendarAccess,
    { calendarId, eventId }: { readonly calendarId: string; readonly eventId: string },
    appointment: AppointmentEventContent,
  ): Promise<Event | null> {
    const found = await get(access, calendarId, eventId)
    if (found === null || isOfOthers(found, appointment)) return null
    if (found.status !== 'cancelled' && isAsWritten(found, appointment)) return found
    const requestBody = { ...toGoogleEvent(appointment), status: 'confirmed' }
    const changed = await patch(access, { calendarId, eventId, etag: null }, requestBody)
    return isInvitation(changed) ? null : changed
  }

  return {
    create: async (access, calendarId, appointment) => {
      const { appointmentId, secret } = appointment
      const eventId = toEventId(appointmentId, secret)
      try {
        return toWritten(await insert(access, calendarId, { appointment, eventId }))
      } catch (error) {
        if (!isKind(error, 'conflict')) throw error
        const own = await bringBack(access, { calendarId, eventId }, appointment)
        if (own !== null) return toWritten(own)
        const otherId = toEventId(appointmentId, randomUUID())
        return toWritten(await insert(access, calendarId, { appointment, eventId: otherId }))
      }
    },
    update: async (access, { externalId, eventRef, etag }, appointment) => {
      const at = { calendarId: externalId, eventId: eventRef, etag }
      const changed = await patch(access, at, toGoogleEvent(appointment))
      // Google accepts an update of a deleted event but leaves it deleted, so treat it as gone.
      if (changed.status === 'cancelled' || isInvitation(changed)) throw gone()
      return toWritten(changed)
    },
    remove: async (access, { externalId: calendarId, eventRef: eventId, etag }) => {
      try {
        await client.call(
          access,
          (google, options) => google.events.delete({ calendarId, eventId, ...NO_INVITATIONS }, options),
          { etag },
        )
      } catch (error) {
        if (isKind(error, 'gone')) return
        if (!isKind(error, 'conflict')) throw error
        const found = await get(access, calendarId, eventId)
        if (found !== null && found.status !== 'cancelled') throw error
      }
    },
    find: async (access, { externalId, eventRef }) => {
      const found = await get(access, externalId, eventRef)
      if (found === null) return null
      const timeZone = found.start?.date ? await findZone(access, externalId) : 'UTC'
      return findEvent(found, timeZone)
    },
  }

  /** Finds the calendar's zone, which only all-day events need: an owner can turn an appointment's event into one. */
  async function findZone(access: CalendarAccess, calendarId: string): Promise<string> {
    const { timeZone } = await client.call(access, (google, options) =>
      google.calendarList.get({ calendarId }, options),
    )
    return timeZone && isTimeZone(timeZone) ? timeZone : 'UTC'
  }
}

function findEvent(found: Event, timeZone: string): ExternalEvent | null {
  return toExternalChange(found, { timeZone, window: null })?.event ?? null
}

/** Google's maximum length of a title; the constants below limit other texts. In characters. */
const TITLE_LENGTH = 1_024
const DESCRIPTION_LENGTH = 8_192

function toGoogleEvent(appointment: AppointmentEventContent): Event {
  const { startMs, endMs, timeZone, title, description, location, url } = appointment
  return {
    summary: truncateText(title, TITLE_LENGTH),
    description: truncateText(description, DESCRIPTION_LENGTH),
    location: truncateText(location ?? '', TITLE_LENGTH),
    // Clears the date, in case the owner turned it into an all-day event.
    start: { dateTime: new Date(startMs).toISOString(), timeZone, date: null },
    end: { dateTime: new Date(endMs).toISOString(), timeZone, date: null },
    // Clears the recurrence, in case the owner turned it into a series.
    recurrence: [],
    source: { title: 'Meridian', url },
    extendedProperties: { private: { [APPOINTMENT_PROPERTY]: toAppointmentProperty(appointment) } },
  }
}

/** True when we did not write this event for this appointment. For a cancelled event Google may send only the id. */
function isOfOthers(found: Event, { secret }: AppointmentEventContent): boolean {
  if (isInvitation(found)) return true
  const named = findAppointmentOfEvent(found.id ?? '', found.extendedProperties?.private)
  return found.status === 'cancelled' ? (named?.secret ?? secret) !== secret : named?.secret !== secret
}

/** True when the event already has the content that we would write. */
function isAsWritten(found: Event, appointment: AppointmentEventContent): boolean {
  const [at] = findEvent(found, appointment.timeZone)?.occurrences ?? []
  const wanted = toGoogleEvent(appointment)
  const isSame = (name: 'summary' | 'description' | 'location') => (found[name] ?? '') === wanted[name]
  return (
    at?.startMs === appointment.startMs &&
    at.endMs === appointment.endMs &&
    !at.isAllDay &&
    isSame('summary') &&
    isSame('description') &&
    isSame('location')
  )
}

function toWritten({ id, etag }: Event): WrittenEvent {
  if (!id) throw new CalendarProviderError('unavailable', 'Google did not name the event.')
  return { eventRef: id, etag: etag ?? null }
}

function isKind(error: unknown, kind: CalendarErrorKind): boolean {
  return error instanceof CalendarProviderError && error.kind === kind
}

function gone(): CalendarProviderError {
  return new CalendarProviderError('gone', 'Google has no such calendar or event.')
}
