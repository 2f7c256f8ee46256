import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { waitFor } from '#tests/support/meridian.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { type Config, readConfig } from './config.ts'
import { startPaymentProviders } from './start-providers.ts'

const KEYS = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_CONNECT_CLIENT_ID: 'ca_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}
const RETURN = { state: 'state', redirectUri: 'http://localhost:3000/stripe-connect-callback', app: null }

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const app = fastify()
const start = (config: Config) =>
  startPaymentProviders(config, { db: database.db, now: Date.now, app: () => app })

test('without keys there is no Stripe in production', async () => {
  const { providers } = await start({ ...readConfig({}), sandbox: false })
  expect(providers.stripe).toBeUndefined()
})

test('PayPal itself is asked in production, and its stand-in on a developer’s machine', async () => {
  const app = { clientId: 'id', clientSecret: 'secret', mode: 'live', webhookId: null } as const
  const production = await start({ ...readConfig({}), sandbox: false })
  const development = await start(readConfig({}))
  const [real, standIn] = [production, development].map(({ providers }) =>
    providers.paypal?.buildConnectUrl({ ...RETURN, app }),
  )
  expect(real).toMatch(/^https:\/\/www\.paypal\.com\//)
  expect(standIn).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
  await development.stop()
})

test('with keys owners are sent to Stripe itself, on a developer’s machine too', async () => {
  const { providers, stop } = await start(readConfig(KEYS))
  expect(providers.stripe?.buildConnectUrl(RETURN)).toMatch(
    /^https:\/\/connect\.stripe\.com\/oauth\/authorize\?.*client_id=ca_1/,
  )
  await stop()
})

test('without them a developer has a stand-in, which tells the product wherever it listens', async () => {
  const received: unknown[] = []
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: unknown) => body)
  app.post('/api/webhooks/stripe', async ({ headers, body }) => {
    received.push(await providers.stripe?.readWebhook({ headers, rawBody: bytes(body), account: null }))
    return ''
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { providers, stop } = await start(readConfig({}))
  expect(providers.stripe?.buildConnectUrl(RETURN)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize/)
  await providers.stripe?.disconnect({ accountId: 'acct_1', app: null })
  expect(await waitFor(() => received[0])).toMatchObject({
    about: { kind: 'account_gone', accountId: 'acct_1' },
  })
  await stop()
  await app.close()
})

function bytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body
  throw new Error('no bytes')
}
