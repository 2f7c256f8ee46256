import {
  type CalendarErrorKind,
  CalendarProviderError,
  CalendarTooLargeError,
  ResponseTooLargeError,
} from '#server/ports/external-calendar.ts'

const CLASSES = {
  any: CalendarProviderError,
  answer_too_large: ResponseTooLargeError,
  calendar_too_large: CalendarTooLargeError,
}

/** An error serialised for another process, with the properties that callers use. */
export type SerialisedError = {
  readonly is: keyof typeof CLASSES
  readonly kind: CalendarErrorKind
  readonly message: string
  readonly retryAfterMs: number | null
  /** The original error's text, for the log. */
  readonly cause: string
}

/** Serialises an error. Any unexpected error means that the server's response cannot be parsed. */
export function serialiseError(error: unknown): SerialisedError {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
  if (!(error instanceof CalendarProviderError)) {
    return {
      is: 'any',
      kind: 'refused',
      message: 'We can’t read the server’s response.',
      retryAfterMs: null,
      cause,
    }
  }
  const { kind, message, retryAfterMs } = error
  const is =
    error instanceof CalendarTooLargeError
      ? 'calendar_too_large'
      : error instanceof ResponseTooLargeError
        ? 'answer_too_large'
        : 'any'
  return { is, kind, message, retryAfterMs, cause }
}

export function toCalendarError({
  is,
  kind,
  message,
  retryAfterMs,
  cause,
}: SerialisedError): CalendarProviderError {
  return new CLASSES[is](kind, message, { retryAfterMs, cause: new Error(cause) })
}
