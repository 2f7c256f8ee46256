import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isDate, toEpochMs } from '#core/shared/zoned-time.ts'
import type { SandboxCalendar } from '#sandbox/calendars/calendar.ts'
import {
  changeEventOfOwnCalendar,
  type EventChange,
  type EventReference,
  findEvent,
} from '#sandbox/calendars/change-events.ts'
import {
  epochMsOf,
  NEW_EVENT_DEFAULTS,
  type SandboxEvent,
  type SandboxEventTime,
} from '#sandbox/calendars/event.ts'
import { listAllEvents } from '#sandbox/calendars/list-events.ts'
import type { CalendarSandboxContext } from '#sandbox/calendars/world.ts'
import { findIanaNameOfZone } from '#server/integrations/icalendar/time-zone-names.ts'
import { etagOf, TRANSACTION_ID_PROPERTY } from './event-resource.ts'
import {
  duplicateTransactionError,
  etagMismatchError,
  invalidRequestError,
  notFoundError,
} from './graph-fault.ts'

const sentMoment = z.object({ dateTime: z.string(), timeZone: z.string() })
/** The event fields that Meridian writes. Source: https://learn.microsoft.com/graph/api/resources/event */
const sentEvent = z.object({
  subject: z.string().max(1_024).optional(),
  body: z.object({ contentType: z.literal('text'), content: z.string().max(16_384) }).optional(),
  location: z.object({ displayName: z.string().max(1_024) }).optional(),
  start: sentMoment.optional(),
  end: sentMoment.optional(),
  isAllDay: z.boolean().optional(),
  showAs: z.enum(['free', 'busy', 'tentative', 'oof', 'workingElsewhere', 'unknown']).optional(),
  transactionId: z.string().max(255).optional(),
  singleValueExtendedProperties: z
    .array(z.object({ id: z.string().regex(/^String \{[\da-f-]{36}\} Name \w+$/i), value: z.string() }))
    .optional(),
})
type SentEvent = z.infer<typeof sentEvent>

/** @throws GraphErrorResponse */
export function insertEvent(
  world: CalendarSandboxContext,
  calendarId: string,
  body: unknown,
): Promise<SandboxEvent> {
  const sent = parseSent(body)
  return changeEventOfOwnCalendar(world, calendarId, async (calendar, trx) => {
    const { transactionId } = sent
    const kept = await listAllEvents(world, trx, calendarId)
    // A transaction id stays used even after its event was deleted.
    if (
      kept.some(
        (event) => transactionId && event.privateProperties[TRANSACTION_ID_PROPERTY] === transactionId,
      )
    ) {
      throw duplicateTransactionError()
    }
    const id = `AAMkAG${randomBytes(36).toString('base64url')}AAA=`
    const marked = transactionId === undefined ? {} : { [TRANSACTION_ID_PROPERTY]: transactionId }
    return merge(
      { ...NEW_EVENT_DEFAULTS, id, ...timesOf(sent, calendar, null), privateProperties: marked },
      sent,
    )
  })
}

/** @throws GraphErrorResponse */
export function patchEvent(
  world: CalendarSandboxContext,
  { calendarId, eventId, etag }: EventReference,
  body: unknown,
): Promise<SandboxEvent> {
  const sent = parseSent(body)
  return changeEventOfOwnCalendar(world, calendarId, async (calendar, trx) => {
    const before = await findEvent(world, trx, calendarId, eventId)
    if (before === null || before.isCancelled) throw notFoundError()
    if (etag !== undefined && etag !== etagOf(before)) throw etagMismatchError()
    return merge({ ...before, ...timesOf(sent, calendar, before), sequence: before.sequence + 1 }, sent)
  })
}

/** @throws GraphErrorResponse */
export async function deleteEvent(
  world: CalendarSandboxContext,
  { calendarId, eventId, etag }: EventReference,
): Promise<void> {
  await changeEventOfOwnCalendar(world, calendarId, async (_calendar, trx) => {
    const before = await findEvent(world, trx, calendarId, eventId)
    if (before === null || before.isCancelled) throw notFoundError()
    if (etag !== undefined && etag !== etagOf(before)) throw etagMismatchError()
    return { ...before, isCancelled: true }
  })
}

function parseSent(body: unknown): SentEvent {
  const parsed = sentEvent.safeParse(body)
  if (!parsed.success) throw invalidRequestError('The request body is invalid.')
  return parsed.data
}

function merge(before: EventChange, sent: SentEvent): EventChange {
  const { subject, body, location, showAs, singleValueExtendedProperties = [] } = sent
  const properties = singleValueExtendedProperties.map(({ id, value }) => [id, value])
  return {
    ...before,
    ...(subject === undefined ? {} : { summary: subject }),
    ...(body === undefined ? {} : { description: body.content }),
    ...(location === undefined ? {} : { location: location.displayName }),
    ...(showAs === undefined ? {} : { isFree: showAs === 'free' }),
    privateProperties: { ...before.privateProperties, ...Object.fromEntries(properties) },
  }
}

/** @throws GraphErrorResponse when a time is missing, or the end is before the start */
function timesOf(
  { start: sentStart, end: sentEnd, isAllDay = false }: SentEvent,
  { timeZone }: SandboxCalendar,
  before: Pick<EventChange, 'start' | 'end'> | null,
): Pick<EventChange, 'start' | 'end'> {
  const start = sentStart === undefined ? before?.start : toMoment(sentStart, isAllDay)
  const end = sentEnd === undefined ? before?.end : toMoment(sentEnd, isAllDay)
  if (!start || !end) throw invalidRequestError('Missing or invalid time.')
  if (epochMsOf(end, timeZone) < epochMsOf(start, timeZone)) {
    throw invalidRequestError('The end of the event is before its start.')
  }
  return { start, end }
}

/** @throws GraphErrorResponse when the time is invalid */
function toMoment({ dateTime, timeZone }: z.infer<typeof sentMoment>, isAllDay: boolean): SandboxEventTime {
  const zone = findIanaNameOfZone(timeZone)
  const [, date = '', hours, minutes, seconds] =
    /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:[.]\d+)?$/.exec(dateTime) ?? []
  if (zone === null || hours === undefined || !isDate(date))
    throw invalidRequestError('A time cannot be read.')
  if (isAllDay) return { date }
  const secondsOfDay = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
  return { epochMs: toEpochMs(date, secondsOfDay, zone), timeZone: zone }
}
