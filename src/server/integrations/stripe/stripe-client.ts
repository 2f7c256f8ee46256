import Stripe from 'stripe'

/** API version of the library's types, pinned so that Stripe's responses do not change. */
const API_VERSION = '2026-10-28.endive'
const TIMEOUT_MS = 10_000

type ClientSettings = {
  readonly secretKey: string
  /** Base URL of a stand-in. If absent, Stripe itself is used. */
  readonly sandboxUrl?: string
  readonly timeoutMs?: number
}

/** Builds the client for Stripe or its stand-in. */
export function buildStripeClient(settings: ClientSettings): Stripe {
  return new Stripe(settings.secretKey, {
    apiVersion: API_VERSION,
    timeout: settings.timeoutMs ?? TIMEOUT_MS,
    // One retry is safe, because each POST has an idempotency key.
    maxNetworkRetries: 1,
    // This client's time-out covers the whole request; the library's other HTTP client only limits silence.
    httpClient: Stripe.createFetchHttpClient(),
    telemetry: false,
    ...addressOf(settings.sandboxUrl),
  })
}

/** Splits a URL into host, port and protocol, which the library takes separately. */
function addressOf(url: string | undefined): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (url === undefined) return {}
  const { hostname, port, protocol } = new URL(url)
  return { host: hostname, port, protocol: protocol === 'http:' ? 'http' : 'https' }
}

/** Calls an endpoint that every key may read. @throws Error with Stripe's reason when the key is rejected */
export async function checkStripeKey(secretKey: string, sandboxUrl?: string): Promise<void> {
  await buildStripeClient({
    secretKey,
    ...(sandboxUrl === undefined ? {} : { sandboxUrl }),
  }).balance.retrieve()
}
