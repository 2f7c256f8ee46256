import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  makeOwner,
  PASSWORD,
  startMeridian,
  type TestMeridian,
  type TestOwner,
  toCookieHeader,
  waitFor,
} from '#tests/support/meridian.ts'

let meridian: TestMeridian
let owner: TestOwner

beforeAll(async () => {
  meridian = await startMeridian({ env: { SIGN_IN_ATTEMPTS_PER_MINUTE: '6' } })
  owner = await makeOwner(meridian)
})
afterAll(() => meridian.stop())

const TOO_MANY = 'Too many attempts. Please wait a moment and try again.'
/** The throttle counts by address; each test comes from its own. */
let clients = 0

test('a wrong password and an unknown account are answered alike, at the same cost', async () => {
  const remoteAddress = newClient()
  const attempt = async (email: string) => {
    const before = process.cpuUsage()
    const answer = await post(
      'sign-in',
      { email, password: `not tried before by ${email}` },
      { remoteAddress },
    )
    const { user, system } = process.cpuUsage(before)
    const { request_id: _differs, ...problem } = answer.json()
    return { costUs: user + system, answer: { status: answer.statusCode, problem, cookies: answer.cookies } }
  }
  await attempt('warm-up@example.com')
  const [known, unknown] = [await attempt(owner.email), await attempt('nobody@example.com')]
  expect(known.answer).toEqual({
    status: 401,
    cookies: [],
    problem: {
      type: expect.stringContaining('#auth.invalid_credentials'),
      title: 'Invalid email or password',
      status: 401,
      code: 'auth.invalid_credentials',
    },
  })
  expect(unknown.answer).toEqual(known.answer)
  // Both hash: without it, an answer takes a fraction of the time that the other one does.
  expect(unknown.costUs).toBeGreaterThan(known.costUs / 3)
  expect(known.costUs).toBeGreaterThan(unknown.costUs / 3)
})

test('signing in gives a session of its own, never the one that was brought along', async () => {
  const remoteAddress = newClient()
  const body = { email: owner.email, password: PASSWORD }
  const brought = 'meridian.session_token=attacker.signature'
  const tokens: string[] = []
  for (const cookie of [brought, owner.cookie, undefined]) {
    const answer = await post('sign-in', body, { remoteAddress, cookie })
    expect(answer.statusCode, answer.body).toBe(200)
    tokens.push(toCookieHeader(answer))
  }
  expect(new Set([brought, owner.cookie, ...tokens]).size).toBe(5)
  const asked = await meridian.request({ url: '/api/auth/session', cookie: brought })
  expect(asked.json()).toEqual({ user: null })
})

test.each([
  ['sign-in', { email: 'nobody@example.com', password: 'wrong password' }, 401],
  ['sign-up', { full_name: 'Ada', email: 'new@example.com', password: PASSWORD }, 200],
  ['password-reset-request', { email: 'nobody@example.com' }, 200],
  ['password-reset', { token: 'x', password: PASSWORD }, 400],
  ['email-verification', { token: 'x' }, 400],
] as const)(
  '%s is throttled by the client’s address, which a header cannot change',
  async (path, body, usual) => {
    const remoteAddress = newClient()
    const statuses: number[] = []
    for (let i = 0; i < 7; i += 1) {
      const headers = {
        'x-forwarded-for': `203.0.113.${i}`,
        'x-real-ip': `203.0.113.${i}`,
        'x-meridian-client-address': `203.0.113.${i}`,
        'cf-connecting-ip': `203.0.113.${i}`,
      }
      const answer = await post(path, body, { remoteAddress, headers })
      statuses.push(answer.statusCode)
      if (i === 6) {
        expect(answer.json()).toMatchObject({ code: 'request.too_many', title: TOO_MANY })
        const waitSeconds = Number(answer.headers['retry-after'])
        expect([waitSeconds > 0, waitSeconds <= 60]).toEqual([true, true])
      }
    }
    expect(statuses).toEqual([usual, usual, usual, usual, usual, usual, 429])
    expect((await post(path, body, { remoteAddress: newClient() })).statusCode).toBe(usual)
  },
)

test('guesses at one account are throttled, however many addresses they come from', async () => {
  const { email } = await makeSignedIn()
  const attempt = (password: string) => post('sign-in', { email, password }, { remoteAddress: newClient() })
  const statuses: number[] = []
  for (let i = 0; i < 18; i += 1) statuses.push((await attempt('wrong password')).statusCode)
  expect(statuses).toEqual(Array(18).fill(401))
  const refused = await attempt(PASSWORD)
  expect([refused.statusCode, refused.json().title]).toEqual([429, TOO_MANY])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  // Another account is not held up by it, and the address is not kept.
  expect(
    (await post('sign-in', { email: owner.email, password: PASSWORD }, { remoteAddress: newClient() }))
      .statusCode,
  ).toBe(200)
  const { rows } = await meridian.database.execute('select key from rate_limits')
  expect(JSON.stringify(rows)).not.toContain(email)
})

