import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeOwner, TEST_PASSWORD, toCookieHeader } from '#tests/support/meridian.ts'

setUpMeridian()

let addresses = 0

test('the link logs in on the browser that registered, once', async () => {
  const { email, token, browser } = await register()
  const opened = await confirm(token, browser)
  expect(opened.json()).toMatchObject({ ok: true, user: { email, full_name: 'Ada Example' } })
  expect(await emailOf(opened)).toBe(email)
  const cookies = new Map(opened.cookies.map((cookie) => [cookie.name, cookie]))
  expect(cookies.get('meridian.known_device')?.value).toBeTruthy()
  expect(cookies.get('meridian.registration')).toMatchObject({ value: '', maxAge: 0 })

  const again = await confirm(token, browser)
  expect(again.json()).toEqual({ ok: true, user: null })
  expect(again.cookies).toEqual([])
})

test('the cookie of the browser is out of reach of scripts and other sites, and says nothing', async () => {
  const { answer } = await register()
  expect(answer.json()).toEqual({ ok: true })
  expect(answer.cookies).toEqual([
    {
      name: 'meridian.registration',
      value: expect.stringMatching(/^[\w-]{43}$/),
      path: '/api/auth',
      httpOnly: true,
      sameSite: 'Strict',
      maxAge: 7 * 24 * 60 * 60,
    },
  ])
})

test('a client that is no browser, and sends no origin, is logged in as well', async () => {
  const { email, token, browser } = await register()
  const opened = await meridian.as({ cookie: browser }).post('/api/auth/email-verification', { token })
  expect(opened.json()).toMatchObject({ user: { email } })
  expect(await emailOf(opened)).toBe(email)
})

test('a link scanner confirms the address, and leaves the login to the browser that registered', async () => {
  const { email, token, browser } = await register()
  for (const cookie of [undefined, 'meridian.registration=made-up', undefined]) {
    const scanned = await confirm(token, cookie)
    expect(scanned.json()).toEqual({ ok: true, user: null })
    expect(scanned.cookies).toEqual([])
  }
  expect((await confirm(token, browser)).json()).toMatchObject({ user: { email } })
})

test('the reader of a forwarded link is asked for the password, although they have registered, too', async () => {
  const [own, stranger] = [await register(), await register()]
  expect((await confirm(own.token, stranger.browser)).json()).toEqual({ ok: true, user: null })
  expect((await confirm(own.token, own.browser)).json()).toMatchObject({ user: { email: own.email } })
})

test('the browser alone gets nothing: without the link there is no login', async () => {
  const { browser } = await register()
  expectRefusal(await confirm('made-up', browser), 'auth.invalid_token')
  for (const path of ['sign-in/proven', 'email-verification']) {
    const answer = await post(path, {}, browser)
    expect([answer.statusCode >= 400, answer.cookies]).toEqual([true, []])
  }
})

test('of many openings at once, exactly one logs in', async () => {
  const { email, token, browser } = await register()
  const opened = await Promise.all(Array.from({ length: 20 }, () => confirm(token, browser)))
  expect(opened.map(({ statusCode }) => statusCode)).toEqual(opened.map(() => 200))
  expect(opened.filter((answer) => answer.json().user !== null)).toHaveLength(1)
  const { rows } = await meridian.database.execute(
    'select count(*)::integer as sessions from sessions join profiles on profiles.id = user_id where email = $1',
    [email],
  )
  expect(rows).toEqual([{ sessions: 1 }])
})

test('a changed password takes the login back, as it does with every other way in', async () => {
  const { email, token, browser } = await register()
  await confirm(token)
  const elsewhere = toCookieHeader(await post('sign-in', { email, password: TEST_PASSWORD }))
  const changed = await meridian
    .as({ cookie: elsewhere })
    .post('/api/security/password', { current_password: TEST_PASSWORD, new_password: 'another password' })
  expect(changed.statusCode, changed.body).toBe(204)
  expect((await confirm(token, browser)).json()).toEqual({ ok: true, user: null })
})

test('an account with a second factor is asked for the password and the code', async () => {
  const { email, token, browser } = await register()
  await confirm(token)
  // The login is still allowed, as if the second factor had been turned on at this moment.
  await meridian.database.execute('update profiles set two_factor_enabled = true where email = $1', [email])
  const opened = await confirm(token, browser)
  expect([opened.json(), opened.cookies]).toEqual([{ ok: true, user: null }, []])
})

test('a browser on which somebody is logged in stays theirs', async () => {
  const { token, browser } = await register()
  const owner = await makeOwner(meridian)
  const opened = await confirm(token, `${browser}; ${owner.cookie}`)
  expect([opened.json(), opened.cookies]).toEqual([{ ok: true, user: null }, []])
  expect((await owner.get('/api/auth/session')).json()).toMatchObject({ user: { email: owner.email } })
})

test('the login ends with the life of the link', async () => {
  const { token, browser } = await register()
  await confirm(token)
  meridian.clock.ms += 24 * 60 * 60 * 1000
  const late = await confirm(token, browser)
  meridian.clock.ms -= 24 * 60 * 60 * 1000
  expectRefusal(late, 'auth.invalid_token')
})

/** Registers, and returns the token of the emailed link and the cookies of the browser that registered. */
async function register() {
  addresses += 1
  const email = `first-login-${addresses}@example.com`
  const answer = await post('sign-up', { full_name: 'Ada Example', email, password: TEST_PASSWORD })
  expect(answer.statusCode, answer.body).toBe(200)
  const mail = await meridian.waitForMail(({ to }) => to.address === email)
  const token = decodeURIComponent(/token=(\S+)/.exec(mail.text)?.[1] ?? '')
  return { email, token, browser: toCookieHeader(answer), answer }
}

function confirm(token: string, cookie?: string) {
  return post('email-verification', { token }, cookie)
}

function post(path: string, payload: object, cookie?: string): Promise<LightMyRequestResponse> {
  const headers = { origin: 'http://localhost:3000' }
  return meridian.request({ method: 'POST', url: `/api/auth/${path}`, payload, headers, cookie })
}

async function emailOf(answer: LightMyRequestResponse): Promise<string> {
  const session = await meridian.as({ cookie: toCookieHeader(answer) }).get('/api/auth/session')
  return session.json().user.email
}
