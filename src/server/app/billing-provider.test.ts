import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { startMeridian, waitFor } from '#tests/support/meridian.ts'
import { payOnBillingPage } from '#tests/support/plan-people.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { type Config, readConfig } from './config.ts'
import { startBillingProvider } from './start-providers.ts'

const KEYS = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_BILLING_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_PRICE_PROFESSIONAL: 'price_1',
  STRIPE_PRICE_BUSINESS: 'price_2',
}

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const app = fastify()
const start = (config: Config) =>
  startBillingProvider(config, { db: database.db, now: Date.now, app: () => app })

test('without settings nothing is for sale in production', async () => {
  const { provider, stop } = await start({ ...readConfig({}), sandbox: false })
  expect(provider).toBeNull()
  await stop()
})

test('with them Stripe itself sells the plans, on a developer’s machine too', async () => {
  const { provider, stop } = await start(readConfig(KEYS))
  expect(provider?.isSandbox()).toBe(false)
  expect(provider?.tierOf('price_2')).toBe('business')
  await stop()
})

test('without them a developer has a stand-in, which tells the product wherever it listens', async () => {
  const received: unknown[] = []
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: unknown) => body)
  app.post('/api/webhooks/stripe-billing', async ({ headers, body }) => {
    received.push(await provider?.readWebhook({ headers, rawBody: bytes(body) }))
    return ''
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { provider, stop } = await start(readConfig({}))
  if (provider === null) throw new Error('nothing for sale')
  expect(provider.isSandbox()).toBe(true)
  const owner = { ownerId: 'owner', email: 'ada@example.com', name: 'Ada' }
  const { customerId } = await provider.createCustomer(owner)
  const { url } = await provider.createCheckout({
    ...owner,
    customerId,
    priceId: 'price_sandbox_business',
    successUrl: 'http://localhost:3000/dashboard',
    cancelUrl: 'http://localhost:3000/pricing',
    key: 'key',
  })
  await payOnBillingPage(url)
  const told = (type: string) => received.find((event) => JSON.stringify(event).includes(`"type":"${type}"`))
  expect(await waitFor(() => told('checkout.session.completed'))).toMatchObject({ customerId })
  await stop()
  await app.close()
})

test('the pages learn what the plans cost after the start', async () => {
  const meridian = await startMeridian()
  expect(meridian.deps.billing?.isSandbox()).toBe(true)
  expect(meridian.deps.site().plans_for_sale).toEqual([])
  await waitFor(() => meridian.deps.site().plans_for_sale[0])
  expect(meridian.deps.site().plans_for_sale).toEqual([
    { tier: 'professional', amount_cents: 999, currency: 'eur' },
    { tier: 'business', amount_cents: 1_999, currency: 'eur' },
  ])
  await meridian.stop()
})

function bytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body
  throw new Error('no bytes')
}
