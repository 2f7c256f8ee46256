import type { Calendar } from '#contract/calendars.ts'

/** What customers are reminded with. */
export function RemindersPanel({ calendar }: { calendar: Calendar }) {
  return <p>{calendar.name}</p>
}
