import { z } from 'zod'
import { isDate, toEpochMs } from '#core/shared/zoned-time.ts'
import { findIanaNameOfZone } from '#server/integrations/icalendar/time-zone-names.ts'
import { APPOINTMENT_PROPERTY_ID } from './event-id.ts'

const moment = z.object({ dateTime: z.string().nullish(), timeZone: z.string().nullish() })

/**
 * An event as sent by Graph. Only the id is required: occurrences of a series contain only their times, and one
 * malformed event must not stop the others from being read. Source:
 * https://learn.microsoft.com/graph/api/resources/event
 */
const graphEvent = z.object({
  id: z.string().min(1).max(1_024),
  type: z.string().nullish().catch(null),
  seriesMasterId: z.string().min(1).max(1_024).nullish().catch(null),
  subject: z.string().nullish().catch(null),
  start: moment.nullish().catch(null),
  end: moment.nullish().catch(null),
  originalStartTimeZone: z.string().nullish().catch(null),
  isAllDay: z.boolean().nullish().catch(null),
  isCancelled: z.boolean().nullish().catch(null),
  isOrganizer: z.boolean().nullish().catch(null),
  showAs: z.string().nullish().catch(null),
  responseStatus: z.object({ response: z.string().nullish() }).nullish().catch(null),
  transactionId: z.string().nullish().catch(null),
  '@odata.etag': z.string().nullish().catch(null),
  '@removed': z.unknown().optional(),
  singleValueExtendedProperties: z
    .array(z.object({ id: z.string(), value: z.string() }))
    .nullish()
    .catch(null),
})
export type GraphEvent = z.infer<typeof graphEvent>

/** Parses an event; null when the value is not an event. */
export function parseEvent(sent: unknown): GraphEvent | null {
  return graphEvent.safeParse(sent).data ?? null
}

/** Query parameters that select the event fields we need. They are used where Graph allows a selection. */
export const EVENT_QUERY = {
  $select: [
    'id,type,seriesMasterId,subject,start,end,originalStartTimeZone,isAllDay,isCancelled,showAs',
    'responseStatus,transactionId,isOrganizer',
  ].join(','),
  $expand: `singleValueExtendedProperties($filter=id eq '${APPOINTMENT_PROPERTY_ID}')`,
} as const

/** Statuses that leave the owner's time bookable: `workingElsewhere` only states a place of work. Source: rule G3. */
const FREE = new Set(['free', 'workingElsewhere'])

/**
 * True when an event occupies its owner's time. Tentative, out-of-office and unknown statuses count as busy. Source:
 * rule G3.
 */
export function isBusyEvent({ isCancelled, showAs, responseStatus }: GraphEvent): boolean {
  return isCancelled !== true && !FREE.has(showAs ?? 'busy') && responseStatus?.response !== 'declined'
}

/**
 * True when somebody other than the calendar's owner organizes the event. Source:
 * https://learn.microsoft.com/graph/api/resources/event#properties
 */
export function isInvitation({ isOrganizer }: Pick<GraphEvent, 'isOrganizer'>): boolean {
  return isOrganizer === false
}

/**
 * Returns the instant of an event's start or end; null when it cannot be read. Graph sends all-day events from midnight
 * to midnight, whatever zone was requested, so they are read in their calendar's zone. Other times are in UTC, as
 * requested; if Graph could not convert them and their zone is unknown, the calendar's zone is used. Source: rule G4.
 */
export function findEpochMs(
  at: z.infer<typeof moment> | null | undefined,
  { isAllDay, calendarZone }: { readonly isAllDay: boolean; readonly calendarZone: string },
): number | null {
  const [, date = '', hours, minutes, seconds] =
    /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:[.]\d+)?Z?$/.exec(at?.dateTime ?? '') ?? []
  if (hours === undefined || !isDate(date)) return null
  const secondsOfDay = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
  if (secondsOfDay >= 86_400) return null
  const isDay = isAllDay && secondsOfDay === 0
  return toEpochMs(date, secondsOfDay, isDay ? calendarZone : zoneOf(at?.timeZone, calendarZone))
}

/** Returns the calendar's zone; if the account does not reveal it, the zone in which the event was created. */
export function toCalendarZone({ originalStartTimeZone }: GraphEvent, listed: string | null): string {
  return listed ?? zoneOf(originalStartTimeZone, 'UTC')
}

/**
 * False when Graph names a zone that we do not know: the event is then read in its calendar's zone. Source: rule G30.
 */
export function hasKnownZone({ start, end, isAllDay }: GraphEvent): boolean {
  const names = [start?.timeZone, end?.timeZone].filter((name) => typeof name === 'string' && name !== '')
  return isAllDay === true || names.every((name) => findIanaNameOfZone(name ?? '') !== null)
}

function zoneOf(name: string | null | undefined, otherwise: string): string {
  return findIanaNameOfZone(name ?? '') ?? otherwise
}
