import { beforeEach, expect, test } from 'vitest'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeOwner, TEST_PASSWORD, type TestOwner, toCookieHeader } from '#tests/support/meridian.ts'
import { totpAt } from '#tests/support/totp.ts'
import { toLoginCounterKey } from './check-password.ts'

let owner: TestOwner

// Use the product's own rate limits.
setUpMeridian({ env: { BUDGETS: '' } })
beforeEach(async () => {
  await meridian.database.execute('delete from budget_uses')
  owner = await makeOwner(meridian)
})

const MINUTE_MS = 60_000
const ATTACKER = '203.0.113.66'
let clients = 0

test('one client that guesses for three minutes refuses the owner nothing, wherever they log in', {
  tags: ['slow'],
}, async () => {
  const guesses: number[] = []
  const logins: number[] = []
  for (let minute = 0; minute < 3; minute += 1) {
    for (let i = 0; i < 150; i += 1) {
      guesses.push((await signIn({ password: 'a guess', remoteAddress: ATTACKER })).statusCode)
      // The owner logs in 26 times in all, each time from a different address and on a new device.
      if (i % 17 === 16 && logins.length < 26)
        logins.push((await signIn({ remoteAddress: newClient() })).statusCode)
    }
    meridian.clock.ms += MINUTE_MS
  }
  while (logins.length < 26) logins.push((await signIn({ remoteAddress: newClient() })).statusCode)
  expect(logins).toEqual(Array(26).fill(200))
  // Of the guesses, ten per minute are allowed to reach the password check.
  expect(guesses.filter((status) => status === 401)).toHaveLength(30)
  expect(guesses.filter((status) => status === 429)).toHaveLength(420)
})

test('a guess that its client’s budget refuses is not counted for the account', async () => {
  for (let i = 0; i < 60; i += 1) await signIn({ password: 'a guess', remoteAddress: ATTACKER })
  // The client's own limit allowed ten, so 20 of the account's 30 attempts are left.
  const others: number[] = []
  for (let i = 0; i < 21; i += 1) {
    others.push((await signIn({ password: 'a guess', remoteAddress: newClient() })).statusCode)
  }
  expect(others).toEqual([...Array(20).fill(401), 429])
})

test('strangers at many addresses cannot keep an owner out on a device where they logged in before', async () => {
  const device = deviceOf(await signIn({ remoteAddress: newClient() }))
  for (let i = 0; i < 40; i += 1) await signIn({ password: 'a guess', remoteAddress: newClient() })
  expectRefusal(await signIn({ remoteAddress: newClient() }), 'request.too_many')
  const known = await signIn({ cookie: device, remoteAddress: newClient() })
  expect(known.json()).toMatchObject({ user: { id: owner.id } })
})

test('a known device is not held up by a stranger who shares its address', async () => {
  const device = deviceOf(await signIn({ remoteAddress: ATTACKER }))
  for (let i = 0; i < 30; i += 1) await signIn({ password: 'a guess', remoteAddress: ATTACKER })
  expectRefusal(await signIn({ remoteAddress: ATTACKER }), 'request.too_many')
  expect((await signIn({ cookie: device, remoteAddress: ATTACKER })).statusCode).toBe(200)
})

test('guesses on a known device are counted for it alone, until the right password', async () => {
  const device = deviceOf(await signIn({ remoteAddress: newClient() }))
  const guess = () => signIn({ cookie: device, password: 'a guess', remoteAddress: newClient() })
  for (let i = 0; i < 19; i += 1) expect((await guess()).statusCode).toBe(401)
  expect((await signIn({ cookie: device, remoteAddress: newClient() })).statusCode).toBe(200)
  for (let i = 0; i < 20; i += 1) expect((await guess()).statusCode).toBe(401)
  const refused = await signIn({ cookie: device, remoteAddress: newClient() })
  expectRefusal(refused, 'request.too_many')
  expect(Number(refused.headers['retry-after'])).toBe(15 * 60)
  expect((await signIn({ remoteAddress: newClient() })).statusCode).toBe(200)
})

