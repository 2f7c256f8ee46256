import { describe, expect, test } from 'vitest'
import type { AccountSession } from '#contract/accounts/security.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeOwner, TEST_PASSWORD, type TestOwner, toCookieHeader } from '#tests/support/meridian.ts'

setUpMeridian()

const NEW_PASSWORD = 'staple battery horse'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

describe('changing the password', () => {
  test('signs out the other devices, makes older links useless, and tells the owner', async () => {
    const owner = await makeOwner(meridian)
    const other = await signIn(owner.email, TEST_PASSWORD)
    await post(undefined, '/api/auth/password-reset-request', { email: owner.email })
    const link = await meridian.waitForMail(
      ({ to, text }) => to.address === owner.email && /token=/.test(text),
    )

    const body = { current_password: TEST_PASSWORD, new_password: NEW_PASSWORD }
    expect((await post(owner.cookie, '/api/security/password', body)).statusCode).toBe(204)
    expect(await isSignedIn(owner.cookie)).toBe(true)
    expect(await isSignedIn(other)).toBe(false)
    const token = link.text.match(/token=(\S+)/)?.[1] ?? ''
    const reset = await post(undefined, '/api/auth/password-reset', { token, password: 'a third password' })
    expectRefusal(reset, 'auth.invalid_token')

    const old = await post(undefined, '/api/auth/sign-in', { email: owner.email, password: TEST_PASSWORD })
    expectRefusal(old, 'auth.invalid_credentials')
    expect(await isSignedIn(await signIn(owner.email, NEW_PASSWORD))).toBe(true)
    const mail = await meridian.waitForMail(({ subject }) => subject === 'Your password was changed')
    expect(mail.to.address).toBe(owner.email)
    expect(mail.text).toContain('http://localhost:3000/forgot-password')
    expect(mail.text).toContain('http://localhost:3000/profile?tab=security')
  })

  test('leaves the other devices signed in where that is wanted', async () => {
    const owner = await makeOwner(meridian)
    const other = await signIn(owner.email, TEST_PASSWORD)
    const body = { current_password: TEST_PASSWORD, new_password: NEW_PASSWORD, sign_out_others: false }
    expect((await post(owner.cookie, '/api/security/password', body)).statusCode).toBe(204)
    expect(await isSignedIn(other)).toBe(true)
  })

  test('is refused under its field with a wrong password, and changes nothing', async () => {
    const owner = await makeOwner(meridian)
    const body = { current_password: 'not this one', new_password: NEW_PASSWORD }
    const answer = await post(owner.cookie, '/api/security/password', body)
    expectRefusal(answer, 'account.wrong_password', 'current_password')
    expect(await isSignedIn(await signIn(owner.email, TEST_PASSWORD))).toBe(true)
  })

  test.each([
    ['auth.password_too_short', '1234567'],
    ['auth.password_too_long', 'x'.repeat(129)],
  ] as const)('is refused as %s', async (code, new_password) => {
    const owner = await makeOwner(meridian)
    const body = { current_password: TEST_PASSWORD, new_password }
    expectRefusal(await post(owner.cookie, '/api/security/password', body), code, 'new_password')
  })

  test('stays as it was when the mail about it cannot be queued', async () => {
    const owner = await makeOwner(meridian)
    const insert = meridian.deps.jobs.insert
    Object.assign(meridian.deps.jobs, { insert: () => Promise.reject(new Error('the queue is gone')) })
    const body = { current_password: TEST_PASSWORD, new_password: NEW_PASSWORD }
    const answer = await post(owner.cookie, '/api/security/password', body)
    Object.assign(meridian.deps.jobs, { insert })
    expect(answer.statusCode).toBe(500)
    expect(await meridian.auth.verifyPassword(owner.id, TEST_PASSWORD)).toBe(true)
  })
})

test('a forgotten password that was replaced is told by mail, too', async () => {
  const { email } = await makeOwner(meridian)
  await post(undefined, '/api/auth/password-reset-request', { email })
  const link = await meridian.waitForMail(({ to, text }) => to.address === email && /token=/.test(text))
  const token = link.text.match(/token=(\S+)/)?.[1] ?? ''
  await post(undefined, '/api/auth/password-reset', { token, password: NEW_PASSWORD })
  await meridian.waitForMail(
    ({ to, subject }) => to.address === email && /password was changed/.test(subject),
  )
})

