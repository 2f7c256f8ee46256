import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { compareCpuCosts } from '#tests/support/cpu-cost.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import {
  makeOwner,
  PRODUCTION_SETTINGS,
  startMeridian,
  TEST_PASSWORD,
  type TestMeridian,
  type TestOwner,
  toCookieHeader,
  waitFor,
} from '#tests/support/meridian.ts'
import { totpAt } from '#tests/support/totp.ts'

let meridian: TestMeridian
/** The proxy passes on each client's address, as in production; sandbox mode does not allow proxies. */
let published: TestMeridian
let owner: TestOwner

beforeAll(async () => {
  const env = { BUDGETS: `${GENEROUS_BUDGETS},${SIX_OF_EACH}` }
  meridian = await startMeridian({ env })
  published = await startMeridian({ env: { ...PRODUCTION_SETTINGS, ...env } })
  owner = await makeOwner(meridian)
})
afterAll(async () => {
  await meridian.stop()
  await published.stop()
})

/**
 * Rate limits: six per client and three times that per account. Only two registrations are allowed, because each
 * computes a hash.
 */
const SIX_OF_EACH =
  'login_client=6,registrations_client=2,password_resets_client=6,link_checks=6,login_account=18,login_code_client=6'
const TOO_MANY = PROBLEMS['request.too_many'].title
/** The throttle counts per client address, so each test uses its own. */
let clients = 0

test('a wrong password and an unknown account are answered alike, at the same cost', async () => {
  let tried = 0
  const attempt = async (email: string) => {
    // The hash is compared with a different password each time, because the server of these tests compares the same
    // pair only once.
    const body = { email, password: `never tried ${tried++}` }
    const answer = await post('sign-in', body, { remoteAddress: newClient() })
    const { request_id: _differs, ...problem } = answer.json()
    return { status: answer.statusCode, problem, cookies: answer.cookies }
  }
  await attempt('warm-up@example.com')
  const known = await attempt(owner.email)
  expect(known).toEqual({
    status: 401,
    cookies: [],
    problem: {
      type: expect.stringContaining('#auth.invalid_credentials'),
      title: PROBLEMS['auth.invalid_credentials'].title,
      status: 401,
      code: 'auth.invalid_credentials',
    },
  })
  expect(await attempt('nobody@example.com')).toEqual(known)
  // Both logins compute a hash: otherwise one of them would take only a fraction of the other's time.
  const [knownUs, unknownUs] = await compareCpuCosts(
    () => attempt(owner.email),
    () => attempt('nobody@example.com'),
  )
  expect(unknownUs).toBeGreaterThan(knownUs / 3)
  expect(knownUs).toBeGreaterThan(unknownUs / 3)
})

test('signing in gives a session of its own, never the one that was brought along', async () => {
  const remoteAddress = newClient()
  const body = { email: owner.email, password: TEST_PASSWORD }
  const brought = 'meridian.session_token=attacker.signature'
  const tokens: string[] = []
  for (const cookie of [brought, owner.cookie, undefined]) {
    const answer = await post('sign-in', body, { remoteAddress, cookie })
    expect(answer.statusCode, answer.body).toBe(200)
    tokens.push(toCookieHeader(answer))
  }
  expect(new Set([brought, owner.cookie, ...tokens]).size).toBe(5)
  const asked = await meridian.as({ cookie: brought }).get('/api/auth/session')
  expect(asked.json()).toEqual({ user: null })
})

test.each([
  ['sign-in', { email: 'nobody@example.com', password: 'wrong password' }, 401, 60],
  ['sign-up', { full_name: 'Ada', email: 'new@example.com', password: TEST_PASSWORD }, 200, 60 * 60],
  ['password-reset-request', { email: 'nobody@example.com' }, 200, 60 * 60],
  ['password-reset', { token: 'x', password: TEST_PASSWORD }, 400, 60],
  ['email-verification', { token: 'x' }, 400, 60],
  ['email-change', { token: 'x' }, 400, 60],
] as const)(
  '%s is throttled by the client’s address, which a header cannot change',
  async (path, body, usual, windowSeconds) => {
    const remoteAddress = newClient()
    const statuses: number[] = []
    const max = maxOf(path)
    for (let i = 0; i <= max; i += 1) {
      const headers = {
        'x-forwarded-for': `203.0.113.${i}`,
        'x-real-ip': `203.0.113.${i}`,
        'x-meridian-client-address': `203.0.113.${i}`,
        'cf-connecting-ip': `203.0.113.${i}`,
      }
      const answer = await post(path, body, { remoteAddress, headers }, published)
      statuses.push(answer.statusCode)
      if (i === max) {
        expect(answer.json()).toMatchObject({ code: 'request.too_many', title: TOO_MANY })
        const waitSeconds = Number(answer.headers['retry-after'])
        expect([waitSeconds > 0, waitSeconds <= windowSeconds]).toEqual([true, true])
      }
    }
    expect(statuses).toEqual([...Array(max).fill(usual), 429])
    expect((await post(path, body, { remoteAddress: newClient() }, published)).statusCode).toBe(usual)
  },
)

