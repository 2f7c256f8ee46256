import { formatInstant } from './format-instant.ts'

/** `9 AM`: a full hour of the day, 0 to 23. */
export function formatHour(hour: number): string {
  return formatInstant(Date.UTC(1970, 0, 1, hour), { hour: 'numeric', timeZone: 'UTC' })
}

/** `9:30 AM`: a wall clock, `HH:mm` or with seconds, that belongs to no day and no zone. */
export function formatClock(time: string): string {
  const at = new Date(`1970-01-01T${time.slice(0, 5)}:00Z`)
  return formatInstant(at, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
}
