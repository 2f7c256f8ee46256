import type { Calendar } from '#contract/calendars.ts'

/** When customers can book. */
export function AvailabilityPanel({ calendar }: { calendar: Calendar }) {
  return <p>{calendar.name}</p>
}