test.each([
  ['sign-in', { email: 'nobody@example.com', password: 'wrong password' }],
  ['sign-up', { full_name: 'Ada', email: 'new@example.com', password: TEST_PASSWORD }],
  ['password-reset-request', { email: 'nobody@example.com' }],
  ['password-reset', { token: 'x', password: TEST_PASSWORD }],
  ['email-verification', { token: 'x' }],
  ['email-change', { token: 'x' }],
] as const)('%s is throttled for a whole /48, however many /64s it is tried from', async (path, body) => {
  const network = `2001:db8:${newNetwork()}`
  const statuses: number[] = []
  for (let i = 0; i < maxOf(path) * 3 + 5; i += 1) {
    const remoteAddress = `${network}:${i.toString(16)}::1`
    const payload = 'email' in body ? { ...body, email: `${i}-${body.email}` } : body
    const answer = await post(path, payload, { remoteAddress })
    statuses.push(answer.statusCode)
    if (answer.statusCode === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  }
  expect(statuses.slice(0, -5)).not.toContain(429)
  expect(statuses.slice(-5)).toEqual([429, 429, 429, 429, 429])
  const elsewhere = await post(path, body, { remoteAddress: `2001:db8:${newNetwork()}::1` })
  expect(elsewhere.statusCode).not.toBe(429)
})

test('codes of a login that waits for one are throttled for the client and its whole /48', async () => {
  const challenge = await makeChallenge()
  const network = `2001:db8:${newNetwork()}`
  const body = { code: '000000', trust_device: false }
  const answers: string[] = []
  for (let i = 0; i < 6 * 3 + 5; i += 1) {
    const remoteAddress = `${network}:${i.toString(16)}::1`
    answers.push((await post('two-factor', body, { remoteAddress, cookie: challenge })).json().code)
  }
  const wrong = 'account.wrong_code'
  expect(answers).toEqual([...Array(18).fill(wrong), ...Array(5).fill('request.too_many')])
  const remoteAddress = newClient()
  const ofOne: string[] = []
  for (let i = 0; i < 8; i += 1) {
    ofOne.push((await post('two-factor', body, { remoteAddress, cookie: challenge })).json().code)
  }
  expect(ofOne).toEqual([...Array(6).fill(wrong), 'request.too_many', 'request.too_many'])
})

test('who sends codes without a login keeps nobody of the same network from theirs', async () => {
  const remoteAddress = newClient()
  const body = { code: '000000', trust_device: false }
  for (let i = 0; i < 20; i += 1) {
    const answer = await post('two-factor', body, { remoteAddress, cookie: 'meridian.two_factor=made.up' })
    expect(answer.json().code).toBe('auth.second_factor_expired')
  }
  const answer = await post('two-factor', body, { remoteAddress, cookie: await makeChallenge() })
  expect(answer.json().code).toBe('account.wrong_code')
})

test('a network that has used up its attempts leaves no further rows', async () => {
  await meridian.database.execute('delete from budget_uses')
  const network = `2001:db8:${newNetwork()}`
  const body = { token: 'x' }
  for (let i = 0; i < 40; i += 1)
    await post('email-verification', body, { remoteAddress: `${network}:${i.toString(16)}::1` })
  const { rows } = await meridian.database.execute(
    "select key from budget_uses where key like 'link_checks:%'",
  )
  // There is one row for each of the 18 clients whose attempts were allowed, and one for the network.
  expect(rows).toHaveLength(19)
})

test('guesses at one account are throttled, however many addresses they come from', async () => {
  const { email } = await makeSignedIn()
  const attempt = (password: string) => post('sign-in', { email, password }, { remoteAddress: newClient() })
  const statuses: number[] = []
  for (let i = 0; i < 18; i += 1) statuses.push((await attempt('wrong password')).statusCode)
  expect(statuses).toEqual(Array(18).fill(401))
  const refused = await attempt(TEST_PASSWORD)
  expect([refused.statusCode, refused.json().title]).toEqual([429, TOO_MANY])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  // Another account is not affected, and the email address is not stored.
  expect(
    (await post('sign-in', { email: owner.email, password: TEST_PASSWORD }, { remoteAddress: newClient() }))
      .statusCode,
  ).toBe(200)
  const { rows } = await meridian.database.execute('select key from budget_uses')
  expect(JSON.stringify(rows)).not.toContain(email)
})

test('the right password forgives the wrong ones before it', async () => {
  const { email } = await makeSignedIn()
  const attempt = (password: string) => post('sign-in', { email, password }, { remoteAddress: newClient() })
  for (let i = 0; i < 17; i += 1) await attempt('wrong password')
  expect((await attempt(TEST_PASSWORD)).statusCode).toBe(200)
  expect((await attempt('wrong password')).statusCode).toBe(401)
})

test('a throttled client is refused with the right password too', async () => {
  const remoteAddress = newClient()
  for (let i = 0; i < 6; i += 1) {
    await post('sign-in', { email: owner.email, password: 'wrong password' }, { remoteAddress })
  }
  const answer = await post('sign-in', { email: owner.email, password: TEST_PASSWORD }, { remoteAddress })
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
  // nginx with a plain `proxy_pass` sends its own upstream address as Host.
  [{ origin: 'http://localhost:3000', host: '127.0.0.1:3000' }, 201],
  [{ origin: 'http://localhost:3001', host: '127.0.0.1:3000' }, 403],
  [{ origin: 'https://localhost:3000', host: '127.0.0.1:3000' }, 403],
  [{ origin: 'https://evil.example', host: '127.0.0.1:3000' }, 403],
  [{ origin: 'http://localhost:3000.evil.example', host: '127.0.0.1:3000' }, 403],
  [{}, 201],
])('what another site makes a browser send is refused: %j answers %i', async (headers, status) => {
  const { cookie } = await makeSignedIn()
  const payload = { name: 'Practice' }
  const answer = await meridian.request({ method: 'POST', url: '/api/calendars', cookie, payload, headers })
  expect(answer.statusCode, answer.body).toBe(status)
  if (status === 403) {
    expect(answer.json()).toMatchObject({
      code: 'request.cross_site',
      title: PROBLEMS['request.cross_site'].title,
    })
  }
})

test('a development server answers to its own names only', async () => {
  // Such a name could belong to a calendar's host, but no calendar has it.
  for (const host of ['evil.example', 'localhost.evil.example']) {
    const answer = await meridian.request({ url: '/api/auth/session', headers: { host } })
    expect([answer.statusCode, answer.json().code], host).toEqual([421, 'host.unknown'])
    for (const url of ['/healthz', '/']) {
      const page = await meridian.request({ url, headers: { host } })
      expect(page.statusCode, `${host}${url}`).toBe(421)
      expect(page.body, `${host}${url}`).toContain(PROBLEMS['host.unknown'].title)
    }
  }
  for (const url of ['/api/auth/session', '/healthz', '/']) {
    const answer = await meridian.request({ url, headers: { host: '192.168.0.1:3000' } })
    expect([answer.statusCode, answer.json().code], url).toEqual([404, 'request.not_found'])
  }
  for (const host of ['localhost', '127.0.0.1:4000', '[::1]:3000']) {
    expect((await meridian.request({ url: '/healthz', headers: { host } })).statusCode).toBe(200)
  }
})

test.each([
  ['x-forwarded-for', '203.0.113.7'],
  ['x-forwarded-for', '127.0.0.1'],
  ['x-forwarded-host', 'book.example'],
  ['x-forwarded-host', 'localhost:3000'],
  ['x-forwarded-proto', 'https'],
  ['x-real-ip', '203.0.113.7'],
  ['forwarded', 'for=203.0.113.7;host=book.example'],
  ['via', '1.1 proxy'],
  ['cf-connecting-ip', '203.0.113.7'],
])(
  'a development server answers nobody behind a proxy that rewrites the host: %s: %s',
  async (name, value) => {
    for (const url of ['/api/auth/session', '/api/sandbox/mails', '/metrics', '/healthz', '/']) {
      const answer = await meridian.request({ url, headers: { [name]: value } })
      expect([answer.statusCode, answer.json().code], url).toEqual([403, 'request.proxied'])
    }
    expect((await published.request({ url: '/healthz', headers: { [name]: value } })).statusCode).toBe(200)
  },
)

test('a development server answers no proxy that says nothing, as nginx does unless told otherwise', async () => {
  const { port } = new URL(await meridian.app.listen({ host: '127.0.0.1', port: 0 }))
  const ask = async (version: string) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(`GET /api/sandbox/mails HTTP/${version}\r\nHost: localhost:3000\r\nConnection: close\r\n\r\n`)
    return (await text(socket)).split('\r\n')[0]
  }
  expect(await ask('1.0')).toMatch(/ 403 /)
  expect(await ask('1.1')).toMatch(/ 200 /)
})

