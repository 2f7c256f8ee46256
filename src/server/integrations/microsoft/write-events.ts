import { randomBytes } from 'node:crypto'
import type {
  Event,
  NullableOption,
  SingleValueLegacyExtendedProperty,
} from '@microsoft/microsoft-graph-types'
import type {
  AppointmentEventContent,
  CalendarAccess,
  CalendarProvider,
  WrittenEvent,
} from '#server/ports/external-calendar.ts'
import { toAppointmentProperty } from '../own-events/appointment-property.ts'
import { APPOINTMENT_PROPERTY_ID, toEventTransactionId } from './event-id.ts'
import type { GraphClient } from './graph-client.ts'
import { toCalendarPath, toEventPath } from './graph-client.ts'
import { buildGraphError, hasErrorKind } from './graph-errors.ts'
import { type GraphEvent, isInvitation, parseEvent } from './graph-event.ts'
import { readPages } from './read-pages.ts'
import { findGraphEvent } from './refetch-change.ts'
import { toExternalEvent } from './to-external-event.ts'

type Events = NonNullable<CalendarProvider['events']>

/**
 * Writes events of appointments. They have no attendees, so Microsoft sends no invitations. Source: rules G9 and G10.
 */
export function buildEventWriter(client: GraphClient): Events {
  /** Finds the event that an earlier attempt created; null when there is none or it was deleted. */
  async function findWritten(
    access: CalendarAccess,
    externalId: string,
    appointment: AppointmentEventContent,
  ): Promise<GraphEvent | null> {
    const value = toAppointmentProperty(appointment)
    const $filter = `singleValueExtendedProperties/Any(ep: ep/id eq '${APPOINTMENT_PROPERTY_ID}' and ep/value eq '${value}')`
    const at = `${toCalendarPath(externalId)}/events`
    const pages = readPages((nextLink) =>
      client.call(
        access,
        nextLink === undefined ? { at, query: { $filter, $select: 'id,isOrganizer' } } : { at: nextLink },
      ),
    )
    for await (const { items } of pages) {
      const event = items.flatMap((sent) => parseEvent(sent) ?? []).find((one) => one.isOrganizer === true)
      if (event !== undefined) return event
    }
    return null
  }

  async function insert(
    access: CalendarAccess,
    externalId: string,
    { event, transactionId }: { readonly event: Event; readonly transactionId: string },
  ): Promise<GraphEvent> {
    const body = { ...event, showAs: 'busy', transactionId } satisfies Event
    return readWritten(
      await client.call(access, {
        method: 'POST',
        at: `${toCalendarPath(externalId)}/events`,
        body,
        isWrite: true,
      }),
    )
  }

  /** Updates our fields of an event. Reminders, categories and the free/busy status belong to the owner. */
  async function patch(
    access: CalendarAccess,
    { externalId, eventId, etag }: { externalId: string; eventId: string; etag: string | null },
    body: Event,
  ): Promise<GraphEvent> {
    return readWritten(
      await client.call(access, {
        method: 'PATCH',
        at: toEventPath(externalId, eventId),
        etag,
        body,
        isWrite: true,
      }),
    )
  }

  /** Updates the event that an earlier attempt created; null when there is none. */
  async function bringUpToDate(
    access: CalendarAccess,
    externalId: string,
    appointment: AppointmentEventContent,
  ): Promise<GraphEvent | null> {
    const earlier = await findWritten(access, externalId, appointment)
    if (earlier === null) return null
    return patch(access, { externalId, eventId: earlier.id, etag: null }, toGraphEvent(appointment))
  }

  return {
    create: async (access, externalId, appointment) => {
      const earlier = await bringUpToDate(access, externalId, appointment)
      if (earlier !== null) return toWritten(earlier)
      const event = toGraphEvent(appointment)
      try {
        return toWritten(
          await insert(access, externalId, { event, transactionId: toEventTransactionId(appointment) }),
        )
      } catch (error) {
        // Either a concurrent attempt has created the event, or the idempotency key belongs to an event that was
        // deleted since.
        if (!hasErrorKind(error, 'conflict')) throw error
        const faster = await bringUpToDate(access, externalId, appointment)
        if (faster !== null) return toWritten(faster)
        const transactionId = toEventTransactionId(appointment, randomBytes(6).toString('hex'))
        return toWritten(await insert(access, externalId, { event, transactionId }))
      }
    },
    update: async (access, { externalId, eventRef, etag }, appointment) => {
      const at = { externalId, eventId: eventRef, etag }
      const changed = await patch(access, at, toGraphEvent(appointment))
      if (isInvitation(changed)) throw buildGraphError('gone', 'an event that somebody else organizes')
      return toWritten(changed)
    },
    remove: async (access, { externalId, eventRef, etag }) => {
      try {
        await client.call(access, { method: 'DELETE', at: toEventPath(externalId, eventRef), etag })
      } catch (error) {
        if (hasErrorKind(error, 'gone')) return
        if (!hasErrorKind(error, 'conflict')) throw error
        if ((await findGraphEvent(client, access, { externalId, eventId: eventRef })) !== null) throw error
      }
    },
    find: async (access, { externalId, eventRef, timeZone }) => {
      const found = await findGraphEvent(client, access, { externalId, eventId: eventRef })
      if (found === null || found.isCancelled === true) return null
      return toExternalEvent(found, { timeZone, window: null })
    },
  }
}

type WithProperties = Event & {
  singleValueExtendedProperties: NullableOption<SingleValueLegacyExtendedProperty[]>
}

/**
 * Converts an appointment to a Graph event. Times are in UTC: Outlook converts them to the viewer's zone, and knows few
 * IANA zone names.
 */
function toGraphEvent(appointment: AppointmentEventContent): WithProperties {
  const { startMs, endMs, title, description, location, url } = appointment
  const at = (epochMs: number) => ({
    dateTime: new Date(epochMs).toISOString().slice(0, 19),
    timeZone: 'UTC',
  })
  return {
    subject: title,
    body: { contentType: 'text', content: withLink(description, url) },
    location: { displayName: location ?? '' },
    start: at(startMs),
    end: at(endMs),
    // Resets the flag, in case the owner turned it into an all-day event.
    isAllDay: false,
    singleValueExtendedProperties: [
      { id: APPOINTMENT_PROPERTY_ID, value: toAppointmentProperty(appointment) },
    ],
  }
}

/** Appends the link to the description, because Microsoft events have no field for a link. */
function withLink(description: string, url: string): string {
  if (description.includes(url)) return description
  return [description, url].filter((part) => part !== '').join('\n\n')
}

function readWritten(answer: unknown): GraphEvent {
  const event = parseEvent(answer)
  if (event === null) throw buildGraphError('unavailable', 'an event without an id')
  return event
}

function toWritten(event: GraphEvent): WrittenEvent {
  return { eventRef: event.id, etag: event['@odata.etag'] ?? null }
}
