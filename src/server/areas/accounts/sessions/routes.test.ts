import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { writeRegistrationToken } from '#server/areas/accounts/registrations/use-cases.ts'
import { buildAuth } from '#server/platform/auth/auth.ts'
import { buildSigner } from '#server/platform/secrets/signer.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import {
  makeOwner,
  PRODUCTION_SETTINGS,
  startMeridian,
  TEST_PASSWORD,
  toCookieHeader,
  waitFor,
} from '#tests/support/meridian.ts'

setUpMeridian({ env: { SECRET_KEY: 'the key of these tests, long enough' } })

const ORIGIN = 'http://localhost:3000'
let addresses = 0

describe('registering', () => {
  test('sends a link to the address, and whoever opened it logs in with the password', async () => {
    const email = newAddress()
    const answer = await post('sign-up', {
      full_name: '  Ada King Lovelace ',
      email,
      password: TEST_PASSWORD,
    })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json()).toEqual({ ok: true })

    const early = await post('sign-in', { email, password: TEST_PASSWORD })
    expectRefusal(early, 'auth.email_not_verified')
    expect(early.cookies).toEqual([])
    const [first, second] = await waitForMails(email, 2)
    expect(linkIn(first, '/auth/callback')).not.toBeNull()

    const confirmed = await post('email-verification', { token: linkIn(second, '/auth/callback') })
    // The link logs nobody in here, because somebody else may have requested it: this browser has not registered.
    expect(confirmed.json()).toEqual({ ok: true, user: null })
    expect(confirmed.cookies).toEqual([])
    const signedIn = await post('sign-in', { email, password: TEST_PASSWORD })
    expect(signedIn.json()).toEqual({
      user: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email,
        full_name: 'Ada King Lovelace',
        first_name: 'Ada',
        last_name: 'King Lovelace',
        avatar_url: null,
      },
    })
    expect(await whoIs(toCookieHeader(signedIn))).toMatchObject({ email })

    const again = await post('email-verification', { token: linkIn(second, '/auth/callback') })
    expect(again.json()).toEqual({ ok: true, user: null })
    expect(again.cookies).toEqual([])
  })

  test('an address that has an account answers the same, changes nothing and tells its owner', async () => {
    const { email } = await makeOwner(meridian, { name: 'Grace Hopper' })
    const password = 'another password'
    const body = { full_name: 'Mallory', email: email.toUpperCase(), password }
    const other = newAddress()
    const [known, unknown] = [await post('sign-up', body), await post('sign-up', { ...body, email: other })]
    expect([known.statusCode, known.body]).toEqual([200, unknown.body])
    const shapeOf = ({ cookies }: typeof known) =>
      cookies.map(({ value, ...cookie }) => ({ ...cookie, length: value.length }))
    expect(shapeOf(known)).toEqual(shapeOf(unknown))
    const [mail] = await waitForMails(email, 1)
    expect(mail?.text).toContain('You already have an account')
    expect(mail?.text).toContain(`${ORIGIN}/login`)
    expect(mail?.text).toContain(`${ORIGIN}/forgot-password`)
    // Even a login with the password of the registration does not reveal whether an account exists.
    for (const address of [email, other]) {
      const answer = await post('sign-in', { email: address, password })
      expectRefusal(answer, 'auth.email_not_verified')
      expect(answer.cookies).toEqual([])
    }
    const signedIn = await post('sign-in', { email, password: TEST_PASSWORD })
    expect(signedIn.json()).toMatchObject({ user: { full_name: 'Grace Hopper' } })
  })

  test('twice before confirming keeps the later registration only, and makes no account', async () => {
    const email = newAddress()
    const body = { full_name: 'Ada', email, password: TEST_PASSWORD }
    await post('sign-up', body)
    expect((await post('sign-up', body)).statusCode).toBe(200)
    await waitForMails(email, 2)
    const count = async (table: string) =>
      (await meridian.database.execute(`select 1 from ${table} where email = $1`, [email])).rows.length
    expect([await count('registrations'), await count('profiles')]).toEqual([1, 0])
  })

  test.each([
    ['auth.name_too_short', PROBLEMS['auth.name_too_short'].title, { full_name: ' A ' }],
    ['auth.name_too_short', PROBLEMS['auth.name_too_short'].title, { full_name: undefined }],
    ['auth.invalid_email', PROBLEMS['auth.invalid_email'].title, { email: 'ada@localhost' }],
    ['auth.invalid_email', PROBLEMS['auth.invalid_email'].title, { email: '' }],
    ['auth.password_too_short', PROBLEMS['auth.password_too_short'].title, { password: '1234567' }],
    ['auth.password_too_long', PROBLEMS['auth.password_too_long'].title, { password: 'x'.repeat(129) }],
  ] as const)('is refused as %s with "%s" for %j', async (code, sentence, fields) => {
    const email = newAddress()
    const body = { full_name: 'Ada Lovelace', email, password: TEST_PASSWORD, ...fields }
    const answer = await post('sign-up', body)
    expectRefusal(answer, code)
    expect(answer.json().errors).toEqual([{ path: Object.keys(fields)[0], message: sentence }])
  })
})

