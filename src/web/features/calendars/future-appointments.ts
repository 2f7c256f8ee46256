import type { CalendarOutlook } from '#contract/calendars.ts'

/** What happens to the future appointments when their calendar is deleted. `undefined`: not known. */
export function describeDeletion(outlook: CalendarOutlook | undefined): string {
  if (outlook === undefined) {
    return 'Its future appointments will be cancelled, and their customers are told by email.'
  }
  const { future_appointments: count, without_email: unreachable } = outlook
  if (count === 0) return 'There are no upcoming appointments.'
  const what =
    count === 1
      ? '1 future appointment will be cancelled, and its customer is told by email.'
      : `${count} future appointments will be cancelled, and their customers are told by email.`
  if (unreachable === 0) return what
  if (unreachable === count) {
    return count === 1
      ? '1 future appointment will be cancelled. Its customer gave no email address: please tell them yourself.'
      : `${count} future appointments will be cancelled. Their customers gave no email addresses: please tell them yourself.`
  }
  return `${what} ${unreachable} of them gave no email address: please tell them yourself.`
}
