import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDemoLogin } from '#server/app/demo-account.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeOwner, TEST_PASSWORD, type TestOwner, waitFor } from '#tests/support/meridian.ts'
import { recordStatements } from '#tests/support/record-statements.ts'

/** Number of rows per table: enough that reading all of them costs more than using an index. */
const ROWS = 5_000
const TABLES = [
  'profiles',
  'accounts',
  'sessions',
  'verifications',
  'registrations',
  'two_factors',
  'budget_uses',
]

const recorder = recordStatements()

setUpMeridian()
beforeAll(async () => {
  await fillTables()
})
afterAll(async () => {
  recorder.stop()
})

test('nothing that is asked about an account reads all of them, whatever is done with it', {
  tags: ['slow'],
}, async () => {
  const owner = await makeOwner(meridian)
  const statements = await recorder.during(() => doEverything(owner))
  const texts = [...new Set(statements.map(({ text }) => text))].filter(isAboutAccounts)
  expect(texts.some((text) => /from "profiles".*"email" = \$/s.test(text))).toBe(true)
  expect(texts.length).toBeGreaterThan(30)
  const scans: string[] = []
  for (const text of texts) {
    const { rows } = await meridian.database.execute(`explain (generic_plan) ${text}`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    if (TABLES.some((table) => plan.includes(`Seq Scan on ${table}`))) scans.push(`${text}\n${plan}`)
  }
  expect(scans).toEqual([])
})

test('an address is stored in small letters only, and once', async () => {
  const { email } = await makeOwner(meridian)
  const insert = `insert into profiles (id, email, full_name) values (gen_random_uuid(), $1, 'Ada')`
  await expect(meridian.database.execute(insert, [email])).rejects.toThrow('profiles_email_key')
  const capital = `Capital.${email}`
  await expect(meridian.database.execute(insert, [capital])).rejects.toThrow(
    'profiles_email_in_small_letters',
  )
})

/** Calls every operation that looks up an account: by its address, by its id, and by the token in an email. */
async function doEverything(owner: TestOwner): Promise<void> {
  const { cookie, email } = owner
  await findDemoLogin(meridian.database.db)
  const registered = 'many-registered@example.com'
  await post('sign-up', { full_name: 'Ada', email: registered, password: TEST_PASSWORD })
  await post('email-verification', { token: await linkTo(registered, 'Confirm your email address') })
  await post('sign-up', { full_name: 'Ada', email, password: TEST_PASSWORD })
  await post('sign-in', { email, password: 'wrong password' })
  await post('sign-in', { email, password: TEST_PASSWORD }, cookie)
  await post('password-reset-request', { email })
  const token = await linkTo(email, 'Reset your password')
  const password = 'a brand new password'
  await post('password-reset', { token, password })
  const signedIn = await post('sign-in', { email, password })
  const session = signedIn.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
  const moved = 'many-moved@example.com'
  const change = { email: moved, current_password: password }
  await meridian.as({ cookie: session }).patch('/api/profile', change)
  await post('email-change', { token: await linkTo(moved, 'Confirm your new email address') })
  await meridian.as({ cookie: session }).delete('/api/security/sessions')
  const gone = await meridian.request({
    method: 'DELETE',
    url: '/api/profile',
    cookie: session,
    payload: { password },
  })
  expect(gone.statusCode, gone.body).toBe(204)
}

function isAboutAccounts(text: string): boolean {
  const names = TABLES.join('|')
  return (
    /^\s*(select|insert|update|delete)/i.test(text) &&
    new RegExp(`\\b(from|join|into|update)\\s+"?(${names})"?\\b`, 'i').test(text) &&
    !/pgboss/.test(text)
  )
}

async function fillTables(): Promise<void> {
  const { execute } = meridian.database
  const numbers = `from generate_series(1, ${ROWS}) as i`
  await execute(`insert into profiles (id, email, full_name, email_verified)
    select gen_random_uuid(), 'many-' || i || '@example.com', 'Somebody', true ${numbers}`)
  await execute(`insert into accounts (id, user_id, account_id, provider_id, password)
    select gen_random_uuid(), id, id, 'credential', 'hash' from profiles`)
  await execute(`insert into sessions (id, user_id, token, expires_at)
    select gen_random_uuid(), id, id, now() + interval '1 day' from profiles`)
  await execute(`insert into verifications (id, identifier, value, expires_at)
    select gen_random_uuid(), 'trust-' || id, id, now() + interval '1 day' from profiles`)
  await execute(`insert into two_factors (id, user_id, secret, backup_codes)
    select gen_random_uuid(), id, 's', 'c' from profiles`)
  await execute(`insert into registrations (id, number, email, full_name, password)
    select gen_random_uuid(), 1, 'new-' || i || '@example.com', 'Somebody', 'hash' ${numbers}`)
  await execute(`insert into budget_uses (key, used, ends_at)
    select 'login_account:' || i, 1, now() + interval '1 day' ${numbers}`)
  await execute('analyze')
}

async function linkTo(email: string, subject: string): Promise<string> {
  const mail = await waitFor(() =>
    meridian.mails.find((one) => one.to.address === email && one.subject === subject),
  )
  return decodeURIComponent(/token=(\S+)/.exec(mail.text)?.[1] ?? '')
}

async function post(path: string, payload: object, cookie?: string) {
  const answer = await meridian.as({ cookie }).post(`/api/auth/${path}`, payload)
  expect(answer.statusCode, answer.body).toBeLessThan(402)
  return answer
}