test.each([
  ['that another account was logged in to on', async () => deviceOf(await logInAsAnother())],
  ['with a mark that was made up', async () => `meridian.known_device=${'d'.repeat(22)}.${'m'.repeat(43)}`],
  ['without a mark', async () => `meridian.known_device=${'d'.repeat(22)}`],
  [
    'whose name was changed',
    async () => {
      const device = deviceOf(await signIn({ remoteAddress: newClient() }))
      return device.replace(/=(.)/, (_start, first) => (first === 'A' ? '=B' : '=A'))
    },
  ],
  [
    'with more marks than we write',
    async () => `meridian.known_device=${'d'.repeat(22)}${`.${'m'.repeat(43)}`.repeat(90)}`,
  ],
])('a device %s is a stranger', async (_what, makeDevice) => {
  const cookie = await makeDevice()
  await meridian.database.execute('delete from budget_uses')
  const statuses: number[] = []
  for (let i = 0; i < 12; i += 1) {
    statuses.push((await signIn({ cookie, password: 'a guess', remoteAddress: ATTACKER })).statusCode)
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
})

test('who has found out a password and sends wrong codes keeps its owner out on no device where they logged in before', async () => {
  const device = deviceOf(await signIn({ remoteAddress: newClient() }))
  const secret = await protect()
  for (let login = 0; login < 2; login += 1) {
    const cookie = toCookieHeader(await signIn({ remoteAddress: newClient() }))
    for (let i = 0; i < 5; i += 1) await sendCode('000000', cookie)
  }
  const elsewhere = toCookieHeader(await signIn({ remoteAddress: newClient() }))
  expectRefusal(await sendCode(totpAt(secret, Date.now()), elsewhere), 'account.code_locked')
  const challenge = toCookieHeader(await signIn({ cookie: device, remoteAddress: newClient() }))
  const answer = await sendCode(totpAt(secret, Date.now()), `${challenge}; ${device}`)
  expect(answer.json()).toMatchObject({ user: { id: owner.id } })
})

test('a device is known to the last five accounts that were logged in to on it', async () => {
  const first = owner
  let device = deviceOf(await signIn({ remoteAddress: newClient() }))
  const name = device.split('.')[1]
  for (let i = 0; i < 5; i += 1) {
    owner = await makeOwner(meridian)
    device = deviceOf(await signIn({ cookie: device, remoteAddress: newClient() }))
    expect(device.split('.')[1]).toBe(name)
  }
  const isKnown = async (who: TestOwner) => {
    await meridian.database.execute('delete from budget_uses')
    owner = who
    await signIn({ cookie: device, password: 'a guess', remoteAddress: newClient() })
    const { rows } = await meridian.database.execute(
      `select key from budget_uses where key like 'login_device:%'`,
    )
    return rows.length === 1
  }
  const last = owner
  expect([await isKnown(first), await isKnown(last)]).toEqual([false, true])
})

test('the cookie of a known device is out of reach of scripts and other sites, and opens nothing', async () => {
  const answer = await signIn({ remoteAddress: newClient() })
  const cookie = answer.cookies.find(({ name }) => name === 'meridian.known_device')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/api', maxAge: 365 * 86_400 })
  const asked = await meridian.request({ url: '/api/auth/session', cookie: deviceOf(answer) })
  expect(asked.json()).toEqual({ user: null })
  expect(JSON.stringify(cookie)).not.toContain(owner.id)
})

test('1,000 invented addresses leave a handful of rows', { tags: ['slow'] }, async () => {
  await meridian.database.execute('delete from budget_uses')
  for (let i = 0; i < 1_000; i += 1) {
    await signIn({ email: `invented-${i}@example.com`, password: 'a guess', remoteAddress: ATTACKER })
  }
  const { rows } = await meridian.database.execute("select key from budget_uses where key like 'login%'")
  // There is one row for the client, and one for each guess that was allowed.
  expect(rows.length).toBeLessThanOrEqual(11)
})

test('invented addresses share 4,096 drawers, however many they are and whoever invents them', () => {
  const drawers = new Set<string>()
  for (let i = 0; i < 50_000; i += 1)
    drawers.add(toLoginCounterKey(meridian.deps, `invented-${i}@example.com`))
  expect(drawers.size).toBe(4_096)
})

test('guesses at an address without an account are refused as for one that has it', async () => {
  const attempt = async (email: string) => {
    await meridian.database.execute('delete from budget_uses')
    const statuses: number[] = []
    for (let i = 0; i < 33; i += 1) {
      statuses.push((await signIn({ email, password: 'a guess', remoteAddress: newClient() })).statusCode)
    }
    return statuses
  }
  const known = await attempt(owner.email)
  expect(known).toEqual([...Array(30).fill(401), 429, 429, 429])
  expect(await attempt('nobody-at-all@example.com')).toEqual(known)
})

type Attempt = {
  readonly email?: string
  readonly password?: string
  readonly cookie?: string
  readonly remoteAddress: string
}

function signIn({ email = owner.email, password = TEST_PASSWORD, ...from }: Attempt) {
  return meridian.request({ method: 'POST', url: '/api/auth/sign-in', payload: { email, password }, ...from })
}

/**
 * Turns two-factor authentication on and returns the app's secret. Afterwards, the code used for it is accepted again.
 */
async function protect(): Promise<string> {
  const { id, cookie } = owner
  const url = '/api/security/two-factor'
  const started = await meridian.as({ cookie }).post(url, { password: TEST_PASSWORD })
  const { secret } = started.json()
  const payload = { code: totpAt(secret, Date.now()) }
  await meridian.as({ cookie }).post(`${url}/confirmation`, payload)
  await meridian.database.execute('update two_factors set last_used_step = null where user_id = $1', [id])
  return secret
}

function sendCode(code: string, cookie: string) {
  const remoteAddress = newClient()
  return meridian.request({
    method: 'POST',
    url: '/api/auth/two-factor',
    payload: { code },
    cookie,
    remoteAddress,
  })
}

async function logInAsAnother() {
  const { email } = await makeOwner(meridian)
  return signIn({ email, remoteAddress: newClient() })
}

/** Returns the cookie that identifies a device, as a browser sends it after logout. */
function deviceOf(answer: Awaited<ReturnType<typeof signIn>>): string {
  const pairs = toCookieHeader(answer).split('; ')
  return pairs.find((pair) => pair.startsWith('meridian.known_device=')) ?? ''
}

function newClient(): string {
  clients += 1
  return `198.51.${100 + Math.floor(clients / 250)}.${clients % 250}`
}
