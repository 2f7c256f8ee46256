import { CalendarTooLargeError, ResponseTooLargeError } from '#server/ports/external-calendar.ts'

/**
 * A table of parsers for responses of owners' servers. Results are split into parts that are small enough to send
 * quickly between processes.
 */
export type ParserTable = Readonly<
  Record<string, (input: never) => Iterable<unknown> | AsyncIterable<unknown>>
>

type PartOf<Answer> = Answer extends Iterable<infer Part> | AsyncIterable<infer Part> ? Part : never

/** The circumstances of a reading. */
export type ParseJob = {
  /** The account to which the CPU time is charged. */
  readonly account: string
  /**
   * True when a booking waits for the result: the reading takes precedence, and is aborted when it takes too long.
   * Source: rule G7.
   */
  readonly isQuestion?: boolean
  readonly signal?: AbortSignal
}

/** Runs one parser of a table and returns all parts of the result. @throws CalendarProviderError */
export type RunParser<Table extends ParserTable> = <Name extends keyof Table & string>(
  name: Name,
  input: Parameters<Table[Name]>[0],
  order: ParseJob,
) => Promise<PartOf<ReturnType<Table[Name]>>[]>

/** Returns the only part of a result that consists of a single part. */
export function getOnlyPart<Part>([part]: readonly Part[]): Part {
  if (part === undefined) throw new Error('A reading gave no answer.')
  return part
}

/**
 * Rethrows an error that occurred while checking an external calendar before a booking. If the error is an exceeded
 * limit, throws instead the error that makes the booking use the stored copy. Source: rule G7.
 */
export function rethrowForBookingCheck(error: unknown): never {
  if (!(error instanceof CalendarTooLargeError)) throw error
  throw new ResponseTooLargeError(error.kind, error.message, { cause: error })
}
