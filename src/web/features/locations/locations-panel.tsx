import type { Calendar } from '#contract/calendars.ts'

/** The places of a calendar. */
export function LocationsPanel({ calendar }: { calendar: Calendar }) {
  return <p>{calendar.name}</p>
}
