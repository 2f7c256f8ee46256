import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { PaymentProviderError } from '#server/ports/payment-provider.ts'
import { toPaypalRefusal } from './paypal-refusal.ts'

export type PaypalRequest<Reply> = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly authorization: string
  readonly headers: Readonly<Record<string, string>>
  /** The request body; a string contains JSON. */
  readonly body: string | URLSearchParams | null
  readonly reply: z.ZodType<Reply>
  /** True when the request is safe to retry (idempotent). */
  readonly isRepeatable: boolean
  /** Time limit for the whole response, in milliseconds. */
  readonly timeoutMs: number
}

const PAUSE_MS = 500

/**
 * Calls PayPal; retries once if it did not answer and a retry is safe.
 * @throws PaypalRefusal when PayPal refused
 * @throws PaymentProviderError `unavailable` when it did not answer, or the response is unknown
 */
export async function sendToPaypal<Reply>(request: PaypalRequest<Reply>): Promise<Reply> {
  try {
    return await sendOnce(request)
  } catch (error) {
    const isWorthIt =
      error instanceof PaymentProviderError && error.kind !== 'refused' && request.isRepeatable
    if (!isWorthIt) throw error
  }
  await sleep(PAUSE_MS)
  return sendOnce(request)
}

async function sendOnce<Reply>(request: PaypalRequest<Reply>): Promise<Reply> {
  const { status, isOk, text } = await fetchText(request)
  const body = parseJson(text)
  if (!isOk) throw toPaypalRefusal(status, body)
  const { data, error } = request.reply.safeParse(body)
  if (error === undefined) return data
  throw new PaymentProviderError('unavailable', 'PayPal answered in a way that is not known.', {
    cause: error,
  })
}

async function fetchText({ method, url, authorization, headers, body, timeoutMs }: PaypalRequest<unknown>) {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        authorization,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      body,
      // PayPal's API never redirects, and no other host may receive the token.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, isOk: response.ok, text: await response.text() }
  } catch (error) {
    throw new PaymentProviderError('unavailable', 'PayPal could not be reached.', { cause: error })
  }
}

/** Parses JSON; null when the text is not JSON. A deletion has no body, and an error can be an HTML page. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
