import type { DateTimeTimeZone, Event, FreeBusyStatus, ResponseType } from '@microsoft/microsoft-graph-types'
import { DAY_MS } from '#core/shared/duration.ts'
import type { SandboxCalendar } from '#sandbox/calendars/calendar.ts'
import { epochMsOf, type SandboxEvent, type SandboxEventTime } from '#sandbox/calendars/event.ts'
import { WINDOWS_ZONES } from '#server/integrations/icalendar/windows-zones.ts'

/** The name of the private property that stores an event's transaction id. */
export const TRANSACTION_ID_PROPERTY = 'transactionId'

/** Returns a zone's Windows name; its IANA name when Windows has none. */
export function toWindowsZoneName(timeZone: string): string {
  return Object.entries(WINDOWS_ZONES).find(([, iana]) => iana === timeZone)?.[0] ?? timeZone
}

/** The change key, which changes with every change of the event. */
function changeKeyOf({ updatedMs, change }: Pick<SandboxEvent, 'updatedMs' | 'change'>): string {
  return Buffer.from(`${updatedMs} ${change}`).toString('base64')
}

export const etagOf = (event: SandboxEvent) => `W/"${changeKeyOf(event)}"`

export type GraphEventResource = Omit<Event, 'singleValueExtendedProperties'> & {
  readonly '@odata.etag'?: string
  readonly '@removed'?: { readonly reason: 'deleted' }
  readonly singleValueExtendedProperties?: readonly { readonly id: string; readonly value: string }[]
}

/** Converts an event to Graph's format. */
export function toEventResource(event: SandboxEvent, calendar: SandboxCalendar): GraphEventResource {
  const { series, isFree, eventType, answer } = event
  const zone = toWindowsZoneName('date' in event.start ? calendar.timeZone : event.start.timeZone)
  const isMoved = series !== null && !isSame(series.originalStart, event.start, calendar.timeZone)
  const me = { name: calendar.email, address: calendar.email }
  const written = new Date(event.updatedMs).toISOString()
  return {
    '@odata.etag': etagOf(event),
    id: event.id,
    createdDateTime: new Date(event.createdMs).toISOString(),
    lastModifiedDateTime: written,
    changeKey: changeKeyOf(event),
    categories: [],
    transactionId: event.privateProperties[TRANSACTION_ID_PROPERTY] ?? null,
    originalStartTimeZone: zone,
    originalEndTimeZone: zone,
    iCalUId: `040000008200E00074C5B7101A82E008${Buffer.from(event.id).toString('hex').toUpperCase()}`,
    reminderMinutesBeforeStart: 15,
    isReminderOn: true,
    hasAttachments: false,
    subject: event.summary,
    bodyPreview: event.description.slice(0, 255),
    importance: 'normal',
    sensitivity: 'normal',
    isAllDay: 'date' in event.start,
    isCancelled: false,
    isOrganizer: answer === null,
    responseRequested: true,
    seriesMasterId: series?.id ?? null,
    showAs: showAsOf({ isFree, eventType, answer }),
    type: series === null ? 'singleInstance' : isMoved ? 'exception' : 'occurrence',
    webLink: `https://outlook.example/calendar/item/${encodeURIComponent(event.id)}`,
    onlineMeetingUrl: null,
    isOnlineMeeting: false,
    onlineMeetingProvider: 'unknown',
    allowNewTimeProposals: true,
    isDraft: false,
    hideAttendees: false,
    recurrence: null,
    responseStatus: { response: RESPONSES[answer ?? 'none'], time: written },
    body: { contentType: 'text', content: event.description },
    start: toGraphTime(event.start),
    end: toGraphTime(event.end),
    location: { displayName: event.location, locationType: 'default', uniqueIdType: 'unknown' },
    locations: [],
    attendees: [],
    organizer: {
      emailAddress: answer === null ? me : { name: 'Host', address: 'host@invitations.example' },
    },
    singleValueExtendedProperties: Object.entries(event.privateProperties)
      .filter(([id]) => id !== TRANSACTION_ID_PROPERTY)
      .map(([id, value]) => ({ id, value })),
  }
}

/** Builds a series from its first occurrence, because the sandbox stores only occurrences. */
export function toSeriesMasterResource(
  parts: readonly SandboxEvent[],
  calendar: SandboxCalendar,
): GraphEventResource {
  const inOrder = [...parts].sort((a, b) => originalMs(a, calendar) - originalMs(b, calendar))
  const [first, second] = inOrder
  if (first?.series == null) throw new Error('a series has at least one occurrence')
  const gapMs = second === undefined ? DAY_MS : originalMs(second, calendar) - originalMs(first, calendar)
  const { id } = first.series
  return {
    ...toEventResource(first, calendar),
    id,
    seriesMasterId: null,
    type: 'seriesMaster',
    recurrence: {
      pattern: { type: 'daily', interval: Math.round(gapMs / DAY_MS) },
      range: { type: 'numbered', numberOfOccurrences: parts.length },
    },
  }
}

/**
 * Reduces an unchanged occurrence to the fields that a list of changes contains. Source: microsoftgraph/microsoft-graph-docs
 * issue 22197.
 */
export function toMinimalOccurrence(resource: GraphEventResource): GraphEventResource {
  if (resource.type !== 'occurrence') return resource
  const { '@odata.etag': etag = '', id, seriesMasterId, type, start, end } = resource
  const given = { '@odata.etag': etag, ...(id === undefined ? {} : { id }), type }
  return {
    ...given,
    ...(seriesMasterId === undefined ? {} : { seriesMasterId }),
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
  }
}

function originalMs({ series, start }: SandboxEvent, { timeZone }: SandboxCalendar): number {
  return epochMsOf(series?.originalStart ?? start, timeZone)
}

function isSame(a: SandboxEventTime, b: SandboxEventTime, timeZone: string): boolean {
  return epochMsOf(a, timeZone) === epochMsOf(b, timeZone)
}

function showAsOf({
  isFree,
  eventType,
  answer,
}: Pick<SandboxEvent, 'isFree' | 'eventType' | 'answer'>): FreeBusyStatus {
  if (isFree) return 'free'
  if (eventType === 'outOfOffice') return 'oof'
  if (eventType === 'workingLocation') return 'workingElsewhere'
  return answer === 'tentative' || answer === 'needsAction' ? 'tentative' : 'busy'
}

const RESPONSES = {
  none: 'organizer',
  accepted: 'accepted',
  tentative: 'tentativelyAccepted',
  declined: 'declined',
  needsAction: 'notResponded',
} as const satisfies Record<string, ResponseType>

/** Formats a time in UTC with seven decimals. All-day events start at midnight in any zone. */
function toGraphTime(moment: SandboxEventTime): DateTimeTimeZone {
  const clock =
    'date' in moment ? `${moment.date}T00:00:00` : new Date(moment.epochMs).toISOString().slice(0, 19)
  return { dateTime: `${clock}.0000000`, timeZone: 'UTC' }
}
