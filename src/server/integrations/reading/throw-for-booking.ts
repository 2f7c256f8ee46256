import { AnswerTooLargeError, CalendarTooLargeError } from '#server/ports/external-calendar.ts'

/** Passes on why a question before a booking has no answer. Of what is beyond a bound the copy decides. Source: rule G7. */
export function throwForBooking(error: unknown): never {
  if (!(error instanceof CalendarTooLargeError)) throw error
  throw new AnswerTooLargeError(error.kind, error.message, { cause: error })
}
