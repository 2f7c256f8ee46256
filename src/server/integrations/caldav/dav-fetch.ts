import { MINUTE_MS } from '#core/shared/duration.ts'
import type { FetchTypedAddress } from '#server/platform/http/fetch-typed-address.ts'
import { toAnswerError, toProviderError } from '../icalendar/answer-errors.ts'
import { LARGEST_FILE_BYTES, toTooLargeError } from '../reading/largest-file.ts'
import type { DavAccount } from './dav-account.ts'

export type DavRequest = {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly redirect?: 'manual'
}

/** A request to one account. */
export type DavFetch = (url: string, request: DavRequest) => Promise<Response>

/** A server takes its time over thousands of events. */
const TIMEOUT_MS = MINUTE_MS

/**
 * Builds a `fetch` for one account: it goes through the guard for typed addresses (rule G21) and carries the password. What no caller can
 * go on with is thrown: a refused password, a server that asks us to wait, a fault of it, no answer.
 * @throws CalendarProviderError from the built function
 */
export function buildDavFetch(
  fetchAddress: FetchTypedAddress,
  { username, password }: Pick<DavAccount, 'username' | 'password'>,
  signal?: AbortSignal,
): DavFetch {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`
  return async (url, { method, headers, body, redirect }) => {
    const answer = await fetchAddress(url, {
      method,
      // A compressed answer would have an etag of its own.
      headers: { ...headers, authorization, 'accept-encoding': 'identity' },
      ...(body === undefined ? {} : { body }),
      redirect: redirect ?? 'follow',
      timeoutMs: TIMEOUT_MS,
      maxBytes: LARGEST_FILE_BYTES,
      ...(signal === undefined ? {} : { signal }),
    }).catch((error: unknown) => {
      throw toTooLargeError(error) ?? toProviderError(error)
    })
    const { status } = answer
    // 507 is an answer to a sync: there is more.
    if (status === 401 || status === 429 || (status >= 500 && status !== 507)) throw toAnswerError(answer)
    return answer
  }
}

/** The start of an answer that is not what was asked for: what is wrong is said there. */
export async function readReason(answer: Response): Promise<string> {
  return Buffer.from(await answer.arrayBuffer())
    .subarray(0, LONGEST_REASON)
    .toString()
}

const LONGEST_REASON = 10_000