test('a link to confirm an address with is refused when it has expired or was made up', async () => {
  const email = newAddress()
  await post('sign-up', { full_name: 'Ada', email, password: TEST_PASSWORD })
  const [mail] = await waitForMails(email, 1)
  const genuine = linkIn(mail, '/auth/callback') ?? ''
  const [text = '', signature = ''] = genuine.split('.')
  const [registrationId, , expiresAtMs] = JSON.parse(Buffer.from(text, 'base64url').toString())
  const link = { registrationId, email, expiresAtMs }
  const forged = writeRegistrationToken(buildSigner('another key, which is long enough'), link)
  const moved = writeRegistrationToken(buildSigner('any key'), { ...link, email: 'mallory@example.com' })
  const prolonged = writeRegistrationToken(buildSigner('any key'), { ...link, expiresAtMs: expiresAtMs * 2 })
  const swapped = [moved, prolonged].map((token) => `${token.split('.')[0]}.${signature}`)
  for (const token of [forged, text, `${text}.`, ...swapped, 'x', '../../session']) {
    expectRefusal(await post('email-verification', { token }), 'auth.invalid_token')
  }
  meridian.clock.ms += 24 * 60 * 60 * 1000
  expectRefusal(await post('email-verification', { token: genuine }), 'auth.invalid_token')
  meridian.clock.ms -= 1
  expect((await post('email-verification', { token: genuine })).json()).toEqual({ ok: true, user: null })
  expectRefusal(await post('email-verification', { token: '' }), 'request.invalid')
})

test('the session cookie is out of reach of scripts and other sites, and Secure where the address is https', async () => {
  const { email } = await makeOwner(meridian)
  const body = { email, password: TEST_PASSWORD }
  const [cookie] = (await post('sign-in', body)).cookies
  expect(cookie).toMatchObject({
    name: 'meridian.session_token',
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
  })
  expect(cookie).not.toHaveProperty('secure')
  expect(cookie).not.toHaveProperty('domain')

  const overTls = buildAuth({
    db: meridian.database.db,
    baseUrl: 'https://book.example',
    secretKeys: { current: 'the key of these tests, long enough', previous: null },
    trustedOrigins: ['https://book.example'],
    budgets: meridian.deps.budgets,
    devices: meridian.deps.devices,
    log: meridian.app.log,
    queueMail: async () => {},
  })
  const { cookies } = await overTls.call({
    method: 'POST',
    path: '/sign-in/email',
    body,
    cookie: undefined,
    origin: 'https://book.example',
    userAgent: undefined,
    client: { address: '127.0.0.1', network: null },
  })
  expect(cookies).toEqual([
    expect.stringMatching(/^__Secure-meridian\.session_token=.*; HttpOnly; Secure; SameSite=Lax$/),
  ])
})

test('nobody is signed in without a cookie, or with one that was made up', async () => {
  expect(await whoIs()).toBeNull()
  for (const value of ['', 'x', 'a.b', '%00', 'x'.repeat(4_000)]) {
    expect(await whoIs(`meridian.session_token=${value}`)).toBeNull()
  }
  const { cookie } = await makeOwner(meridian)
  const [session = ''] = cookie.split('; ')
  expect(await whoIs(session)).not.toBeNull()
  expect(await whoIs(`${session.slice(0, -6)}AAAAAA`)).toBeNull()
})

test('signing out ends the session on the server, and without one does nothing', async () => {
  const { cookie } = await makeOwner(meridian)
  const answer = await post('sign-out', undefined, { cookie })
  expect(answer.json()).toEqual({ ok: true })
  expect(answer.cookies).toContainEqual(
    expect.objectContaining({ name: 'meridian.session_token', value: '', maxAge: 0 }),
  )
  expect(await whoIs(cookie)).toBeNull()
  expectRefusal(await meridian.as({ cookie }).get('/api/calendars'), 'auth.required')
  expect((await post('sign-out', undefined, { cookie })).json()).toEqual({ ok: true })
  expect((await post('sign-out')).json()).toEqual({ ok: true })
})

