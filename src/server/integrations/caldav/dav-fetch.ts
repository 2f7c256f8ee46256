import { MINUTE_MS } from '#core/shared/duration.ts'
import { toResponseError, toUrlFetchError } from '#server/integrations/icalendar/response-errors.ts'
import { MAX_FILE_BYTES, toTooLargeError } from '#server/integrations/reading/truncate-long-texts.ts'
import type { FetchOwnerUrl } from '#server/platform/http/fetch-owner-url.ts'
import type { DavAccount } from './dav-account.ts'

type DavRequest = {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly redirect?: 'manual'
}

/** Sends a request to one account. */
export type DavFetch = (url: string, request: DavRequest) => Promise<Response>

/** Maximum duration of a request. Servers can take long to list thousands of events. */
const TIMEOUT_MS = MINUTE_MS

/**
 * Builds a `fetch` for one account that uses the guarded fetch for owner-supplied URLs (rule G21) and sends the
 * password. Throws for failures that no caller can handle: rejected password, rate limit, server error, no response.
 * @throws CalendarProviderError from the returned function
 */
export function buildDavFetch(
  fetchAddress: FetchOwnerUrl,
  { username, password }: Pick<DavAccount, 'username' | 'password'>,
  signal?: AbortSignal,
): DavFetch {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`
  return async (url, { method, headers, body, redirect }) => {
    const answer = await fetchAddress(url, {
      method,
      // Ask for an uncompressed response: a compressed one would have a different etag.
      headers: { ...headers, authorization, 'accept-encoding': 'identity' },
      ...(body === undefined ? {} : { body }),
      redirect: redirect ?? 'follow',
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_FILE_BYTES,
      ...(signal === undefined ? {} : { signal }),
    }).catch((error: unknown) => {
      throw toTooLargeError(error) ?? toUrlFetchError(error)
    })
    const { status } = answer
    // Status 507 in a sync response means that there are more changes.
    if (status === 401 || status === 429 || (status >= 500 && status !== 507)) throw toResponseError(answer)
    return answer
  }
}

/** Returns the beginning of an unexpected response, which usually states the problem. */
export async function readErrorExcerpt(answer: Response): Promise<string> {
  return Buffer.from(await answer.arrayBuffer())
    .subarray(0, LONGEST_REASON)
    .toString()
}

const LONGEST_REASON = 10_000
