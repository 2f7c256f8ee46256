import { AnswerTooLargeError, CalendarTooLargeError } from '#server/ports/external-calendar.ts'

/**
 * Rethrows an error of a check before a booking. If a limit was exceeded, throws the error that makes the booking use
 * the stored copy. Source: rule G7.
 */
export function throwForBooking(error: unknown): never {
  if (!(error instanceof CalendarTooLargeError)) throw error
  throw new AnswerTooLargeError(error.kind, error.message, { cause: error })
}
