import { expect, test } from 'vitest'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeOwner, TEST_PASSWORD, type TestOwner } from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'

// Use the product's rate limits, except for logins, which the tests need to create their users.
setUpMeridian({ env: { BUDGETS: 'login_client=1000' } })

const DAY_MS = 24 * 60 * 60 * 1000
const RESET = 'Reset your password'
const CONFIRM = 'Confirm your email address'
let clients = 0
let addresses = 0

test('120 requests for a new password, of many clients, bring one victim ten emails in a day, and answer as always', async () => {
  const { email } = await makeOwner(meridian)
  const answers = new Set<string>()
  for (let i = 0; i < 120; i += 1) answers.add((await askForPassword(email)).body)
  expect([...answers]).toEqual(['{"ok":true}'])
  await settle()
  expect(subjectsTo(email)).toEqual(Array(10).fill(RESET))
  meridian.clock.ms += DAY_MS
  await askForPassword(email)
  await settle()
  expect(subjectsTo(email)).toHaveLength(11)
})

test('one client brings one victim six emails in a day, however the address is written', {
  tags: ['slow'],
}, async () => {
  const { email } = await makeOwner(meridian)
  const remoteAddress = newClient()
  for (let i = 0; i < 12; i += 1) await askForPassword(email, { remoteAddress })
  const victim = newAddress()
  for (let i = 0; i < 12; i += 1) {
    await register(i % 2 === 0 ? victim : victim.replace('@', `+${i}@`), { remoteAddress })
  }
  await settle()
  expect(subjectsTo(email)).toHaveLength(6)
  const toVictim = meridian.mails.filter(({ to }) =>
    to.address.startsWith(victim.slice(0, victim.indexOf('@'))),
  )
  expect(toVictim).toHaveLength(6)
})

test('a client is refused its 31st registration and its 31st request for a new password in an hour', {
  tags: ['slow'],
}, async () => {
  const remoteAddress = newClient()
  const statuses: number[] = []
  for (let i = 0; i < 31; i += 1) {
    statuses.push((await askForPassword(newAddress(), { remoteAddress })).statusCode)
  }
  expect(statuses).toEqual([...Array(30).fill(200), 429])
  const refused: unknown[] = []
  for (let i = 0; i < 31; i += 1) refused.push((await register(newAddress(), { remoteAddress })).statusCode)
  expect(refused).toEqual([...Array(30).fill(200), 429])
})

test('a registration that may not be mailed changes nothing: the link that was mailed last stays good', {
  tags: ['slow'],
}, async () => {
  const email = newAddress()
  for (let i = 0; i < 10; i += 1) {
    await register(email, { password: `password number ${i}` })
    // Wait after each registration: if they ran at the same time, none of them would be the last one.
    await settle()
  }
  expect(subjectsTo(email)).toHaveLength(10)
  const answer = await register(email, { password: 'the password of nobody' })
  expect(answer.body).toBe('{"ok":true}')
  await settle()
  expect(subjectsTo(email)).toHaveLength(10)
  const token = tokensTo(email).at(-1)
  const confirmed = await post('email-verification', { token })
  expect(confirmed.json()).toEqual({ ok: true, user: null })
  expectRefusal(await signIn(email, 'the password of nobody'), 'auth.email_not_verified')
  expect((await signIn(email, 'password number 9')).json()).toMatchObject({ user: { email } })
})

test('logins with an unconfirmed address have its link sent again within the same limit', async () => {
  const email = newAddress()
  const remoteAddress = newClient()
  await register(email, { remoteAddress })
  for (let i = 0; i < 12; i += 1) {
    expectRefusal(await signIn(email, TEST_PASSWORD, remoteAddress), 'auth.email_not_verified')
  }
  await settle()
  expect(subjectsTo(email)).toEqual(Array(6).fill(CONFIRM))
})

test('whoever uses up the emails of an owner does not keep them from a link on a device where they logged in', async () => {
  const owner = await makeOwner(meridian)
  for (let i = 0; i < 40; i += 1) await askForPassword(owner.email)
  await settle()
  expect(subjectsTo(owner.email)).toHaveLength(10)
  for (let i = 0; i < 8; i += 1) await askForPassword(owner.email, { cookie: owner.cookie })
  await settle()
  expect(subjectsTo(owner.email)).toHaveLength(16)
  const password = 'a brand new password'
  const reset = await post('password-reset', { token: tokensTo(owner.email).at(-1), password })
  expect(reset.statusCode, reset.body).toBe(200)
})

test('owners who ask for an address that is not theirs bring its reader ten emails in a day', async () => {
  const victim = newAddress()
  const owners = await Promise.all(Array.from({ length: 12 }, () => makeOwner(meridian)))
  for (const owner of owners) {
    expect((await changeAddress(owner, victim)).json()).toMatchObject({ pending_email: victim })
  }
  await settle()
  expect(subjectsTo(victim)).toEqual(Array(10).fill('Confirm your new email address'))
})

test('one owner asks for ten other addresses in a day', async () => {
  const owner = await makeOwner(meridian)
  for (let i = 0; i < 10; i += 1) expect((await changeAddress(owner, newAddress())).statusCode).toBe(200)
  const refused = newAddress()
  expectRefusal(await changeAddress(owner, refused), 'request.too_many')
  await settle()
  expect(subjectsTo(refused)).toEqual([])
  expect(subjectsTo(owner.email)).toHaveLength(10)
})

test('an address without an account leaves no count of its emails', async () => {
  await meridian.database.execute('delete from budget_uses')
  for (let i = 0; i < 5; i += 1) await askForPassword(newAddress())
  await settle()
  const { rows } = await meridian.database.execute(
    `select key from budget_uses where key not like 'password_resets_client:%'`,
  )
  expect(rows).toEqual([])
})

/** Waits until the jobs for the requests have ended, whether or not they sent emails. */
function settle(): Promise<void> {
  return waitUntil(async () => {
    const { rows } = await meridian.database.execute(
      `select count(*)::integer as open from pgboss.job where name like 'account-%' and state <> 'completed'`,
    )
    return rows[0]?.open === 0 || `${rows[0]?.open} open jobs`
  })
}

type From = { readonly remoteAddress?: string; readonly cookie?: string }

function askForPassword(email: string, from: From = {}) {
  return post('password-reset-request', { email }, from)
}

function register(email: string, { password = TEST_PASSWORD, ...from }: From & { password?: string } = {}) {
  return post('sign-up', { full_name: 'Vera', email, password }, from)
}

function signIn(email: string, password: string, remoteAddress = newClient()) {
  return post('sign-in', { email, password }, { remoteAddress })
}

function changeAddress({ cookie }: TestOwner, email: string) {
  const payload = { email, current_password: TEST_PASSWORD }
  return meridian.as({ cookie }).patch('/api/profile', payload)
}

function post(path: string, payload: object, { remoteAddress = newClient(), cookie }: From = {}) {
  return meridian.request({ method: 'POST', url: `/api/auth/${path}`, payload, remoteAddress, cookie })
}

function subjectsTo(email: string): string[] {
  return meridian.mails.filter(({ to }) => to.address === email).map(({ subject }) => subject)
}

function tokensTo(email: string): string[] {
  return meridian.mails
    .filter(({ to }) => to.address === email)
    .map(({ text }) => decodeURIComponent(/token=(\S+)/.exec(text)?.[1] ?? ''))
}

function newClient(): string {
  clients += 1
  return `198.51.${100 + Math.floor(clients / 250)}.${clients % 250}`
}

function newAddress(): string {
  addresses += 1
  return `limited-${addresses}@example.com`
}
