/** Where a calendar is at Graph. */
export function calendarPath(externalId: string): string {
  return `/me/calendars/${encodeURIComponent(externalId)}`
}

/** An event in its calendar: what is in the bin is not there. */
export function eventPath(externalId: string, eventId: string): string {
  return `${calendarPath(externalId)}/events/${encodeURIComponent(eventId)}`
}

/** The parameters of a view; both ends in UTC. */
export function toViewQuery({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }) {
  return { startDateTime: new Date(startMs).toISOString(), endDateTime: new Date(endMs).toISOString() }
}
