import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TwoFactorSetup } from '#contract/accounts/security.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import {
  makeOwner,
  startMeridian,
  TEST_PASSWORD,
  type TestMeridian,
  type TestOwner,
  toCookieHeader,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { startOnPostgresServer } from '#tests/support/race-track.ts'
import { totpAt, wrongCodeAt } from '#tests/support/totp.ts'

/** Meridian's default rate limits per account. The attacker can use any number of addresses. */
const counted = 'login_code_challenge=5,login_code_account=10,proof_code=10,proof_password=10'
const env = { BUDGETS: `${GENEROUS_BUDGETS},${counted}` }

const TRACKS = [
  { where: 'a server', start: () => startOnPostgresServer({ env }) },
  { where: 'the embedded database', start: () => startMeridian({ env }) },
]

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian

  beforeAll(async () => {
    meridian = await start()
  })
  afterAll(() => meridian.stop())

  test('of 500 codes at once for 100 logins of one account ten are checked', { tags: ['slow'] }, async () => {
    const { owner, setup } = await makeProtected()
    const challenges = await makeChallenges(owner, 100)
    const codes = await Promise.all(
      challenges.flatMap((cookie) => Array.from({ length: 5 }, () => complete(cookie, wrongCode(setup)))),
    )
    expect(tally(codes)).toEqual({ 'account.wrong_code': 10, 'account.code_locked': 490 })
    const [later = ''] = await makeChallenges(owner, 1)
    expect(tally([await complete(later, rightCode(setup))])).toEqual({ 'account.code_locked': 1 })
  })

  test('of 500 codes at once for one login five are checked, and five more for the next', async () => {
    const { owner, setup } = await makeProtected()
    const [first = '', second = ''] = await makeChallenges(owner, 2)
    const guess = (cookie: string) =>
      Promise.all(Array.from({ length: 500 }, () => complete(cookie, wrongCode(setup))))
    const expected = { 'account.wrong_code': 5, 'auth.second_factor_expired': 495 }
    expect(tally(await guess(first))).toEqual(expected)
    expect(tally(await guess(second))).toEqual(expected)
  })

  test('a backup code that is sent from several windows at once is good once, and never a fault of ours', async () => {
    const { owner, setup } = await makeProtected()
    for (const [i, code] of setup.backup_codes.slice(0, 6).entries()) {
      // The rounds alternate: each window has its own login, or all windows share one.
      const challenges = await makeChallenges(owner, 4)
      const windows = i % 2 === 0 ? challenges : challenges.map(() => challenges[0] ?? '')
      const answers = await Promise.all(windows.map((cookie) => complete(cookie, code)))
      const { logged_in, ...refused } = tally(answers)
      expect(logged_in, JSON.stringify(refused)).toBe(1)
      for (const name of Object.keys(refused)) {
        expect(['account.wrong_code', 'auth.second_factor_expired']).toContain(name)
      }
    }
    const { rows } = await meridian.database.execute('select id from sessions where user_id = $1', [owner.id])
    expect(rows).toHaveLength(1 + 6)
  })

  test('a backup code that proves who one is in two windows at once is good for one of them', async () => {
    const { owner, setup } = await makeProtected()
    const [code = ''] = setup.backup_codes
    const replace = () =>
      post(owner.cookie, '/api/security/two-factor/backup-codes', { password: TEST_PASSWORD, code })
    expect(tally(await Promise.all([replace(), replace()]))).toEqual({ done: 1, 'account.wrong_code': 1 })
  })

  test('of 200 codes and of 200 passwords that an open window sends at once ten are checked', async () => {
    const { owner, setup } = await makeProtected()
    const send = (proof: { password: string; code: string }) =>
      Promise.all(
        Array.from({ length: 200 }, () => post(owner.cookie, '/api/security/two-factor/removal', proof)),
      )
    const passwords = await send({ password: 'not this one', code: wrongCode(setup) })
    expect(tally(passwords)).toEqual({ 'account.wrong_password': 10, 'request.too_many': 190 })
    await meridian.deps.budgets.clear({ budget: 'proof_password', subject: owner.id })
    const confirm = () => post(owner.cookie, '/api/auth/two-factor', { code: wrongCode(setup) })
    expect((await confirm()).json().code).toBe('auth.second_factor_expired')
    const other = await makeStarted()
    const codes = await Promise.all(
      Array.from({ length: 200 }, () =>
        post(other.owner.cookie, '/api/security/two-factor/confirmation', { code: wrongCode(other.setup) }),
      ),
    )
    expect(tally(codes)).toEqual({ 'account.wrong_code': 10, 'account.code_locked': 190 })
  })

  async function makeStarted(): Promise<{ owner: TestOwner; setup: TwoFactorSetup }> {
    const owner = await makeOwner(meridian)
    const started = await post(owner.cookie, '/api/security/two-factor', { password: TEST_PASSWORD })
    expect(started.statusCode, started.body).toBe(200)
    return { owner, setup: started.json() }
  }

  /** Makes an owner with two-factor authentication turned on. */
  async function makeProtected(): Promise<{ owner: TestOwner; setup: TwoFactorSetup }> {
    const { owner, setup } = await makeStarted()
    const code = rightCode(setup)
    const confirmed = await post(owner.cookie, '/api/security/two-factor/confirmation', { code })
    expect(confirmed.statusCode, confirmed.body).toBe(200)
    return { owner, setup }
  }

  /** Starts logins with the correct password. */
  async function makeChallenges({ email }: TestOwner, count: number): Promise<string[]> {
    const payload = { email, password: TEST_PASSWORD }
    const cookies: string[] = []
    for (let i = 0; i < count; i += 1) {
      const answer = await post(undefined, '/api/auth/sign-in', payload)
      expect(answer.json()).toMatchObject({ two_factor_required: true })
      cookies.push(toCookieHeader(answer))
    }
    return cookies
  }

  function complete(cookie: string, code: string) {
    return post(cookie, '/api/auth/two-factor', { code })
  }

  function post(cookie: string | undefined, url: string, payload: object) {
    return meridian.as({ cookie }).post(url, payload)
  }
}, TRACKS)

function rightCode({ secret }: TwoFactorSetup): string {
  return totpAt(secret, Date.now())
}

function wrongCode({ secret }: TwoFactorSetup): string {
  return wrongCodeAt(secret, Date.now())
}

/** Counts the responses by code. */
function tally(answers: readonly LightMyRequestResponse[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const { code, user } = answer.json()
    const name = answer.statusCode === 200 ? (user ? 'logged_in' : 'done') : code
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