test('the figures are open in a sandbox unless there is a token for them', async () => {
  const METRICS_TOKEN = 'a token for the figures'
  const other = await startMeridian({ env: { METRICS_TOKEN } })
  const authorization = `Bearer ${METRICS_TOKEN}`
  expect((await other.get('/metrics')).statusCode).toBe(404)
  expect((await other.request({ url: '/metrics', headers: { authorization } })).statusCode).toBe(200)
  await other.stop()
  expect((await meridian.get('/metrics')).statusCode).toBe(200)
})

test('nothing that opens a door is in the logs', async () => {
  const remoteAddress = newClient()
  const email = 'logged@example.com'
  await post('sign-up', { full_name: 'Logged', email, password: 'the logged password' }, { remoteAddress })
  await post('sign-in', { email: owner.email, password: TEST_PASSWORD }, { remoteAddress })
  const mail = await waitFor(() => meridian.mails.find(({ to }) => to.address === email))
  const token = mail.text.match(/token=(\S+)/)?.[1] ?? ''
  await post('email-verification', { token }, { remoteAddress })
  const signedIn = await post('sign-in', { email, password: 'the logged password' }, { remoteAddress })
  const session = signedIn.cookies[0]?.value ?? ''
  const id = '2c5ea4c0-4067-4f3b-8f4e-3d2f4f0f7a11'
  await owner.get(`/api/public/appointments/${id}`)
  await meridian.request({ url: '/metrics', headers: { authorization: 'Bearer a metrics token' } })

  const log = meridian.logLines.join('')
  expect(log).toContain('/api/auth/email-verification')
  expect(token.length).toBeGreaterThan(50)
  expect(session.length).toBeGreaterThan(30)
  for (const secret of [
    token,
    session,
    owner.cookie,
    TEST_PASSWORD,
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
  const body = { email: owner.email, password: TEST_PASSWORD }
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
  product = meridian,
) {
  const headers = { origin: 'http://localhost:3000', ...options.headers }
  return product.request({ method: 'POST', url: `/api/auth/${path}`, payload, ...options, headers })
}

function maxOf(path: string): number {
  return path === 'sign-up' ? 2 : 6
}

function newNetwork(): string {
  clients += 1
  return (0x1000 + clients).toString(16)
}

function newClient(): string {
  clients += 1
  return `198.51.100.${clients}`
}

/** Returns the cookies of a login whose password was right and that still needs its code. */
async function makeChallenge(): Promise<string> {
  const { cookie, email } = await makeSignedIn()
  const url = '/api/security/two-factor'
  const started = await meridian.as({ cookie }).post(url, { password: TEST_PASSWORD })
  const code = totpAt(started.json().secret, Date.now())
  await meridian.as({ cookie }).post(`${url}/confirmation`, { code })
  const answer = await post('sign-in', { email, password: TEST_PASSWORD }, { remoteAddress: newClient() })
  expect(answer.json()).toMatchObject({ two_factor_required: true })
  return toCookieHeader(answer)
}

/** Creates an owner without calendars, whose login does not count in the throttle. */
async function makeSignedIn(): Promise<TestOwner> {
  await meridian.database.execute('delete from budget_uses')
  return makeOwner(meridian)
}
