import type { InjectOptions } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import {
  book,
  makeCalendar,
  makeOwner,
  PASSWORD,
  startMeridian,
  toCookieHeader,
} from '#tests/support/meridian.ts'
import { totpAt } from '#tests/support/totp.ts'
import { readConfig } from './config.ts'

/** In every secret that the test chooses; those that the product makes are collected. */
const MARK = 'MARKED-secret'
const SECRET_KEY = `${MARK} of thirty-two characters at least`

const meridian = await startMeridian({ env: { SECRET_KEY, METRICS_TOKEN: `${MARK}-for-metrics` } })
afterAll(() => meridian.stop())

test('no secret is in the log, in a refusal or among the figures, whatever it was sent to and whatever broke', async () => {
  const secrets = [MARK, encodeURIComponent(MARK), PASSWORD]
  const refusals: string[] = []
  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, options: Sent = {}) => {
    const answer = await meridian.request({ method, url, ...options })
    if (answer.statusCode >= 400) refusals.push(answer.body)
    return answer
  }
  const owner = await makeOwner(meridian, { tier: 'business' })
  const { cookie, email } = owner
  const calendar = await makeCalendar(meridian, owner)
  const { id: appointmentId } = (await book(meridian, calendar.slug)).json()

  await send('POST', '/api/auth/password-reset-request', { payload: { email } })
  const mail = await meridian.waitForMail(({ to, text }) => to.address === email && text.includes('token='))
  const resetToken = mail.text.match(/token=([\w-]+)/)?.[1] ?? ''
  const setup = (
    await send('POST', '/api/security/two-factor', { cookie, payload: { password: PASSWORD } })
  ).json()
  const code = totpAt(setup.secret, Date.now())
  await send('POST', '/api/security/two-factor/confirmation', { cookie, payload: { code } })
  const challenge = toCookieHeader(
    await send('POST', '/api/auth/sign-in', { payload: { email, password: PASSWORD } }),
  )
  secrets.push(resetToken, setup.secret, ...setup.backup_codes, appointmentId)
  const cookies = [cookie, challenge].flatMap((each) =>
    each.split('; ').map((one) => one.split('=')[1] ?? ''),
  )
  // Cookies that are taken back carry nothing.
  secrets.push(...cookies.filter((value) => value.length > 20))
  expect(secrets.length).toBeGreaterThan(16)
  expect(secrets.every((secret) => secret.length >= 8)).toBe(true)

  const sendAll = async () => {
    const password = `${MARK} password`
    const payloads: [method: 'POST' | 'PATCH' | 'DELETE', url: string, payload: object][] = [
      ['POST', '/api/auth/sign-in', { email, password }],
      ['POST', '/api/auth/sign-up', { full_name: 'Ada', email: 'new@example.com', password }],
      ['POST', '/api/auth/password-reset', { token: `${MARK}-token`, password }],
      ['POST', '/api/auth/email-verification', { token: `${MARK}-token` }],
      ['POST', '/api/auth/email-change', { token: `${MARK}-token` }],
      ['POST', '/api/auth/two-factor', { code: setup.backup_codes[0], trust_device: false }],
      ['POST', '/api/security/password', { current_password: password, new_password: `${password} 2` }],
      ['DELETE', '/api/profile', { password }],
      ['PATCH', `/api/calendars/${calendar.id}/payment-settings`, { paypal_client_secret: `${MARK}-paypal` }],
      ['POST', '/api/payment-connections', { state: `${MARK}-state`, code: `${MARK}-code` }],
    ]
    for (const [method, url, payload] of payloads) {
      await send(method, url, { payload, cookie: url.endsWith('two-factor') ? challenge : cookie })
    }
    const headers = {
      'stripe-signature': MARK,
      'paypal-transmission-sig': MARK,
      authorization: `Bearer ${MARK}`,
    }
    await send('POST', '/api/webhooks/stripe', { payload: { id: MARK }, headers })
    await send('POST', `/api/webhooks/paypal/${calendar.id}`, { payload: { id: MARK }, headers })
    await send('POST', `/api/public/appointments/${appointmentId}/cancellation-request`)
    await send('GET', `/api/public/appointments/${appointmentId}?token=${MARK}`)
    await send('GET', `/nowhere/${MARK}`, { headers })
  }
  await sendAll()
  // A broken world: unforeseen errors are logged with their cause.
  const tables = ['accounts', 'verifications', 'calendars', 'appointments']
  for (const table of tables) await meridian.database.execute(`alter table ${table} rename to ${table}_away`)
  await sendAll()
  // The log is read whole below: the worst of it has to be in it.
  expect(meridian.logLines.filter((line) => line.includes('"level":50')).length).toBeGreaterThan(5)
  expect(refusals.length).toBeGreaterThan(20)

  const figures = await send('GET', '/metrics', { headers: { authorization: `Bearer ${MARK}-for-metrics` } })
  expect(figures.body).toContain('http_request_duration_seconds')
  const problems = await send('GET', '/api/problems')
  const said = [...meridian.logLines, ...refusals, figures.body, problems.body]
  for (const secret of secrets) expect(said.filter((line) => line.includes(secret))).toEqual([])
})

test('a setting that is refused is named, and its value is not', () => {
  const refuse = () =>
    readConfig({
      SECRET_KEY: MARK,
      METRICS_TOKEN: 'MARKED-secret',
      DATABASE_URL: `mysql://user:${MARK}@db.example/meridian`,
      SMTP_URL: `smtp//user:${MARK}@mail.example`,
      STRIPE_SECRET_KEY: MARK,
      STRIPE_WEBHOOK_SECRET: MARK,
    })
  expect(refuse).toThrow(/SECRET_KEY.*METRICS_TOKEN|METRICS_TOKEN|SECRET_KEY/s)
  expect(refuse).not.toThrow(MARK)
})

test('a database that cannot be reached is told without its password', async () => {
  const url = `postgres://user:${MARK}@127.0.0.1:1/meridian`
  const database = await openDatabase({ url, dataDir: 'not used', poolSize: 1, timeoutMs: 1_000 })
  const error: unknown = await database.execute('select 1').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(`${error} ${JSON.stringify(error)} ${(error as Error).stack}`).not.toContain(MARK)
  await database.close()
})

type Sent = Pick<InjectOptions, 'payload' | 'headers'> & { cookie?: string }
