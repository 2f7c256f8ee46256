import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BUDGETS } from '#core/shared/budgets.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { WebhookRequest } from '#server/ports/payment-provider.ts'
import {
  makePaidCalendar,
  type PaidCalendar,
  readAppointmentAndPayment,
  startCheckout,
  waitForPayment,
} from '#tests/support/checkouts.ts'
import { makeFakeProvider } from '#tests/support/fake-payment-provider.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { makeOwner, startMeridian, type TestMeridian, type TestOwner } from '#tests/support/meridian.ts'
import {
  type PaypalSandboxWithAdapter,
  startPaypalSandboxWithAdapter,
} from '#tests/support/paypal-stand-in.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

const { webhook_checks, webhook_strays } = BUDGETS
const AS_DELIVERED = `${GENEROUS_BUDGETS},webhook_checks=${webhook_checks.max},webhook_strays=${webhook_strays.max}`

// These tests use the real adapter and the PayPal stand-in.
let standInDatabase: Database
let paypal: PaypalSandboxWithAdapter
let meridian: TestMeridian
let owner: TestOwner
let calendar: PaidCalendar

beforeAll(async () => {
  standInDatabase = await openTestDatabase()
  paypal = await startPaypalSandboxWithAdapter(standInDatabase.db)
  meridian = await startMeridian({
    providers: { paypal: paypal.provider, stripe: makeFakeProvider('stripe') },
    env: { DEFAULT_PLAN: 'enterprise', BUDGETS: AS_DELIVERED },
  })
  owner = await makeOwner(meridian)
})
beforeEach(async () => {
  calendar = await makePaidCalendar(meridian, owner)
  await connect(calendar)
})
afterAll(async () => {
  await meridian.stop()
  await paypal.stop()
  await standInDatabase.close()
})

const ATTACK = 300
const FEWER = 150

describe('hundreds of forged PayPal webhooks', () => {
  test('about an order of the attacker cause at most a few requests with the owner’s keys', async () => {
    const { checkoutId } = await begin()
    const before = countQuestions()
    const statuses = await attack(() => forge({ orderId: checkoutId }))
    expect(countQuestions() - before).toBeLessThanOrEqual(webhook_checks.max)
    expect(statuses).toEqual({ 400: webhook_checks.max, 429: ATTACK - webhook_checks.max })
    expect(await countEvents()).toBe(0)
  })

  test.each([
    ['with a certificate from elsewhere', { 'paypal-cert-url': 'https://evil.example/cert.pem' }],
    ['with a certificate from a name like PayPal’s', { 'paypal-cert-url': 'https://api.notpaypal.com/cert' }],
    ['with PayPal only before an @', { 'paypal-cert-url': 'https://api.paypal.com@evil.example/cert' }],
    ['with a certificate that anybody may change', { 'paypal-cert-url': 'http://api.paypal.com/cert' }],
    ['from long ago', { 'paypal-transmission-time': '2020-01-01T00:00:00Z' }],
    ['with a signature that is none', { 'paypal-transmission-sig': 'not base64!' }],
  ])('%s cause no request to PayPal, and most get a 429', async (_what, headers) => {
    const { checkoutId } = await begin()
    const before = countQuestions()
    const statuses = await attack(() => forge({ orderId: checkoutId, headers }), FEWER)
    expect(countQuestions()).toBe(before)
    expect(statuses).toEqual({ 400: webhook_strays.max, 429: FEWER - webhook_strays.max })
  })

  test('about unknown orders cause no request to PayPal and change nothing', async () => {
    const before = countQuestions()
    const statuses = await attack(() => forge({ orderId: randomBytes(8).toString('hex').toUpperCase() }))
    expect(countQuestions()).toBe(before)
    expect(statuses).toEqual({ 200: webhook_strays.max, 429: ATTACK - webhook_strays.max })
    expect(await countEvents()).toBe(0)
  })

  test('about an order of another calendar cause no request to PayPal', async () => {
    const { checkoutId } = await begin()
    const other = await makePaidCalendar(meridian, owner)
    await connect(other)
    const before = countQuestions()
    await attack(() => forge({ orderId: checkoutId, calendarId: other.id }), FEWER)
    expect(countQuestions()).toBe(before)
  })

  test('do not block PayPal’s own webhooks, which come from another address', async () => {
    const { id, checkoutId, agree } = await begin()
    await attack(() => forge({ orderId: checkoutId }), FEWER)
    const genuine = await agree()
    const answer = await send(genuine, { remoteAddress: '198.51.100.7' })
    expect([answer.statusCode, answer.json()]).toEqual([200, { received: true }])
    await waitForPayment(meridian, id, ({ status }) => status === 'completed')
  })
})

