/** Returns a calendar's path in Microsoft Graph. */
export function calendarPath(externalId: string): string {
  return `/me/calendars/${encodeURIComponent(externalId)}`
}

/** Returns an event's path within its calendar, so that events in the bin are not found. */
export function eventPath(externalId: string, eventId: string): string {
  return `${calendarPath(externalId)}/events/${encodeURIComponent(eventId)}`
}

/** Query parameters of a calendar view; both ends in UTC. */
export function toViewQuery({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }) {
  return { startDateTime: new Date(startMs).toISOString(), endDateTime: new Date(endMs).toISOString() }
}
