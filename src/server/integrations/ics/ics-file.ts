import { createHash } from 'node:crypto'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { FetchTypedAddress } from '#server/platform/http/fetch-typed-address.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { toAnswerError, toProviderError } from '../icalendar/answer-errors.ts'
import { type CalendarFile, readLongCalendarFile } from '../icalendar/read-calendar-file.ts'

const TIMEOUT_MS = MINUTE_MS / 2
/** Ten thousand events take about 5 MB. */
const MAX_BYTES = 30_000_000
/** Strangers can cause a question before a booking, some twenty in a minute. Source: rule G7. */
export const MAX_BYTES_BEFORE_BOOKING = 5_000_000

/** By what a server knows that we have its file already. */
export type FileVersion = { readonly etag: string | null; readonly lastModified: string | null }

export type FetchedFile = {
  readonly file: CalendarFile
  readonly version: FileVersion
  readonly mark: string
}

/**
 * Fetches the file of an address, or null when it is the one of `version`.
 * @throws CalendarProviderError
 */
export async function fetchIcsFile(
  fetchAddress: FetchTypedAddress,
  {
    url,
    version,
    signal,
    maxBytes = MAX_BYTES,
  }: {
    readonly url: string
    readonly version?: FileVersion
    readonly signal?: AbortSignal
    readonly maxBytes?: number
  },
): Promise<FetchedFile | null> {
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes, ...(signal === undefined ? {} : { signal }) }
  const answer = await ask(() => fetchAddress(url, { headers: toConditions(version), ...limits }))
  if (answer.status === 304 && version !== undefined) return null
  if (!answer.ok) throw toFileError(answer)
  const text = await answer.text()
  const file = await readLongCalendarFile(text)
  if (file === null) throw new CalendarProviderError('unavailable', describeOther(text))
  return {
    file,
    version: { etag: answer.headers.get('etag'), lastModified: answer.headers.get('last-modified') },
    mark: createHash('sha256').update(text).digest('base64url'),
  }
}

function toConditions(version: FileVersion | undefined): Record<string, string> {
  return {
    accept: 'text/calendar, */*;q=0.1',
    ...(version?.etag ? { 'if-none-match': version.etag } : {}),
    ...(version?.lastModified ? { 'if-modified-since': version.lastModified } : {}),
  }
}

async function ask(fetchFile: () => Promise<Response>): Promise<Response> {
  try {
    return await fetchFile()
  } catch (error) {
    throw toProviderError(error)
  }
}

/** The address itself is the secret, so a server that forbids it has another one by now. */
function toFileError(answer: Response): CalendarProviderError {
  if (answer.status !== 401 && answer.status !== 403) return toAnswerError(answer)
  return new CalendarProviderError('expired', 'The server does not give this calendar to us any more.')
}

function describeOther(text: string): string {
  if (/^\s*</.test(text)) return 'This address leads to a web page, not to a calendar.'
  return text.includes('BEGIN:VCALENDAR') ? 'The calendar was cut off.' : 'This address leads to no calendar.'
}
