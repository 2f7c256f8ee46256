import { type Interval, overlaps } from '#core/shared/interval.ts'
import { truncateText } from '#core/shared/text.ts'
import type { EventOccurrence, ExternalEvent, UnreadablePart } from '#server/ports/external-calendar.ts'
import { findAppointmentOfEvent } from './event-id.ts'
import {
  findEpochMs,
  type GraphEvent,
  hasKnownZone,
  isBusyEvent,
  isInvitation,
  toCalendarZone,
} from './graph-event.ts'

/** Maximum length of a title, in characters; longer ones are truncated. */
const TITLE_LENGTH = 500

export type EventContext = {
  /** The calendar's zone; null when the account does not reveal it. */
  readonly timeZone: string | null
  /** Occurrences outside this window are dropped; null means no limit. */
  readonly window: Interval | null
}

/** Converts an event that is not part of a series. */
export function toExternalEvent(event: GraphEvent, frame: EventContext): ExternalEvent {
  const described = describe(event)
  // An appointment's event keeps its time wherever the owner moved it, so the window does not apply.
  const isOurs = isOwn(described)
  const { timeZone, window } = isOurs ? { ...frame, window: null } : frame
  const isShown = isOurs || isBusyEvent(event)
  return {
    ...described,
    occurrences: isShown
      ? listOccurrence(event, { timeZone, window, key: '', isAllDay: event.isAllDay })
      : [],
    unreadable: isShown ? findUnreadable([event], frame) : null,
  }
}

/**
 * Converts a series, which is replaced as a whole: when one occurrence is deleted, Graph sends the remaining ones. In
 * Graph's response, unchanged occurrences contain only their times and inherit everything else from the series; changed
 * occurrences are complete.
 */
export function toSeriesEvent(
  { master, parts }: { readonly master: GraphEvent; readonly parts: readonly GraphEvent[] },
  frame: EventContext,
): ExternalEvent {
  const described = describe(master)
  const last = new Map(parts.map((part) => [part.id, part]))
  const shown = [...last.values()]
    .map((part) => withMissing(part, master))
    .filter((whole) => isOwn(described) || isBusyEvent(whole))
  const occurrences = shown.flatMap((whole) =>
    listOccurrence(whole, { ...frame, key: whole.id, isAllDay: whole.isAllDay }),
  )
  return { ...described, occurrences, unreadable: findUnreadable(shown, frame) }
}

function withMissing(part: GraphEvent, master: GraphEvent): GraphEvent {
  return {
    ...part,
    showAs: part.showAs ?? master.showAs,
    isAllDay: part.isAllDay ?? master.isAllDay,
    isCancelled: part.isCancelled ?? master.isCancelled,
    responseStatus: part.responseStatus ?? master.responseStatus,
    originalStartTimeZone: part.originalStartTimeZone ?? master.originalStartTimeZone,
  }
}

/** True when an event names one of our appointments and nobody else organizes it. */
function isOwn({
  appointmentId,
  isInvitation,
}: Pick<ExternalEvent, 'appointmentId' | 'isInvitation'>): boolean {
  return appointmentId !== null && !isInvitation
}

function describe(event: GraphEvent): Omit<ExternalEvent, 'occurrences' | 'unreadable'> {
  const named = findAppointmentOfEvent(event)
  return {
    eventId: event.id,
    title: toTitle(event.subject),
    appointmentId: named?.appointmentId ?? null,
    secret: event.isOrganizer === true && isBusyEvent(event) ? (named?.secret ?? null) : null,
    isInvitation: isInvitation(event),
    etag: event['@odata.etag'] ?? null,
  }
}

/** Returns an event's only occurrence, or none when it has no length or lies outside the window. */
function listOccurrence(
  event: GraphEvent,
  { timeZone, window, key, isAllDay }: EventContext & { key: string; isAllDay: boolean | null | undefined },
): EventOccurrence[] {
  const at = { isAllDay: isAllDay === true, calendarZone: toCalendarZone(event, timeZone) }
  const startMs = findEpochMs(event.start, at)
  const endMs = findEpochMs(event.end, at)
  if (startMs === null || endMs === null || endMs <= startMs) return []
  if (window !== null && !overlaps({ startMs, endMs }, window)) return []
  return [{ key, startMs, endMs, isAllDay: at.isAllDay }]
}

/** Returns how unreadable an event is; null when it can be read. Source: rule G30. */
function findUnreadable(
  events: readonly GraphEvent[],
  { timeZone }: Pick<EventContext, 'timeZone'>,
): UnreadablePart | null {
  const hasTimes = (event: GraphEvent) => {
    const at = { isAllDay: event.isAllDay === true, calendarZone: toCalendarZone(event, timeZone) }
    return findEpochMs(event.start, at) !== null && findEpochMs(event.end, at) !== null
  }
  if (!events.every(hasTimes)) return 'date'
  return events.every(hasKnownZone) ? null : 'zone'
}

/** Returns a title without the characters that the database cannot store. */
function toTitle(subject: string | null | undefined): string | null {
  const title = truncateText((subject ?? '').replaceAll('\u0000', '').toWellFormed().trim(), TITLE_LENGTH)
  return title === '' ? null : title
}