test('the right password forgives the wrong ones before it', async () => {
  const { email } = await makeSignedIn()
  const attempt = (password: string) => post('sign-in', { email, password }, { remoteAddress: newClient() })
  for (let i = 0; i < 17; i += 1) await attempt('wrong password')
  expect((await attempt(PASSWORD)).statusCode).toBe(200)
  expect((await attempt('wrong password')).statusCode).toBe(401)
})

test('a throttled client is refused with the right password too', async () => {
  const remoteAddress = newClient()
  for (let i = 0; i < 6; i += 1) {
    await post('sign-in', { email: owner.email, password: 'wrong password' }, { remoteAddress })
  }
  const answer = await post('sign-in', { email: owner.email, password: PASSWORD }, { remoteAddress })
  expect([answer.statusCode, answer.cookies]).toEqual([429, []])
})

test.each([
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }, 403],
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'http://localhost:3001' }, 403],
  [{ origin: 'null' }, 403],
  [{ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' }, 201],
  [{ 'sec-fetch-site': 'none' }, 201],
  [{ origin: 'http://localhost:3000' }, 201],
  [{}, 201],
])('what another site makes a browser send is refused: %j answers %i', async (headers, status) => {
  const { cookie } = await makeSignedIn()
  const payload = { name: 'Practice' }
  const answer = await meridian.request({ method: 'POST', url: '/api/calendars', cookie, payload, headers })
  expect(answer.statusCode, answer.body).toBe(status)
  if (status === 403) {
    expect(answer.json()).toMatchObject({
      code: 'request.cross_site',
      title: 'This request came from another website and was refused.',
    })
  }
})

test('a development server answers to its own names only', async () => {
  for (const host of ['evil.example', 'localhost.evil.example', '192.168.0.1:3000']) {
    for (const url of ['/api/auth/session', '/healthz', '/']) {
      const answer = await meridian.request({ url, headers: { host } })
      expect([answer.statusCode, answer.json().code], host).toEqual([404, 'request.not_found'])
    }
  }
  for (const host of ['localhost', '127.0.0.1:4000', '[::1]:3000']) {
    expect((await meridian.request({ url: '/healthz', headers: { host } })).statusCode).toBe(200)
  }
})

test('nothing that opens a door is in the logs', async () => {
  const remoteAddress = newClient()
  const email = 'logged@example.com'
  await post('sign-up', { full_name: 'Logged', email, password: 'the logged password' }, { remoteAddress })
  await post('sign-in', { email: owner.email, password: PASSWORD }, { remoteAddress })
  const mail = await waitFor(() => meridian.mails.find(({ to }) => to.address === email))
  const token = mail.text.match(/token=(\S+)/)?.[1] ?? ''
  await post('email-verification', { token }, { remoteAddress })
  const signedIn = await post('sign-in', { email, password: 'the logged password' }, { remoteAddress })
  const session = signedIn.cookies[0]?.value ?? ''
  const id = '2c5ea4c0-4067-4f3b-8f4e-3d2f4f0f7a11'
  await meridian.request({ url: `/api/public/appointments/${id}`, cookie: owner.cookie })
  await meridian.request({ url: '/metrics', headers: { authorization: 'Bearer a metrics token' } })

  const log = meridian.logLines.join('')
  expect(log).toContain('/api/auth/email-verification')
  expect(token.length).toBeGreaterThan(50)
  expect(session.length).toBeGreaterThan(30)
  for (const secret of [
    token,
    session,
    owner.cookie,
    PASSWORD,
    'the logged password',
    id,
    'metrics token',
    email,
  ]) {
    expect(log).not.toContain(secret)
    expect(log).not.toContain(encodeURIComponent(secret))
  }
})

test('a fault in the middle of signing in is a problem, and the log has its cause', async () => {
  const body = { email: owner.email, password: PASSWORD }
  await meridian.database.execute('alter table accounts rename to away')
  const answer = await post('sign-in', body, { remoteAddress: newClient() })
  await meridian.database.execute('alter table away rename to accounts')
  expect([answer.statusCode, answer.json().code]).toEqual([500, 'server.unexpected'])
  const causes = meridian.logLines.map((line) => JSON.parse(line).err?.message)
  expect(causes).toContain('relation "accounts" does not exist')
})

function post(
  path: string,
  payload: object,
  options: Pick<InjectOptions, 'headers' | 'remoteAddress'> & { cookie?: string | undefined },
) {
  const headers = { origin: 'http://localhost:3000', ...options.headers }
  return meridian.request({ method: 'POST', url: `/api/auth/${path}`, payload, ...options, headers })
}

function newClient(): string {
  clients += 1
  return `198.51.100.${clients}`
}

/** An owner without calendars, whose session does not count against the throttle. */
async function makeSignedIn(): Promise<TestOwner> {
  await meridian.database.execute('delete from rate_limits')
  return makeOwner(meridian)
}
