import { beforeEach, describe, expect, test } from 'vitest'
import type { TwoFactorSetup } from '#contract/accounts/security.ts'
import { BROWSER_STORAGE_ITEMS } from '#contract/information/browser-storage.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { makeOwner, TEST_PASSWORD, type TestOwner, toCookieHeader } from '#tests/support/meridian.ts'
import { totpAt } from '#tests/support/totp.ts'

const counted = 'login_code_challenge=5,login_code_account=10,proof_code=6,proof_password=6'
setUpMeridian({ env: { BUDGETS: `${GENEROUS_BUDGETS},${counted}` } })
beforeEach(() => meridian.database.execute('delete from budget_uses'))

describe('turning it on', () => {
  test('takes the password and a first code; until then signing in stays as it was', async () => {
    const owner = await makeOwner(meridian)
    expect(await ask(owner)).toEqual({ enabled: false, backup_codes_left: null })
    const wrong = await post(owner.cookie, '', { password: 'not this one' })
    expectRefusal(wrong, 'account.wrong_password', 'password')

    const setup = await start(owner)
    expect(setup.uri).toContain(`otpauth://totp/Meridian:${encodeURIComponent(owner.email)}?`)
    expect(setup.uri).toContain(`secret=${setup.secret}`)
    expect(new Set(setup.backup_codes).size).toBe(10)
    expect((await signIn(owner)).json().user.email).toBe(owner.email)

    expectRefusal(await confirm(owner, '000000'), 'account.wrong_code', 'code')
    expect(await ask(owner)).toEqual({ enabled: false, backup_codes_left: null })
    const confirmed = await confirm(owner, codeOf(setup))
    expect(confirmed.json()).toEqual({ enabled: true, backup_codes_left: 10 })
    expect(await ask(owner)).toEqual({ enabled: true, backup_codes_left: 10 })
    const mail = await meridian.waitForMail(({ to }) => to.address === owner.email)
    expect(mail.subject).toBe('Two-factor authentication is on')

    expectRefusal(await confirm(owner, codeOf(setup)), 'account.two_factor_on')
    expectRefusal(await post(owner.cookie, '', { password: TEST_PASSWORD }), 'account.two_factor_on')
  })

  test('can be started anew; the code of the secret before is worth nothing', async () => {
    const owner = await makeOwner(meridian)
    const given_up = await start(owner)
    const setup = await start(owner)
    expectRefusal(await confirm(owner, codeOf(given_up)), 'account.wrong_code', 'code')
    expect((await confirm(owner, codeOf(setup))).statusCode).toBe(200)
  })

  test('is confirmed by the app only, after it was started', async () => {
    const owner = await makeOwner(meridian)
    expectRefusal(await confirm(owner, '123456'), 'account.two_factor_off')
    const setup = await start(owner)
    expectRefusal(await confirm(owner, setup.backup_codes[0] ?? ''), 'account.wrong_code', 'code')
    expectRefusal(await confirm(owner, '  '), 'account.code_required', 'code')
  })

  test('pressed twice at once turns it on once', async () => {
    const owner = await makeOwner(meridian)
    const setup = await start(owner)
    const code = codeOf(setup)
    const answers = await Promise.all([1, 2].map(() => confirm(owner, code)))
    const codes = answers.map((answer) => answer.json().code)
    // The second request is refused, because the code was used or, a moment later, because the second factor is on.
    expect(codes).toContain(undefined)
    expect(codes.join()).toMatch(/account.(wrong_code|two_factor_on)/)
    expect(await ask(owner)).toEqual({ enabled: true, backup_codes_left: 10 })
  })
})

