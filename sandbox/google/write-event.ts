import { z } from 'zod'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import type { SandboxCalendar } from '#sandbox/calendars/calendar.ts'
import {
  changeOwnEvent,
  type EventChange,
  type EventPlace,
  findEvent,
} from '#sandbox/calendars/change-events.ts'
import { BLANK_EVENT, epochMsOf, type SandboxEvent } from '#sandbox/calendars/event.ts'
import type { CalendarWorld } from '#sandbox/calendars/world.ts'
import { etagOf, findMoment } from './event-resource.ts'
import { deleted, GoogleFault, invalid, notFound } from './google-fault.ts'

const sentMoment = z.object({
  date: z.string().nullish(),
  dateTime: z.string().nullish(),
  timeZone: z.string().nullish(),
})
/** The event fields that the product writes. Source: https://developers.google.com/workspace/calendar/api/v3/reference/events */
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

/** @throws GoogleFault */
export async function insertEvent(
  world: CalendarWorld,
  calendarId: string,
  body: unknown,
): Promise<SandboxEvent> {
  const sent = parseEvent(body)
  const id = sent.id ?? ''
  if (!/^[a-v0-9]{5,1024}$/.test(id)) throw invalid('Invalid resource id value.')
  return changeOwnEvent(world, calendarId, async (calendar, trx) => {
    if ((await findEvent(world, trx, calendarId, id)) !== null) {
      throw new GoogleFault(409, {
        reason: 'duplicate',
        message: 'The requested identifier already exists.',
      })
    }
    return merge({ ...BLANK_EVENT, id, ...timesOf(sent, calendar, null) }, sent, calendar)
  })
}

/** @throws GoogleFault */
export function patchEvent(
  world: CalendarWorld,
  { calendarId, eventId, etag }: EventPlace,
  body: unknown,
): Promise<SandboxEvent> {
  const sent = parseEvent(body)
  return changeOwnEvent(world, calendarId, async (calendar, trx) => {
    const before = await findEvent(world, trx, calendarId, eventId)
    if (before === null) throw notFound()
    refuseOtherVersion(before, etag)
    const isCancelled = sent.status === undefined ? before.isCancelled : sent.status === 'cancelled'
    return merge({ ...before, isCancelled, sequence: before.sequence + 1 }, sent, calendar)
  })
}

/** @throws GoogleFault */
export async function deleteEvent(
  world: CalendarWorld,
  { calendarId, eventId, etag }: EventPlace,
): Promise<void> {
  await changeOwnEvent(world, calendarId, async (_calendar, trx) => {
    const before = await findEvent(world, trx, calendarId, eventId)
    if (before === null) throw notFound()
    if (before.isCancelled) throw deleted()
    refuseOtherVersion(before, etag)
    return { ...before, isCancelled: true }
  })
}

function parseEvent(body: unknown): SentEvent {
  const parsed = sentEvent.safeParse(body)
  if (!parsed.success) throw invalid('Invalid event')
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

/** @throws GoogleFault when a time is missing, or the end is before the start */
function timesOf(
  { start: sentStart, end: sentEnd }: SentEvent,
  { timeZone }: SandboxCalendar,
  before: Pick<EventChange, 'start' | 'end'> | null,
): Pick<EventChange, 'start' | 'end'> {
  for (const zone of [sentStart?.timeZone, sentEnd?.timeZone]) {
    if (zone && !isTimeZone(zone)) throw invalid('Invalid time zone definition.')
  }
  const start = sentStart === undefined ? before?.start : findMoment(sentStart, timeZone)
  const end = sentEnd === undefined ? before?.end : findMoment(sentEnd, timeZone)
  if (!start || !end) throw invalid('Missing or invalid time.')
  if (epochMsOf(end, timeZone) < epochMsOf(start, timeZone)) {
    throw new GoogleFault(400, {
      domain: 'calendar',
      reason: 'timeRangeEmpty',
      message: 'The specified time range is empty.',
    })
  }
  return { start, end }
}

function refuseOtherVersion(event: SandboxEvent, etag: string | undefined): void {
  if (etag !== undefined && etag !== etagOf(event)) {
    throw new GoogleFault(412, { reason: 'conditionNotMet', message: 'Precondition Failed' })
  }
}
