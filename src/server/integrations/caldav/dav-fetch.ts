import { MINUTE_MS } from '#core/shared/duration.ts'
import type { FetchTypedAddress } from '#server/platform/http/fetch-typed-address.ts'
import { toAnswerError, toProviderError } from '../icalendar/answer-errors.ts'
import type { DavAccount } from './dav-account.ts'

/** What tsdav calls in place of the runtime's own `fetch`. */
export type DavFetch = typeof fetch

/** A server takes its time over thousands of events. */
const TIMEOUT_MS = MINUTE_MS
const MAX_BYTES = 30_000_000

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
  return async (url, { method, headers, body, redirect } = {}) => {
    const answer = await fetchAddress(String(url), {
      method: method ?? 'GET',
      // A compressed answer would have an etag of its own.
      headers: { ...Object.fromEntries(new Headers(headers)), authorization, 'accept-encoding': 'identity' },
      ...(typeof body === 'string' ? { body } : {}),
      redirect: redirect === 'manual' ? 'manual' : 'follow',
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      ...(signal === undefined ? {} : { signal }),
    }).catch((error: unknown) => {
      throw toProviderError(error)
    })
    const { status } = answer
    // 507 is an answer to a sync: there is more.
    if (status === 401 || status === 429 || (status >= 500 && status !== 507)) throw toAnswerError(answer)
    return answer
  }
}