describe('signing in', () => {
  test('asks for the code after the password and gives no session before it', async () => {
    const { owner, setup } = await makeProtected()
    const challenge = await signIn(owner)
    expect([challenge.statusCode, challenge.json()]).toEqual([200, { user: null, two_factor_required: true }])
    const pending = toCookieHeader(challenge)
    expect(await whoIs(pending)).toBeNull()
    expectRefusal(await meridian.as({ cookie: pending }).get('/api/calendars'), 'auth.required')

    const code = codeOf(setup)
    const answer = await complete(pending, ` ${code.slice(0, 3)} ${code.slice(3)} `)
    expect(answer.json()).toMatchObject({ user: { id: owner.id } })
    expect(await whoIs(toCookieHeader(answer))).toMatchObject({ email: owner.email })
    // A challenge can be used only once.
    expectRefusal(await complete(pending, code), 'auth.second_factor_expired')
  })

  test('is for the account whose password was right, whoever is still signed in there', async () => {
    const { owner, setup } = await makeProtected()
    const other = await makeProtected()
    const pending = toCookieHeader(await signIn(owner))
    const both = `${other.owner.cookie}; ${pending}`
    expectRefusal(await complete(both, codeOf(other.setup)), 'account.wrong_code', 'code')
    expect((await complete(both, codeOf(setup))).json()).toMatchObject({ user: { id: owner.id } })
  })

  test('takes each backup code once, however it is typed', async () => {
    const { owner, setup } = await makeProtected()
    const code = setup.backup_codes[3] ?? ''
    const typed = code.replace('-', ' ').toUpperCase()
    expect((await complete(toCookieHeader(await signIn(owner)), typed)).json().user.id).toBe(owner.id)
    expectRefusal(await complete(toCookieHeader(await signIn(owner)), code), 'account.wrong_code', 'code')
    expect(await ask(owner)).toEqual({ enabled: true, backup_codes_left: 9 })
  })

  test('takes five wrong codes, and then the password again', async () => {
    const { owner, setup } = await makeProtected()
    const pending = toCookieHeader(await signIn(owner))
    for (let i = 0; i < 5; i += 1)
      expectRefusal(await complete(pending, '000000'), 'account.wrong_code', 'code')
    expectRefusal(await complete(pending, codeOf(setup)), 'auth.second_factor_expired')
    await letCodesPass(owner)
    expect((await complete(toCookieHeader(await signIn(owner)), codeOf(setup))).statusCode).toBe(200)
  })

  test('is locked for a quarter of an hour after ten wrong codes in a row, for the right one too', async () => {
    const { owner, setup } = await makeProtected()
    for (let challenge = 0; challenge < 2; challenge += 1) {
      const pending = toCookieHeader(await signIn(owner))
      for (let i = 0; i < 5; i += 1) await complete(pending, '000000')
    }
    const locked = await complete(toCookieHeader(await signIn(owner)), codeOf(setup))
    expectRefusal(locked, 'account.code_locked')
    expect(locked.headers['retry-after']).toBe('900')
    meridian.clock.ms += 15 * 60_000
    await letCodesPass(owner)
    expect((await complete(toCookieHeader(await signIn(owner)), codeOf(setup))).statusCode).toBe(200)
  })

  test('keeps its cookies as long as the cookies page says', async () => {
    const { owner, setup } = await makeProtected()
    const challenge = await signIn(owner)
    const answer = await complete(toCookieHeader(challenge), codeOf(setup), true)
    // Ignore deleted cookies: a response also deletes cookies that an earlier response set, by setting an empty value.
    const kept = [challenge, answer].flatMap(({ cookies }) => cookies.filter(({ value }) => value !== ''))
    const maxAges = new Map(kept.map(({ name, maxAge }) => [name, maxAge]))
    const lifetimeOf = (name: string) =>
      BROWSER_STORAGE_ITEMS.find((stored) => stored.name === name)?.lifetime
    for (const [name, seconds, words] of [
      ['meridian.two_factor', 10 * 60, /^10 minutes$/],
      ['meridian.trust_device', 30 * 86_400, /^30 days after the last login$/],
      ['meridian.session_token', 30 * 86_400, /^30 days after the last use/],
    ] as const) {
      expect([name, maxAges.get(name)]).toEqual([name, seconds])
      expect(lifetimeOf(name)).toMatch(words)
    }
  })

  test('without a sign-in before it is refused', async () => {
    expectRefusal(await complete(undefined, '123456'), 'auth.second_factor_expired')
    expectRefusal(await complete('meridian.two_factor=made.up', '123456'), 'auth.second_factor_expired')
  })

  test('asks a trusted browser for the password only, until the others are signed out', async () => {
    const { owner, setup } = await makeProtected()
    const answer = await complete(toCookieHeader(await signIn(owner)), codeOf(setup), true)
    const trust = answer.cookies.find(({ name }) => name.endsWith('trust_device'))
    expect(trust).toMatchObject({ httpOnly: true, maxAge: 30 * 24 * 60 * 60 })
    const again = await signIn(owner, toCookieHeader(answer))
    expect(again.json()).toMatchObject({ user: { id: owner.id } })

    const stranger = await makeProtected()
    expect((await signIn(stranger.owner, toCookieHeader(again))).json()).toMatchObject({ user: null })

    await owner.delete('/api/security/sessions')
    const renewed = await signIn(owner, toCookieHeader(again))
    expect(renewed.json()).toEqual({ user: null, two_factor_required: true })
  })

  test('a password that was reset by a link does not replace the code', async () => {
    const { owner, setup } = await makeProtected()
    await post(undefined, '/api/auth/password-reset-request', { email: owner.email })
    const link = await meridian.waitForMail(
      ({ to, text }) => to.address === owner.email && /token=/.test(text),
    )
    const token = link.text.match(/token=(\S+)/)?.[1] ?? ''
    const password = 'a brand new password'
    const reset = await post(undefined, '/api/auth/password-reset', { token, password })
    expect([reset.statusCode, reset.cookies]).toEqual([200, []])
    const challenge = await signIn(owner, undefined, password)
    expect(challenge.json()).toEqual({ user: null, two_factor_required: true })
    expect((await complete(toCookieHeader(challenge), codeOf(setup))).json().user.id).toBe(owner.id)
  })
})

