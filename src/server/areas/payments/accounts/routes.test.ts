import { beforeEach, expect, test } from 'vitest'
import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { makeFakeProvider } from '#tests/support/fake-payment-provider.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner } from '#tests/support/meridian.ts'

let calendarId: string
const paypal = makeFakeProvider('paypal')

const SECRET = 'EGnHDxD_qRPdaLdZz8iCr8N7_MzF'
const APP = {
  paypal_client_id: 'AZDxjDScFpQtjWTOUtWKbyN_bDt4',
  paypal_redirect_uri: 'http://localhost:3000/paypal-connect-callback',
  paypal_client_secret: SECRET,
}

setUpOwner({ providers: { paypal }, owner: { tier: 'business' } })
beforeEach(async () => {
  await meridian.database.execute('delete from calendars')
  calendarId = (await makeCalendar(meridian, owner)).id
})

test('a calendar takes no payments until its owner turns them on', async () => {
  expect((await read()).json()).toEqual({
    payment_enabled: true,
    payment_required: false,
    stripe_connected: false,
    stripe_account_id: null,
    paypal_connected: false,
    paypal_merchant_id: null,
    paypal_email: null,
    paypal_client_id: null,
    has_paypal_client_secret: false,
    paypal_redirect_uri: null,
    paypal_mode: 'sandbox',
    payment_provider: null,
    currency: 'eur',
    offered: ['paypal'],
    sandbox: ['paypal'],
    paypal_callback_url: 'http://localhost:3000/paypal-connect-callback',
    reusable_accounts: [],
  } satisfies PaymentSettings)
})

test('the client secret is never returned, and saving other fields keeps it', async () => {
  await save(APP)
  const answer = await save({ paypal_mode: 'live', was: { paypal_mode: 'sandbox' } })
  expect(answer.json()).toMatchObject({ paypal_mode: 'live', has_paypal_client_secret: true })
  const { rows } = await meridian.database.execute('select * from payment_settings')
  for (const text of [answer.body, (await read()).body, meridian.logLines.join('')]) {
    expect(text).not.toContain(SECRET)
  }
  const [row] = rows as { paypal_client_secret_encrypted: Buffer }[]
  expect(row?.paypal_client_secret_encrypted.includes(SECRET)).toBe(false)
  const opened = meridian.deps.secrets.open(
    row?.paypal_client_secret_encrypted ?? Buffer.of(),
    `paypal:${calendarId}`,
  )
  expect(opened).toBe(SECRET)
})

test('each calendar has its own switch, and an outdated window cannot turn it back', async () => {
  expect((await save({ payment_required: true })).json()).toMatchObject({ payment_required: true })
  const calendar = await owner.get(`/api/calendars/${calendarId}`)
  expect(calendar.json()).toMatchObject({ payment_required: true })
  const stale = await save({ payment_required: false, was: { payment_required: false } })
  expect(stale.json()).toMatchObject({
    code: 'request.changed_meanwhile',
    errors: [{ path: 'payment_required' }],
  })
})

test('PayPal needs a plan that includes it; the switch works on every plan', async () => {
  const free = await makeOwner(meridian)
  const own = (await makeCalendar(meridian, free)).id
  const asked = { cookie: free.cookie, id: own }
  expectRefusal(await save({ paypal_client_id: 'client' }, asked), 'payment.not_in_plan')
  expectRefusal(await connect('paypal', asked), 'payment.not_in_plan')
  expect((await save({ payment_required: true }, asked)).statusCode).toBe(200)
})

test('an invalid address and a provider that is not configured are refused', async () => {
  expectRefusal(
    await save({ paypal_redirect_uri: 'example.com' }),
    'payment.redirect_uri_invalid',
    'paypal_redirect_uri',
  )
  expectRefusal(await connect('stripe'), 'payment.provider_not_offered')
})

test('a connected PayPal app cannot be replaced, only its secret', async () => {
  await save(APP)
  await meridian.database.execute(
    `update payment_settings set paypal_connected = true, paypal_merchant_id = 'M1'`,
  )
  expectRefusal(await save({ paypal_client_id: 'another' }), 'payment.paypal_connected')
  expectRefusal(await save({ paypal_mode: 'live' }), 'payment.paypal_connected')
  expect((await save({ paypal_client_secret: 'rotated' })).statusCode).toBe(200)
})

function read() {
  return owner.get(`/api/calendars/${calendarId}/payment-settings`)
}

function save(payload: object, { cookie, id } = { cookie: owner.cookie, id: calendarId }) {
  return meridian.as({ cookie }).patch(`/api/calendars/${id}/payment-settings`, payload)
}

function connect(provider: string, { cookie, id } = { cookie: owner.cookie, id: calendarId }) {
  return meridian.as({ cookie }).post(`/api/calendars/${id}/payment-providers/${provider}/connection`)
}
