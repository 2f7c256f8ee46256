import { isolate } from '#core/shared/text.ts'

/** An appointment of the same person on another calendar of the owner. */
export type ConflictElsewhere = {
  readonly customerName: string
  readonly calendarName: string
  /** How many minutes have to stay free beside it, where nothing but that stands in the way; null where it is at the very time. */
  readonly bufferMinutes: number | null
}

/** Says to the owner which appointment on which calendar stands in the way of a time. Source: rule T43. */
export function describeConflictElsewhere({
  customerName,
  calendarName,
  bufferMinutes,
}: ConflictElsewhere): string {
  const what = `the appointment of ${isolate(customerName)} in your calendar “${isolate(calendarName)}”`
  if (bufferMinutes === null) return `This time is taken by ${what}.`
  return `This time is too close to ${what}: ${bufferMinutes} minutes have to stay free.`
}