describe('turning it off', () => {
  test('takes the password and a code, tells the owner, and asks for the password only from then on', async () => {
    const { owner, setup } = await makeProtected()
    const code = codeOf(setup)
    const wrongPassword = await remove(owner, { password: 'not this one', code })
    expectRefusal(wrongPassword, 'account.wrong_password', 'password')
    expectRefusal(
      await remove(owner, { password: TEST_PASSWORD, code: '000000' }),
      'account.wrong_code',
      'code',
    )
    expect(await ask(owner)).toMatchObject({ enabled: true })

    const removed = await remove(owner, { password: TEST_PASSWORD, code })
    expect(removed.json()).toEqual({ enabled: false, backup_codes_left: null })
    await meridian.waitForMail(
      ({ to, subject }) => to.address === owner.email && subject === 'Two-factor authentication is off',
    )
    expect((await signIn(owner)).json().user.id).toBe(owner.id)
    expectRefusal(await remove(owner, { password: TEST_PASSWORD, code }), 'account.two_factor_off')
    // The second factor can be turned on again afterwards.
    expect((await confirm(owner, codeOf(await start(owner)))).statusCode).toBe(200)
  })

  test('can be done with a backup code', async () => {
    const { owner, setup } = await makeProtected()
    const removed = await remove(owner, { password: TEST_PASSWORD, code: setup.backup_codes[0] ?? '' })
    expect(removed.json()).toMatchObject({ enabled: false })
  })

  test('refuses everything after six wrong codes from an open window, where that many are allowed', async () => {
    const { owner, setup } = await makeProtected()
    const proof = { password: TEST_PASSWORD, code: '000000' }
    const codes = []
    for (let i = 0; i < 7; i += 1) codes.push((await remove(owner, proof)).json().code)
    expect(codes).toEqual([...Array(6).fill('account.wrong_code'), 'account.code_locked'])
    const locked = await remove(owner, { ...proof, code: codeOf(setup) })
    expectRefusal(locked, 'account.code_locked')
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(850)
  })
})

describe('a code of the app', () => {
  test('is good once, whatever for; one that was shown before it is not good any more', async () => {
    const owner = await makeOwner(meridian)
    const setup = await start(owner)
    const code = codeOf(setup)
    expect((await confirm(owner, code)).statusCode).toBe(200)
    const pending = toCookieHeader(await signIn(owner))
    expectRefusal(await complete(pending, code), 'account.wrong_code', 'code')
    await letCodesPass(owner)
    const next = totpAt(setup.secret, Date.now() + 30_000)
    expect((await complete(pending, next)).statusCode).toBe(200)
    for (const old of [code, next]) {
      const proof = { password: TEST_PASSWORD, code: old }
      expectRefusal(await post(owner.cookie, '/backup-codes', proof), 'account.wrong_code', 'code')
      expectRefusal(await remove(owner, proof), 'account.wrong_code', 'code')
    }
    expect(await ask(owner)).toEqual({ enabled: true, backup_codes_left: 10 })
  })

  test('used at a sign-in and as a proof at the same moment is good for one of them', async () => {
    const { owner, setup } = await makeProtected()
    const challenges = [toCookieHeader(await signIn(owner)), toCookieHeader(await signIn(owner))]
    const code = codeOf(setup)
    const answers = await Promise.all([
      ...challenges.map((pending) => complete(pending, code)),
      post(owner.cookie, '/backup-codes', { password: TEST_PASSWORD, code }),
    ])
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const refused = answers.filter(({ statusCode }) => statusCode !== 200)
    for (const answer of refused) expectRefusal(answer, 'account.wrong_code', 'code')
  })
})

