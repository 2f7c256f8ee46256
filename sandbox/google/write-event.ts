import { z } from 'zod'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import type { SandboxCalendar } from '#sandbox/calendars/calendar.ts'
import {
  changeEventOfOwnCalendar,
  type EventChange,
  type EventReference,
  findEvent,
} from '#sandbox/calendars/change-events.ts'
import { epochMsOf, NEW_EVENT_DEFAULTS, type SandboxEvent } from '#sandbox/calendars/event.ts'
import type { CalendarSandboxContext } from '#sandbox/calendars/world.ts'
import { etagOf, parseEventTime } from './event-resource.ts'
import { deletedError, GoogleErrorResponse, invalidRequestError, notFoundError } from './google-fault.ts'

const sentMoment = z.object({
  date: z.string().nullish(),
  dateTime: z.string().nullish(),
  timeZone: z.string().nullish(),
})
/** The event fields that Meridian writes. Source: https://developers.google.com/workspace/calendar/api/v3/reference/events */
const sentEvent = z.object({
  id: z.string().optional(),
  summary: z.string().max(1_024).optional(),
  description: z.string().max(8_192).optional(),
  location: z.string().max(1_024).optional(),
  start: sentMoment.optional(),
  end: sentMoment.optional(),
  status: z.enum(['confirmed', 'tentative', 'cancelled']).optional(),
  source: z.object({ title: z.string(), url: z.url({ protocol: /^https?$/ }) }).optional(),
  extendedProperties: z
    .object({ private: z.record(z.string().max(44), z.string().max(1_024)).optional() })
    .optional(),
})
type SentEvent = z.infer<typeof sentEvent>

/** @throws GoogleErrorResponse */
export async function insertEvent(
  world: CalendarSandboxContext,
  calendarId: string,
  body: unknown,
): Promise<SandboxEvent> {
  const sent = parseEvent(body)
  const id = sent.id ?? ''
  if (!/^[a-v0-9]{5,1024}$/.test(id)) throw invalidRequestError('Invalid resource id value.')
  return changeEventOfOwnCalendar(world, calendarId, async (calendar, trx) => {
    if ((await findEvent(world, trx, calendarId, id)) !== null) {
      throw new GoogleErrorResponse(409, {
        reason: 'duplicate',
        message: 'The requested identifier already exists.',
      })
    }
    return merge({ ...NEW_EVENT_DEFAULTS, id, ...timesOf(sent, calendar, null) }, sent, calendar)
  })
}

/** @throws GoogleErrorResponse */
export function patchEvent(
  world: CalendarSandboxContext,
  { calendarId, eventId, etag }: EventReference,
  body: unknown,
): Promise<SandboxEvent> {
  const sent = parseEvent(body)
  return changeEventOfOwnCalendar(world, calendarId, async (calendar, trx) => {
    const before = await findEvent(world, trx, calendarId, eventId)
    if (before === null) throw notFoundError()
    refuseOtherVersion(before, etag)
    const isCancelled = sent.status === undefined ? before.isCancelled : sent.status === 'cancelled'
    return merge({ ...before, isCancelled, sequence: before.sequence + 1 }, sent, calendar)
  })
}

/** @throws GoogleErrorResponse */
export async function deleteEvent(
  world: CalendarSandboxContext,
  { calendarId, eventId, etag }: EventReference,
): Promise<void> {
  await changeEventOfOwnCalendar(world, calendarId, async (_calendar, trx) => {
    const before = await findEvent(world, trx, calendarId, eventId)
    if (before === null) throw notFoundError()
    if (before.isCancelled) throw deletedError()
    refuseOtherVersion(before, etag)
    return { ...before, isCancelled: true }
  })
}

function parseEvent(body: unknown): SentEvent {
  const parsed = sentEvent.safeParse(body)
  if (!parsed.success) throw invalidRequestError('Invalid event')
  return parsed.data
}

function merge(before: EventChange, sent: SentEvent, calendar: SandboxCalendar): EventChange {
  const { summary, description, location, source, extendedProperties } = sent
  return {
    ...before,
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(location === undefined ? {} : { location }),
    ...(source === undefined ? {} : { source }),
    privateProperties: { ...before.privateProperties, ...extendedProperties?.private },
    ...timesOf(sent, calendar, before),
  }
}

/** @throws GoogleErrorResponse when a time is missing, or the end is before the start */
function timesOf(
  { start: sentStart, end: sentEnd }: SentEvent,
  { timeZone }: SandboxCalendar,
  before: Pick<EventChange, 'start' | 'end'> | null,
): Pick<EventChange, 'start' | 'end'> {
  for (const zone of [sentStart?.timeZone, sentEnd?.timeZone]) {
    if (zone && !isTimeZone(zone)) throw invalidRequestError('Invalid time zone definition.')
  }
  const start = sentStart === undefined ? before?.start : parseEventTime(sentStart, timeZone)
  const end = sentEnd === undefined ? before?.end : parseEventTime(sentEnd, timeZone)
  if (!start || !end) throw invalidRequestError('Missing or invalid time.')
  if (epochMsOf(end, timeZone) < epochMsOf(start, timeZone)) {
    throw new GoogleErrorResponse(400, {
      domain: 'calendar',
      reason: 'timeRangeEmpty',
      message: 'The specified time range is empty.',
    })
  }
  return { start, end }
}

function refuseOtherVersion(event: SandboxEvent, etag: string | undefined): void {
  if (etag !== undefined && etag !== etagOf(event)) {
    throw new GoogleErrorResponse(412, { reason: 'conditionNotMet', message: 'Precondition Failed' })
  }
}
