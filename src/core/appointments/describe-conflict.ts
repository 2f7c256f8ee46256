import { wrapInBidiIsolates } from '#core/shared/text.ts'

/** An appointment that conflicts with a time, in one of the person's calendars. */
export type ConflictingAppointment = {
  readonly customerName: string
  readonly calendarName: string
  /** The buffer in minutes when only the buffer overlaps; null when the appointments themselves overlap. */
  readonly bufferMinutes: number | null
}

/** Tells the owner which appointment in which calendar conflicts with a time. Source: rule T43. */
export function describeConflict({
  customerName,
  calendarName,
  bufferMinutes,
}: ConflictingAppointment): string {
  const what = `the appointment of ${wrapInBidiIsolates(customerName)} in your calendar “${wrapInBidiIsolates(calendarName)}”`
  if (bufferMinutes === null) return `This time is taken by ${what}.`
  return `This time is too close to ${what}: your buffer is ${bufferMinutes} minutes.`
}