test('genuine webhooks of PayPal are not rate limited', async () => {
  const { agree } = await begin()
  const genuine = await agree()
  for (let i = 0; i < webhook_checks.max + 5; i += 1) {
    // Delete the stored event, so that it counts as new.
    await meridian.database.execute('delete from payment_events', [])
    expect((await send(genuine)).statusCode).toBe(200)
  }
})

test('a webhook that was handled before is answered without a request to PayPal', async () => {
  const { agree } = await begin()
  const genuine = await agree()
  await send(genuine)
  const before = countQuestions()
  expect((await send(genuine)).statusCode).toBe(200)
  expect(countQuestions()).toBe(before)
})

/** Starts a payment at PayPal. With `agree`, the customer approves it, and PayPal queues a webhook event. */
async function begin() {
  const { id } = await startCheckout(meridian, calendar, { provider: 'paypal' })
  const { checkout_id, checkout_url } = (await readAppointmentAndPayment(meridian, id)).payment
  const [checkoutId, url] = [checkout_id ?? '', checkout_url ?? '']
  const agree = async () => {
    await paypal.payWith({ id: checkoutId, url }, 'balance')
    return paypal.getMessage(checkoutId, 'CHECKOUT.ORDER.APPROVED')
  }
  return { id, checkoutId, agree }
}

/** Connects the calendar to the stand-in's PayPal app. */
async function connect({ id }: PaidCalendar): Promise<void> {
  const { app, account } = paypal
  await meridian.database.db
    .updateTable('payment_settings')
    .set({
      paypal_merchant_id: account.accountId,
      paypal_client_id: app.clientId,
      paypal_client_secret_encrypted: meridian.deps.secrets.seal(app.clientSecret, `paypal:${id}`),
      paypal_webhook_id: app.webhookId,
    })
    .where('calendar_id', '=', id)
    .execute()
}

type Forged = {
  readonly orderId: string
  readonly calendarId?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Builds a request that looks like a PayPal webhook, with an invalid signature. */
function forge({ orderId, calendarId = calendar.id, headers = {} }: Forged) {
  return {
    calendarId,
    headers: {
      'content-type': 'application/json',
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-a5cafa77',
      'paypal-transmission-id': randomUUID(),
      'paypal-transmission-sig': randomBytes(256).toString('base64'),
      'paypal-transmission-time': new Date(paypal.now()).toISOString(),
      ...headers,
    },
    rawBody: JSON.stringify({
      id: `WH-${randomUUID()}`,
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
      resource: { id: 'FORGED', supplementary_data: { related_ids: { order_id: orderId } } },
    }),
  }
}

/** Sends forged requests, fifty at a time so that limits are tested under concurrency, and counts each response status. */
async function attack(
  make: () => ReturnType<typeof forge>,
  messages = ATTACK,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  for (let sent = 0; sent < messages; sent += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => {
        const { calendarId, headers, rawBody } = make()
        return post({ calendarId, headers, body: rawBody, remoteAddress: '203.0.113.9' })
      }),
    )
    for (const { statusCode } of answers) statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
  }
  return statuses
}

function send(message: WebhookRequest, { remoteAddress = '198.51.100.7' } = {}) {
  const signed = Object.entries(message.headers).filter(([name]) => name.startsWith('paypal-'))
  const headers = Object.fromEntries(signed.map(([name, value]) => [name, String(value)]))
  return post({ calendarId: calendar.id, headers, body: message.rawBody.toString(), remoteAddress })
}

function post(message: {
  calendarId: string
  headers: Readonly<Record<string, string>>
  body: string
  remoteAddress: string
}) {
  return meridian.app.inject({
    method: 'POST',
    url: `/api/webhooks/paypal/${message.calendarId}`,
    headers: { host: 'localhost:3000', 'content-type': 'application/json', ...message.headers },
    payload: message.body,
    remoteAddress: message.remoteAddress,
  })
}

function countQuestions(): number {
  return paypal.exchanges.filter(({ path }) => path.endsWith('/verify-webhook-signature')).length
}

async function countEvents(): Promise<number> {
  const { rows } = await meridian.database.execute('select event_id from payment_events', [])
  return rows.length
}
