import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  buildStripeBilling,
  type StripeBillingSettings,
} from '#server/integrations/stripe/billing/adapter.ts'
import { type BillingProviderUnderTest, makeUnknownOwner } from './billing-provider-contract.ts'
import { readStripeExamples } from './stripe-examples.ts'
import { bytesOf } from './webhook-receiver.ts'

/** One request of the adapter and its response. */
export type StripeExchange = {
  readonly method: string
  /** The path with its query, decoded. */
  readonly path: string
  readonly idempotencyKey?: string
  /** The form fields, decoded. */
  readonly body?: Readonly<Record<string, string>>
  readonly status: number
  /** The fields that the adapter reads. Stripe's published example of the resource contributes all others. */
  readonly response: Readonly<Record<string, unknown>>
}

type Request = Pick<StripeExchange, 'method' | 'path' | 'idempotencyKey' | 'body'>

export type RecordedStripeBilling = BillingProviderUnderTest & {
  readonly settings: StripeBillingSettings
  /** Loads the recorded exchanges of a test, and makes a new adapter for it. */
  readonly begin: (test: string) => void
  /** @throws Error when the adapter's requests differed from the recorded ones */
  readonly end: () => void
  /** Lists the requests of the current test so far, in order. */
  readonly listRequests: () => readonly Request[]
}

const PRICES = { professional: 'price_sandbox_professional', business: 'price_sandbox_business' }

/** Reads the recorded exchanges with Stripe Billing, by test name: tests/fixtures/stripe/billing-exchanges.json. */
export async function readBillingExchanges(): Promise<Record<string, readonly StripeExchange[]>> {
  const path = join(import.meta.dirname, '../fixtures/stripe/billing-exchanges.json')
  return JSON.parse(await readFile(path, 'utf8'))
}

/**
 * The adapter with recorded responses of Stripe Billing. A request gets the first unused response with the same method, path,
 * idempotency key and body. Actions of people and the passing of time at Stripe are not requests: the later responses reflect
 * them.
 */
export async function openRecordedStripeBilling(): Promise<RecordedStripeBilling> {
  const recorded = await readBillingExchanges()
  const complete = await buildResponses()
  let unused: StripeExchange[] = []
  let requests: Request[] = []
  let unexpected: Request[] = []

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await readStripeRequest(incoming)
    requests.push(request)
    const index = unused.findIndex((exchange) => isSameRequest(exchange, request))
    const [exchange] = index < 0 ? [] : unused.splice(index, 1)
    if (exchange === undefined) unexpected.push(request)
    const { status, response } = exchange ?? { status: 400, response: { error: { message: 'not recorded' } } }
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(complete(response)))
  }

  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // `address()` returns an object for a TCP server; only a pipe has a string.
  const { port } = server.address() as AddressInfo
  const settings = {
    secretKey: 'sk_test_recorded',
    webhookSecret: 'whsec_recorded',
    prices: PRICES,
    sandboxUrl: `http://127.0.0.1:${port}`,
    now: Date.now,
  }
  let provider = buildStripeBilling(settings)
  let newId = buildIds('')
  const nothing = async () => {}

  return {
    get provider() {
      return provider
    },
    settings,
    prices: PRICES,
    newId: () => newId(),
    makeOwner: async () => {
      const stranger = makeUnknownOwner(newId())
      return { ...stranger, ...(await provider.createCustomer(stranger)) }
    },
    people: {
      subscribe: nothing,
      useCard: nothing,
      retry: nothing,
      giveUp: nothing,
      passMonth: nothing,
      endAtPeriodEnd: nothing,
      changeAtPeriodEnd: nothing,
      deleteCustomer: nothing,
    },
    begin: (test) => {
      unused = [...(recorded[test] ?? [])]
      requests = []
      unexpected = []
      newId = buildIds(test)
      // A new adapter for each test, because an adapter looks up the portal's configuration only once.
      provider = buildStripeBilling(settings)
    },
    end: () => {
      if (unexpected.length > 0 || unused.length > 0) {
        const missing = unused.map(({ status: _status, response: _response, ...request }) => request)
        throw new Error(`requests differ from the recorded ones: ${JSON.stringify({ unexpected, missing })}`)
      }
    },
    listRequests: () => requests,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Generates the same ids in each run of a test. */
function buildIds(test: string): () => string {
  const prefix = createHash('sha256').update(test).digest('hex').slice(0, 8)
  let count = 0
  return () => {
    count += 1
    return `${prefix}-${count}`
  }
}

async function readStripeRequest(incoming: IncomingMessage): Promise<Request> {
  const text = (await bytesOf(incoming)).toString()
  const key = incoming.headers['idempotency-key']?.toString()
  return {
    method: incoming.method ?? '',
    path: decodeURIComponent(incoming.url ?? ''),
    // Ignores the idempotency key that the Stripe library generates if the adapter does not send one.
    ...(key === undefined || key.startsWith('stripe-node-retry') ? {} : { idempotencyKey: key }),
    ...(text === '' ? {} : { body: Object.fromEntries(new URLSearchParams(text)) }),
  }
}

function isSameRequest(exchange: StripeExchange, request: Request): boolean {
  return (
    exchange.method === request.method &&
    exchange.path === request.path &&
    exchange.idempotencyKey === request.idempotencyKey &&
    JSON.stringify(exchange.body) === JSON.stringify(request.body)
  )
}

/** Completes recorded responses with the remaining fields of Stripe's published examples. */
async function buildResponses(): Promise<(value: unknown) => unknown> {
  const examples = await readStripeExamples()
  const complete = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(complete)
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.entries(value).map(([name, field]) => [name, complete(field)])
    const example = 'object' in value ? examples[String(value.object)] : undefined
    return { ...('deleted' in value ? {} : example), ...Object.fromEntries(fields) }
  }
  return complete
}
