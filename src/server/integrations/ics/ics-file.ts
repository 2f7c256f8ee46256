import { MINUTE_MS } from '#core/shared/duration.ts'
import { toResponseError, toUrlFetchError } from '#server/integrations/icalendar/response-errors.ts'
import { MAX_FILE_BYTES, toTooLargeError } from '#server/integrations/reading/truncate-long-texts.ts'
import type { FetchOwnerUrl } from '#server/platform/http/fetch-owner-url.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import type { FileVersion } from './file-cursor.ts'

const TIMEOUT_MS = MINUTE_MS / 2
/**
 * Maximum file size for a check before a booking, which strangers can trigger about twenty times a minute.
 * Source: rule G7.
 */
export const MAX_BOOKING_CHECK_BYTES = 5_000_000

type FetchedFile = { readonly content: Uint8Array; readonly version: FileVersion }

/**
 * Fetches the file of a URL; null when it is unchanged since `version`.
 * @throws CalendarProviderError
 */
export async function fetchIcsFile(
  fetchAddress: FetchOwnerUrl,
  {
    url,
    version,
    signal,
    maxBytes = MAX_FILE_BYTES,
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
  return {
    content: new Uint8Array(await answer.arrayBuffer()),
    version: { etag: answer.headers.get('etag'), lastModified: answer.headers.get('last-modified') },
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
    throw toTooLargeError(error) ?? toUrlFetchError(error)
  }
}

/**
 * Translates an error response for a file. The URL itself is the secret, so a server that forbids access has presumably
 * issued a new URL.
 */
function toFileError(answer: Response): CalendarProviderError {
  if (answer.status !== 401 && answer.status !== 403) return toResponseError(answer)
  return new CalendarProviderError('expired', 'The server does not give this calendar to us any more.')
}
