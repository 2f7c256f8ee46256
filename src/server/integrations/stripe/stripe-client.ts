import Stripe from 'stripe'

/** The API version that the library's types describe, so that Stripe's answers do not change under us. */
const API_VERSION = '2026-10-28.endive'
const TIMEOUT_MS = 10_000

type ClientSettings = {
  readonly secretKey: string
  /** Where a stand-in listens. Absent: Stripe itself. */
  readonly sandboxUrl?: string
  readonly timeoutMs?: number
}

/** The library, which asks Stripe or its stand-in. */
export function buildStripeClient(settings: ClientSettings): Stripe {
  return new Stripe(settings.secretKey, {
    apiVersion: API_VERSION,
    timeout: settings.timeoutMs ?? TIMEOUT_MS,
    // Each POST carries a key, so that Stripe executes a repetition once.
    maxNetworkRetries: 1,
    // Its time-out covers the whole request; that of the library's other client covers only silence.
    httpClient: Stripe.createFetchHttpClient(),
    telemetry: false,
    ...addressOf(settings.sandboxUrl),
  })
}

/** The library takes an address in three parts. */
function addressOf(url: string | undefined): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (url === undefined) return {}
  const { hostname, port, protocol } = new URL(url)
  return { host: hostname, port, protocol: protocol === 'http:' ? 'http' : 'https' }
}
