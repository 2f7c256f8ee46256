import {
  CalendarProviderError,
  type EventHandle,
  type WrittenEvent,
} from '#server/ports/external-calendar.ts'
import { toAnswerError, toWriteError } from '../icalendar/answer-errors.ts'
import { onlyPart } from '../reading/readings.ts'
import { toAppointmentHref } from './appointment-href.ts'
import { type AppointmentToWrite, buildAppointmentObject } from './appointment-object.ts'
import { toReason } from './dav-fetch.ts'
import { type Dav, findByUid } from './dav-requests.ts'

/** A file of a calendar as the server sent it. */
type SentObject = { readonly etag: string | null; readonly content: Uint8Array }

/**
 * Creates the event of an appointment at the address that follows from its id. When there is one already (412), it is brought up to
 * date. When the owner's calendar took in the file of an email, the event with that UID is taken over: a server allows no second one.
 * @throws CalendarProviderError
 */
export async function createEvent(
  dav: Dav,
  calendarUrl: string,
  appointment: AppointmentToWrite,
): Promise<WrittenEvent> {
  const url = toAppointmentHref(calendarUrl, appointment.appointmentId)
  const answer = await put(dav, url, buildAppointmentObject(appointment), { 'if-none-match': '*' })
  if (answer.ok) return toWritten(dav, url, answer)
  if (answer.status === 412) return bringUpToDate(dav, url, appointment)
  const text = await toReason(answer)
  const isUidTaken = (answer.status === 403 || answer.status === 409) && text.includes('no-uid-conflict')
  const other = isUidTaken ? await findByUid(dav, calendarUrl, appointment.icalUid) : null
  if (other !== null) return bringUpToDate(dav, other, appointment)
  const error = toWriteError(answer, text)
  // A server says 409 when the calendar itself is not there. Source: RFC 4918 §9.7.1.
  if (answer.status === 409 && !isUidTaken && error.kind !== 'event_refused')
    throw new CalendarProviderError('gone', 'The calendar is not there any more.')
  throw error
}

/** @throws CalendarProviderError `gone`, `conflict` */
export async function updateEvent(
  dav: Dav,
  { eventRef, etag }: EventHandle,
  appointment: AppointmentToWrite,
): Promise<WrittenEvent> {
  const object = await findObject(dav, eventRef)
  if (object === null) throw new CalendarProviderError('gone', 'The event is not there any more.')
  if (etag !== null && object.etag !== etag)
    throw new CalendarProviderError('conflict', 'The event has changed.')
  const { content } = object
  const text = onlyPart(await dav.read('updatedObject', { content, appointment }, dav.order))
  const answer = await put(dav, eventRef, text, object.etag === null ? {} : { 'if-match': object.etag })
  if (!answer.ok) throw toWriteError(answer, await toReason(answer))
  return toWritten(dav, eventRef, answer)
}

/** @throws CalendarProviderError `conflict` */
export async function removeEvent(dav: Dav, { eventRef, etag }: EventHandle): Promise<void> {
  const answer = await dav.fetch(eventRef, {
    method: 'DELETE',
    headers: etag === null ? {} : { 'if-match': etag },
  })
  if (answer.ok || answer.status === 404 || answer.status === 410) return
  // To some servers an etag of what is not there is a wrong one.
  if (answer.status === 412 && (await findObject(dav, eventRef)) === null) return
  throw toAnswerError(answer)
}

/** Null when it is gone. @throws CalendarProviderError */
export async function findObject(dav: Dav, url: string): Promise<SentObject | null> {
  const answer = await dav.fetch(url, { method: 'GET' })
  if (answer.status === 404 || answer.status === 410) return null
  if (!answer.ok) throw toAnswerError(answer)
  return { etag: answer.headers.get('etag'), content: new Uint8Array(await answer.arrayBuffer()) }
}

function bringUpToDate(dav: Dav, url: string, appointment: AppointmentToWrite): Promise<WrittenEvent> {
  return updateEvent(dav, { externalId: '', eventRef: url, etag: null }, appointment)
}

function put(dav: Dav, url: string, body: string, headers: Readonly<Record<string, string>>) {
  return dav.fetch(url, {
    method: 'PUT',
    body,
    headers: { 'content-type': 'text/calendar; charset=utf-8', ...headers },
  })
}

/** A server that changes what it was given gives no etag. Source: RFC 4791 §5.3.4. */
async function toWritten(dav: Dav, url: string, answer: Response): Promise<WrittenEvent> {
  const etag = answer.headers.get('etag') ?? (await findObject(dav, url))?.etag ?? null
  return { eventRef: url, etag }
}
