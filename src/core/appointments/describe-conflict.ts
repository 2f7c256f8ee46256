import { wrapInBidiIsolates } from '#core/shared/text.ts'
import type { OverlapReason } from '#core/slots/explain-start.ts'

/** An appointment that conflicts with a time, in one of the person's calendars. */
export type ConflictingAppointment = {
  readonly customerName: string
  readonly calendarName: string
  /** What overlaps: the appointments themselves, their preparation or wrap-up, or only the buffer. Source: rule T50. */
  readonly reason: OverlapReason
  readonly bufferMinutes: number | null
}

/** Tells the owner which appointment in which calendar conflicts with a time. Source: rule T43. */
export function describeConflict({
  customerName,
  calendarName,
  reason,
  bufferMinutes,
}: ConflictingAppointment): string {
  const what = `the appointment of ${wrapInBidiIsolates(customerName)} in your calendar “${wrapInBidiIsolates(calendarName)}”`
  return describeOverlap(what, { reason, bufferMinutes })
}

/** Tells the owner that a time is taken by an event, or too close to it. */
export function describeOverlap(
  what: string,
  { reason, bufferMinutes }: Pick<ConflictingAppointment, 'reason' | 'bufferMinutes'>,
): string {
  if (reason === 'busy') return `This time is taken by ${what}.`
  const why =
    reason === 'buffer'
      ? `your buffer is ${bufferMinutes} minutes`
      : 'it leaves no time for preparation and wrap-up'
  return `This time is too close to ${what}: ${why}.`
}