describe('a forgotten password', () => {
  test('is replaced once by a link from a mail, which signs out everywhere', async () => {
    const { email, cookie } = await makeOwner(meridian)
    const asked = await post('password-reset-request', { email })
    const unknown = await post('password-reset-request', { email: newAddress() })
    expect([asked.statusCode, asked.body, asked.cookies]).toEqual([200, '{"ok":true}', []])
    expect([unknown.statusCode, unknown.body, unknown.cookies]).toEqual([200, '{"ok":true}', []])

    const [mail] = await waitForMails(email, 1)
    const token = linkIn(mail, '/reset-password')
    expectRefusal(await post('password-reset', { token, password: 'short' }), 'auth.password_too_short')
    const reset = await post('password-reset', { token, password: 'a new password' })
    expect(reset.statusCode, reset.body).toBe(200)
    expect([reset.json(), reset.cookies]).toEqual([{ ok: true }, []])

    expect(await whoIs(cookie)).toBeNull()
    expectRefusal(await post('sign-in', { email, password: TEST_PASSWORD }), 'auth.invalid_credentials')
    expect((await post('sign-in', { email, password: 'a new password' })).statusCode).toBe(200)
    expectRefusal(await post('password-reset', { token, password: 'a third password' }), 'auth.invalid_token')
  })

  test('stays when the link has expired or was made up', async () => {
    const { email } = await makeOwner(meridian)
    await post('password-reset-request', { email })
    const [mail] = await waitForMails(email, 1)
    await meridian.database.execute(`update verifications set expires_at = now() - interval '1 second'`)
    for (const token of [linkIn(mail, '/reset-password'), 'x', '../sign-in']) {
      expectRefusal(await post('password-reset', { token, password: 'a new password' }), 'auth.invalid_token')
    }
    expect((await post('sign-in', { email, password: TEST_PASSWORD })).statusCode).toBe(200)
  })
})

test('links in mails lead to the product’s own address, whatever name it was reached by', async () => {
  const { email } = await makeOwner(meridian)
  const headers = {
    host: '127.0.0.1:9999',
    origin: 'http://127.0.0.1:9999',
  }
  await post('password-reset-request', { email }, { headers })
  const [mail] = await waitForMails(email, 1)
  expect(linkIn(mail, '/reset-password')).not.toBeNull()
  expect(`${mail?.text}${mail?.html}`).not.toMatch(/9999/)
})

test('in production, too, whatever the request and a proxy say', async () => {
  const published = await startMeridian({ env: PRODUCTION_SETTINGS })
  const { email } = await makeOwner(published)
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  const url = '/api/auth/password-reset-request'
  const answer = await published.request({ method: 'POST', url, payload: { email }, headers })
  expect(answer.statusCode).toBe(200)
  const mail = await published.waitForMail(({ to }) => to.address === email)
  expect(linkIn(mail, '/reset-password')).not.toBeNull()
  expect(`${mail.text}${mail.html}`).not.toMatch(/evil/)
  await published.stop()
})

function post(path: string, payload?: object, options: InjectOptions & { cookie?: string } = {}) {
  return meridian.request({
    method: 'POST',
    url: `/api/auth/${path}`,
    ...(payload === undefined ? {} : { payload }),
    ...options,
    headers: { origin: ORIGIN, ...options.headers },
  })
}

async function whoIs(cookie?: string): Promise<unknown> {
  const response = await meridian.as({ cookie }).get('/api/auth/session')
  expect(response.statusCode, response.body).toBe(200)
  expect(response.headers['cache-control']).toBe('no-store')
  return response.json().user
}

function newAddress(): string {
  addresses += 1
  return `new-${addresses}@example.com`
}

/** Waits for the first `count` emails to an address. */
function waitForMails(email: string, count: number): Promise<OutgoingMail[]> {
  return waitFor(() => {
    const found = meridian.mails.filter(({ to }) => to.address === email)
    return found.length >= count ? found : null
  })
}

/** Returns the token in the link to one of our pages; null if the email has no such link. */
function linkIn(mail: OutgoingMail | undefined, path: string): string | null {
  const link = mail?.text.match(/https?:\/\/\S+token=\S+/)?.[0]
  if (link === undefined || !link.startsWith(`${ORIGIN}${path}?`)) return null
  return new URL(link).searchParams.get('token')
}

test('using one reset link makes the others that were asked for useless', async () => {
  const { email } = await makeOwner(meridian)
  await post('password-reset-request', { email })
  await post('password-reset-request', { email })
  const [first, second] = await waitForMails(email, 2)
  const used = { token: linkIn(second, '/reset-password'), password: 'a brand new password' }
  expect((await post('password-reset', used)).statusCode).toBe(200)
  const other = { token: linkIn(first, '/reset-password'), password: 'another new password' }
  expectRefusal(await post('password-reset', other), 'auth.invalid_token')
})

test('a password is checked by itself, for what asks for it again', async () => {
  const { id } = await makeOwner(meridian)
  expect(await meridian.auth.verifyPassword(id, TEST_PASSWORD)).toBe(true)
  expect(await meridian.auth.verifyPassword(id, 'another password')).toBe(false)
  expect(await meridian.auth.verifyPassword('00000000-0000-4000-8000-000000000000', TEST_PASSWORD)).toBe(
    false,
  )
})