describe('the devices that are signed in', () => {
  test('are told apart by browser, system and address, this one first, and never name a key', async () => {
    const owner = await makeOwner(meridian)
    await signIn(owner.email, TEST_PASSWORD, { userAgent: IPHONE, remoteAddress: '203.0.113.7' })
    const cookie = await signIn(owner.email, TEST_PASSWORD, {
      userAgent: FIREFOX,
      remoteAddress: '198.51.100.9',
    })
    const answer = await meridian.as({ cookie }).get('/api/security/sessions')
    const sessions: AccountSession[] = answer.json().sessions
    expect(
      sessions.map(({ browser, system, ip_address, current }) => [browser, system, ip_address, current]),
    ).toEqual([
      ['Firefox', 'Linux', '198.51.100.9', true],
      ['Safari', 'iPhone', '203.0.113.7', false],
      [null, null, '127.0.0.1', false],
    ])
    const { rows } = await meridian.database.execute('select token from sessions where user_id = $1', [
      owner.id,
    ])
    expect(rows).toHaveLength(3)
    for (const { token } of rows as { token: string }[]) expect(answer.body).not.toContain(token)
  })

  test('are one however often a browser signs in, and whoever had signed in before', async () => {
    const [owner, other] = [await makeOwner(meridian), await makeOwner(meridian)]
    const signInAgain = async (cookie: string, { email }: TestOwner) => {
      const headers = { origin: 'http://localhost:3000' }
      const payload = { email, password: TEST_PASSWORD }
      const url = '/api/auth/sign-in'
      return toCookieHeader(await meridian.request({ method: 'POST', url, cookie, payload, headers }))
    }
    const again = await signInAgain(owner.cookie, owner)
    expect(await isSignedIn(owner.cookie)).toBe(false)
    expect(await listSessions({ ...owner, cookie: again })).toEqual([
      expect.objectContaining({ current: true }),
    ])
    await signInAgain(again, other)
    expect(await isSignedIn(again)).toBe(false)
    expect(await listSessions(other)).toHaveLength(2)
  })

  test('are signed out one by one, at once', async () => {
    const owner = await makeOwner(meridian)
    const other = await signIn(owner.email, TEST_PASSWORD)
    const id = (await listSessions(owner)).find(({ current }) => !current)?.id
    expect((await del(owner, `/api/security/sessions/${id}`)).statusCode).toBe(204)
    expect(await isSignedIn(other)).toBe(false)
    expectRefusal(await meridian.as({ cookie: other }).get('/api/calendars'), 'auth.required')
    expectRefusal(await del(owner, `/api/security/sessions/${id}`), 'account.session_not_found')
    expectRefusal(await del(owner, '/api/security/sessions/1'), 'account.session_not_found')
    expect(await listSessions(owner)).toHaveLength(1)
  })

  test('are all signed out but this one', async () => {
    const owner = await makeOwner(meridian)
    const stranger = await makeOwner(meridian)
    const others = [await signIn(owner.email, TEST_PASSWORD), await signIn(owner.email, TEST_PASSWORD)]
    const signedOut = await del(owner, '/api/security/sessions')
    expect(signedOut.json()).toEqual({ signed_out: 2 })
    expect((await del(owner, '/api/security/sessions')).json()).toEqual({ signed_out: 0 })
    for (const cookie of others) expect(await isSignedIn(cookie)).toBe(false)
    expect(await isSignedIn(owner.cookie)).toBe(true)
    expect(await isSignedIn(stranger.cookie)).toBe(true)
  })

  test('are not somebody else’s to sign out', async () => {
    const owner = await makeOwner(meridian)
    const stranger = await makeOwner(meridian)
    const [session] = await listSessions(owner)
    expectRefusal(await del(stranger, `/api/security/sessions/${session?.id}`), 'account.session_not_found')
    expect(await isSignedIn(owner.cookie)).toBe(true)
  })

  test('show when they were last used, written at most every five minutes', async () => {
    const owner = await makeOwner(meridian)
    const lastUse = async () => Date.parse((await listSessions(owner))[0]?.last_used_at ?? '')
    const before = await lastUse()
    await setLastUse(owner, "now() - interval '4 minutes'")
    await meridian.as(owner).get('/api/calendars')
    expect(await lastUse()).toBeLessThan(before)

    await setLastUse(owner, "now() - interval '6 minutes'")
    await meridian.as(owner).get('/api/calendars')
    await expect.poll(lastUse, { timeout: 20_000 }).toBeGreaterThanOrEqual(before)
  })

  test('leave the list when their session has expired', async () => {
    const owner = await makeOwner(meridian)
    await signIn(owner.email, TEST_PASSWORD)
    const id = (await listSessions(owner))[1]?.id
    await meridian.database.execute(
      `update sessions set expires_at = now() - interval '1 second' where id = $1`,
      [id],
    )
    expect(await listSessions(owner)).toHaveLength(1)
  })
})

function post(cookie: string | undefined, url: string, payload: object) {
  return meridian.as({ cookie }).post(url, payload)
}

function del({ cookie }: TestOwner, url: string) {
  return meridian.as({ cookie }).delete(url)
}

async function signIn(
  email: string,
  password: string,
  { userAgent, remoteAddress = '127.0.0.1' }: { userAgent?: string; remoteAddress?: string } = {},
): Promise<string> {
  const answer = await meridian.request({
    method: 'POST',
    url: '/api/auth/sign-in',
    payload: { email, password },
    remoteAddress,
    ...(userAgent === undefined ? {} : { headers: { 'user-agent': userAgent } }),
  })
  return toCookieHeader(answer)
}

async function isSignedIn(cookie: string): Promise<boolean> {
  return (await meridian.as({ cookie }).get('/api/auth/session')).json().user !== null
}

async function listSessions({ cookie }: TestOwner): Promise<AccountSession[]> {
  return (await meridian.as({ cookie }).get('/api/security/sessions')).json().sessions
}

async function setLastUse({ id }: TestOwner, instant: string): Promise<void> {
  await meridian.database.execute(`update sessions set updated_at = ${instant} where user_id = $1`, [id])
}