test('new backup codes replace the old ones', async () => {
  const { owner, setup } = await makeProtected()
  const proof = { password: TEST_PASSWORD, code: codeOf(setup) }
  const wrong = await post(owner.cookie, '/backup-codes', { ...proof, password: 'not this one' })
  expectRefusal(wrong, 'account.wrong_password', 'password')
  const answer = await post(owner.cookie, '/backup-codes', proof)
  const fresh: string[] = answer.json().backup_codes
  expect(new Set([...fresh, ...setup.backup_codes]).size).toBe(20)
  const [old] = setup.backup_codes
  expectRefusal(await complete(toCookieHeader(await signIn(owner)), old ?? ''), 'account.wrong_code', 'code')
  expect((await complete(toCookieHeader(await signIn(owner)), fresh[0] ?? '')).statusCode).toBe(200)
  await meridian.waitForMail(({ subject }) => subject === 'Your backup codes were replaced')
})

test('wrong passwords are counted for the account, whichever address they come from', async () => {
  const owner = await makeOwner(meridian)
  const attempt = (password: string, i: number) =>
    meridian.request({
      method: 'POST',
      url: '/api/security/two-factor',
      cookie: owner.cookie,
      payload: { password },
      remoteAddress: `198.51.100.${i}`,
    })
  for (let i = 0; i < 6; i += 1) expectRefusal(await attempt('not this one', i), 'account.wrong_password')
  const refused = await attempt(TEST_PASSWORD, 11)
  expectRefusal(refused, 'request.too_many')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(850)
})

test('secrets and codes are stored encrypted and never logged', async () => {
  const { owner, setup } = await makeProtected()
  const code = codeOf(setup)
  await complete(toCookieHeader(await signIn(owner)), code)
  const { rows } = await meridian.database.execute('select * from two_factors where user_id = $1', [owner.id])
  const kept = `${JSON.stringify(rows)}${meridian.logLines.join('')}`
  for (const secret of [setup.secret, ...setup.backup_codes, `"${code}"`]) expect(kept).not.toContain(secret)
})

function codeOf({ secret }: TwoFactorSetup): string {
  return totpAt(secret, Date.now())
}

/** Creates an owner whose second factor is on. */
async function makeProtected(): Promise<{ owner: TestOwner; setup: TwoFactorSetup }> {
  const owner = await makeOwner(meridian)
  const setup = await start(owner)
  const confirmed = await confirm(owner, codeOf(setup))
  expect(confirmed.statusCode, confirmed.body).toBe(200)
  await letCodesPass(owner)
  return { owner, setup }
}

/** Makes the codes used so far look old, so that the test does not wait half a minute for the next code. */
async function letCodesPass({ id }: TestOwner): Promise<void> {
  await meridian.database.execute('update two_factors set last_used_step = null where user_id = $1', [id])
}

async function start({ cookie }: TestOwner): Promise<TwoFactorSetup> {
  const answer = await post(cookie, '', { password: TEST_PASSWORD })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

function confirm({ cookie }: TestOwner, code: string) {
  return post(cookie, '/confirmation', { code })
}

function remove({ cookie }: TestOwner, proof: { password: string; code: string }) {
  return post(cookie, '/removal', proof)
}

async function ask({ cookie }: TestOwner): Promise<unknown> {
  return (await meridian.as({ cookie }).get('/api/security/two-factor')).json()
}

function signIn({ email }: TestOwner, cookie?: string, password: string = TEST_PASSWORD) {
  return post(cookie, '/api/auth/sign-in', { email, password })
}

function complete(cookie: string | undefined, code: string, trust_device = false) {
  return post(cookie, '/api/auth/two-factor', { code, trust_device })
}

/** Sends a request. `path` is relative to the routes of the second factor, unless it begins with /api. */
function post(cookie: string | undefined, path: string, payload: object) {
  const url = path.startsWith('/api') ? path : `/api/security/two-factor${path}`
  return meridian.as({ cookie }).post(url, payload)
}

async function whoIs(cookie: string): Promise<unknown> {
  return (await meridian.as({ cookie }).get('/api/auth/session')).json().user
}
