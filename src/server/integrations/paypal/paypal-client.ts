import { z } from 'zod'
import type { Clock } from '#server/platform/clock.ts'
import {
  type PaymentAccount,
  type PaymentProviderApp,
  PaymentProviderError,
} from '#server/ports/payment-provider.ts'
import { PaypalRefusal } from './paypal-refusal.ts'
import { type PaypalRequest, sendToPaypal } from './paypal-request.ts'

export type PaypalSettings = {
  /** Base URL of a stand-in. If absent, PayPal itself is used, in the mode (live or sandbox) of each owner's app. */
  readonly sandboxUrl?: string
  readonly timeoutMs?: number
  readonly now: Clock
}

type Question<Reply> = Pick<PaypalRequest<Reply>, 'method' | 'reply'> & {
  readonly path: string
  /** The request body, as JSON. */
  readonly body?: string
  /** Idempotency key: PayPal executes requests with the same id once. */
  readonly requestId?: string
  readonly isRepeatable?: boolean
}

/** Calls PayPal with the owner's own app. */
export type PaypalClient = {
  readonly ask: <Reply>(app: PaymentProviderApp, question: Question<Reply>) => Promise<Reply>
  /** Exchanges a login code for the person's access token. */
  readonly redeemCode: (app: PaymentProviderApp, code: string) => Promise<string>
  readonly askAs: <Reply>(
    app: PaymentProviderApp,
    accessToken: string,
    question: Question<Reply>,
  ) => Promise<Reply>
}

type Token = { readonly accessToken: string; readonly expiresAtMs: number }

const TIMEOUT_MS = 10_000
/** A token is not used in its last minute, in milliseconds, so that it does not expire in transit. */
const TOKEN_MARGIN_MS = 60_000

const tokenReply = z.object({
  access_token: z.string().min(1).max(5_000),
  /** Lifetime of the token, in seconds. */
  expires_in: z.number().int().min(0).max(1_000_000),
})

export function buildPaypalClient({ sandboxUrl, timeoutMs = TIMEOUT_MS, now }: PaypalSettings): PaypalClient {
  const tokens = new Map<string, Token>()

  function requestToken(app: PaymentProviderApp, grant: Record<string, string>, isRepeatable: boolean) {
    const credentials = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')
    return sendToPaypal({
      method: 'POST',
      url: `${toPaypalHosts(sandboxUrl, app.mode).api}/v1/oauth2/token`,
      authorization: `Basic ${credentials}`,
      headers: {},
      body: new URLSearchParams(grant),
      reply: tokenReply,
      isRepeatable,
      timeoutMs,
    })
  }

  async function getToken(app: PaymentProviderApp): Promise<string> {
    for (const [key, { expiresAtMs }] of tokens) if (expiresAtMs <= now()) tokens.delete(key)
    const known = tokens.get(keyOf(app))
    if (known !== undefined) return known.accessToken
    const granted = await requestToken(app, { grant_type: 'client_credentials' }, true)
    const expiresAtMs = now() + granted.expires_in * 1_000 - TOKEN_MARGIN_MS
    tokens.set(keyOf(app), { accessToken: granted.access_token, expiresAtMs })
    return granted.access_token
  }

  function askAs<Reply>(
    app: PaymentProviderApp,
    accessToken: string,
    question: Question<Reply>,
  ): Promise<Reply> {
    const { method, path, body, requestId, reply, isRepeatable = method !== 'POST' } = question
    return sendToPaypal({
      method,
      url: `${toPaypalHosts(sandboxUrl, app.mode).api}${path}`,
      authorization: `Bearer ${accessToken}`,
      // Without this header the response omits the account and the amount.
      headers:
        requestId === undefined ? {} : { 'paypal-request-id': requestId, prefer: 'return=representation' },
      body: body ?? null,
      reply,
      isRepeatable: isRepeatable || requestId !== undefined,
      timeoutMs,
    })
  }

  return {
    askAs,
    ask: async (app, question) => {
      try {
        return await askAs(app, await getToken(app), question)
      } catch (error) {
        // PayPal can revoke a token before it expires. Request a new one and retry.
        const isStale = error instanceof PaypalRefusal && error.status === 401 && tokens.delete(keyOf(app))
        if (!isStale) throw error
        return askAs(app, await getToken(app), question)
      }
    },
    redeemCode: async (app, code) => {
      // Do not retry: an authorization code can be used only once.
      const grant = { grant_type: 'authorization_code', code }
      return (await requestToken(app, grant, false)).access_token
    },
  }
}

/**
 * Returns the owner's own PayPal app.
 * @throws PaymentProviderError `refused` when the owner's keys were deleted
 */
export function getPaypalApp({ app }: Pick<PaymentAccount, 'app'>): PaymentProviderApp {
  if (app === null) {
    throw new PaymentProviderError('refused', 'The PayPal app of this account is not known.', {
      isAccountGone: true,
    })
  }
  return app
}

function keyOf({ mode, clientId, clientSecret }: PaymentProviderApp): string {
  return JSON.stringify([mode, clientId, clientSecret])
}

/** Hosts of PayPal's API and of its pages. */
type PaypalHosts = { readonly api: string; readonly pages: string }

const HOSTS: Readonly<Record<PaymentProviderApp['mode'], PaypalHosts>> = {
  live: { api: 'https://api-m.paypal.com', pages: 'https://www.paypal.com' },
  sandbox: { api: 'https://api-m.sandbox.paypal.com', pages: 'https://www.sandbox.paypal.com' },
}

/**
 * Returns PayPal's hosts for live or test mode. A stand-in replaces both. Source:
 * https://developer.paypal.com/api/rest/#link-api-endpoints
 */
export function toPaypalHosts(sandboxUrl: string | undefined, mode: PaymentProviderApp['mode']): PaypalHosts {
  return sandboxUrl === undefined ? HOSTS[mode] : { api: sandboxUrl, pages: sandboxUrl }
}
