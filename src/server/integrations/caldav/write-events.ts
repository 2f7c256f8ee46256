import { randomUUID } from 'node:crypto'
import { toResponseError, toWriteResponseError } from '#server/integrations/icalendar/response-errors.ts'
import { getOnlyPart } from '#server/integrations/reading/parser-table.ts'
import {
  CalendarProviderError,
  type EventHandle,
  type WrittenEvent,
} from '#server/ports/external-calendar.ts'
import { toAppointmentHref } from './appointment-href.ts'
import { type AppointmentToWrite, buildAppointmentObject, type UpdatedObject } from './appointment-object.ts'
import { readErrorExcerpt } from './dav-fetch.ts'
import { type DavConnection, findEventUrlByUid } from './dav-requests.ts'

/** A calendar file as sent by the server. */
type SentObject = { readonly etag: string | null; readonly content: Uint8Array }

/** Access to one account, and the owner's addresses in events. */
export type DavWriteContext = {
  readonly dav: DavConnection
  /** The owner's addresses in lower case. */
  readonly ownerAddresses: ReadonlySet<string>
}

/**
 * Creates an appointment's event at the URL derived from its id and secret. Updates an event created by an earlier
 * attempt. If another event has that URL or UID, the appointment's event gets different ones. Source: rule G27.
 * @throws CalendarProviderError
 */
export async function createEvent(
  writing: DavWriteContext,
  calendarUrl: string,
  appointment: AppointmentToWrite,
): Promise<WrittenEvent> {
  const made = await createAt(writing, calendarUrl, { appointment, unique: appointment.secret })
  if (made !== 'taken') return made
  const again = await createAt(writing, calendarUrl, { appointment, unique: randomUUID() })
  if (again !== 'taken') return again
  throw new CalendarProviderError('conflict', 'Another event has the address of this one.')
}

/**
 * Creates the event. `unique` is the basis of its URL and UID; `text` is its content when an existing event moves to
 * another URL.
 */
async function createAt(
  writing: DavWriteContext,
  calendarUrl: string,
  {
    appointment,
    unique,
    text,
  }: { readonly appointment: AppointmentToWrite; readonly unique: string; readonly text?: string },
): Promise<WrittenEvent | 'taken'> {
  const { dav } = writing
  const { appointmentId, secret } = appointment
  const url = toAppointmentHref(calendarUrl, { appointmentId, secret: unique })
  const icalUid = appointment.icalUid.replace(secret, unique)
  const body = text ?? buildAppointmentObject({ ...appointment, icalUid })
  const answer = await put(dav, url, body, { 'if-none-match': '*' })
  if (answer.ok) return toWritten(dav, url, answer)
  const reason = await readErrorExcerpt(answer)
  const isUidTaken = (answer.status === 403 || answer.status === 409) && reason.includes('no-uid-conflict')
  if (answer.status === 412 || isUidTaken) {
    const otherUrl = isUidTaken ? await findEventUrlByUid(dav, calendarUrl, icalUid) : url
    const other = otherUrl === null ? null : await findUpdated(writing, otherUrl, appointment)
    if (other === null || other.secret !== secret) return 'taken'
    return replaceObject(dav, other)
  }
  const error = toWriteResponseError(answer, reason)
  // Servers return 409 when the calendar itself does not exist. Source: RFC 4918 §9.7.1.
  if (answer.status === 409 && error.kind !== 'event_refused')
    throw new CalendarProviderError('gone', 'The calendar is not there any more.')
  throw error
}

/** @throws CalendarProviderError `gone`, `conflict` */
export async function updateEvent(
  writing: DavWriteContext,
  { externalId, eventRef, etag }: EventHandle,
  appointment: AppointmentToWrite,
): Promise<WrittenEvent> {
  const { dav } = writing
  const object = await findUpdated(writing, eventRef, appointment)
  if (object === null || object.isOfOthers)
    throw new CalendarProviderError('gone', 'The event is not there any more.')
  if (etag !== null && object.etag !== etag)
    throw new CalendarProviderError('conflict', 'The event has changed.')
  if (object.secret !== null || eventRef === toAppointmentHref(externalId, appointment))
    return replaceObject(dav, object)
  // Events written before secrets were introduced have a UID that the customer knows, so they get a new UID at a new
  // URL.
  const { text } = object
  const moved = await createAt(writing, externalId, { appointment, unique: appointment.secret, text })
  if (moved === 'taken') return replaceObject(dav, object)
  await removeEvent(dav, { externalId, eventRef, etag: object.etag })
  return moved
}

/** An object and its new text. */
type ObjectToReplace = UpdatedObject & { readonly url: string; readonly etag: string | null }

async function findUpdated(
  { dav, ownerAddresses }: DavWriteContext,
  url: string,
  appointment: AppointmentToWrite,
): Promise<ObjectToReplace | null> {
  const object = await fetchObject(dav, url)
  if (object === null) return null
  const { content, etag } = object
  const asked = { content, appointment, ownerAddresses }
  return { ...getOnlyPart(await dav.read('updatedObject', asked, dav.order)), url, etag }
}

async function replaceObject(
  dav: DavConnection,
  { url, etag, text }: ObjectToReplace,
): Promise<WrittenEvent> {
  const answer = await put(dav, url, text, etag === null ? {} : { 'if-match': etag })
  if (!answer.ok) throw toWriteResponseError(answer, await readErrorExcerpt(answer))
  return toWritten(dav, url, answer)
}

/** @throws CalendarProviderError `conflict` */
export async function removeEvent(dav: DavConnection, { eventRef, etag }: EventHandle): Promise<void> {
  const answer = await dav.fetch(eventRef, {
    method: 'DELETE',
    headers: etag === null ? {} : { 'if-match': etag },
  })
  if (answer.ok || answer.status === 404 || answer.status === 410) return
  // Some servers report a mismatching etag when the object does not exist.
  if (answer.status === 412 && (await fetchObject(dav, eventRef)) === null) return
  throw toResponseError(answer)
}

/** Returns null when the object was deleted. @throws CalendarProviderError */
export async function fetchObject(dav: DavConnection, url: string): Promise<SentObject | null> {
  const answer = await dav.fetch(url, { method: 'GET' })
  if (answer.status === 404 || answer.status === 410) return null
  if (!answer.ok) throw toResponseError(answer)
  return { etag: answer.headers.get('etag'), content: new Uint8Array(await answer.arrayBuffer()) }
}

function put(dav: DavConnection, url: string, body: string, headers: Readonly<Record<string, string>>) {
  return dav.fetch(url, {
    method: 'PUT',
    body,
    headers: { 'content-type': 'text/calendar; charset=utf-8', ...headers },
  })
}

/** Servers that modify the received event return no etag, so fetch the event. Source: RFC 4791 §5.3.4. */
async function toWritten(dav: DavConnection, url: string, answer: Response): Promise<WrittenEvent> {
  const etag = answer.headers.get('etag') ?? (await fetchObject(dav, url))?.etag ?? null
  return { eventRef: url, etag }
}
