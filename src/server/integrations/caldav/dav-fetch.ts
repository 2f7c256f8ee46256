import { MINUTE_MS } from '#core/shared/duration.ts'
import type { FetchTypedAddress } from '#server/platform/http/fetch-typed-address.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
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
    return status === 207 ? toWhole(answer) : answer
  }
}

/** Of an answer that was cut off, the rest would look deleted. The parser of tsdav does not notice. */
async function toWhole(answer: Response): Promise<Response> {
  const text = await answer.text()
  if (!/<(\/(\w+:)?multistatus\s*|(\w+:)?multistatus[^<>]*\/)>\s*$/.test(text.slice(-500))) {
    throw new CalendarProviderError('unavailable', 'The answer of the server was cut off.')
  }
  const { status, statusText, headers } = answer
  return new Response(text, { status, statusText, headers })
}
