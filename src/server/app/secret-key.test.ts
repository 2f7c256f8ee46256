import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withProviderAccess } from '#server/areas/external-calendars/connections/access-use-cases.ts'
import { toPaypalSecretPurpose } from '#server/areas/payments/accounts/use-cases.ts'
import type { Database } from '#server/platform/db/database.ts'
import {
  type ConnectedOwner,
  makeConnectedOwner,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import {
  bookAppointment,
  startMeridian,
  TEST_PASSWORD,
  type TestMeridian,
  type TestOwner,
  toCookieHeader,
} from '#tests/support/meridian.ts'
import { makeQuestion } from '#tests/support/questions.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { totpAt } from '#tests/support/totp.ts'
import { acceptLostKey, listLostSecrets } from './accept-lost-key.ts'
import { readConfig } from './config.ts'
import { getSecretKeys } from './secret-key.ts'
import { STORED_SECRETS } from './stored-secrets.ts'

const FIRST = 'the first key of this installation'
const SECOND = 'the second key of this installation'
const THIRD = 'a third key that nobody used before'
const google = makeFakeCalendarProvider({ hasPush: false })

/** The installation's data before its key changed. */
type Before = {
  readonly connected: ConnectedOwner
  readonly owner: TestOwner
  readonly authenticator: { readonly secret: string; readonly backup_codes: string[] }
  readonly answersPath: string
  readonly manageLink: string
  readonly stopLink: string
  readonly feedUrl: string
}

let database: Database
let meridian: TestMeridian
let before: Before

beforeEach(async () => {
  database = await openTestDatabase()
  await restart({ SECRET_KEY: FIRST })
  before = await fillInstallation()
})
afterEach(async () => {
  await meridian.stop()
  await database.close()
})

test('a changed key: codes, backup codes, sessions, links and stored credentials go on, also without the previous key', async () => {
  const sealed = await readStoredSecrets()
  const nameOfGrace = meridian.deps.recipientKeys.keyOf('grace@example.com')
  await meridian.stop()
  await restart({ SECRET_KEY: SECOND, SECRET_KEY_PREVIOUS: FIRST })
  expect(meridian.logLines.join('')).toContain('SECRET_KEY has changed')

  expect((await logInWithCode(totp())).statusCode).toBe(200)
  expect((await logInWithCode(before.authenticator.backup_codes[0] ?? '')).statusCode).toBe(200)
  const session = await request('GET', '/api/auth/session', before.owner.cookie)
  expect(session.json()).toMatchObject({ user: { id: before.owner.id } })
  expect((await request('GET', `/api/public/manage/${before.manageLink}`)).statusCode).toBe(200)
  expect((await stopEmails(before.stopLink)).statusCode).toBe(204)
  await expectStoredSecretsInUse()
  // Every stored secret has been re-encrypted.
  for (const stored of await readStoredSecrets()) expect(sealed).not.toContain(stored)
  const renewed = await readStoredSecrets()
  const linked = meridian.deps.manageLinks.read(before.manageLink)
  const freshLink = meridian.deps.manageLinks.tokenOf(linked ?? { appointmentId: '', rotation: 0 })
  expect(freshLink).not.toBe(before.manageLink)

  await meridian.stop()
  await restart({ SECRET_KEY: SECOND })
  expect(await readStoredSecrets()).toEqual(renewed)
  expect((await logInWithCode(totp())).statusCode).toBe(200)
  expect((await logInWithCode(before.authenticator.backup_codes[1] ?? '')).statusCode).toBe(200)
  await expectStoredSecretsInUse()
  expect((await request('GET', `/api/public/manage/${freshLink}`)).statusCode).toBe(200)
  // Links of the previous key no longer work.
  expect((await request('GET', `/api/public/manage/${before.manageLink}`)).statusCode).toBe(404)
  // The recipients who unsubscribed from our emails are still recognised.
  expect(meridian.deps.recipientKeys.keyOf('grace@example.com')).toBe(nameOfGrace)
  const { rows } = await database.execute('select standing from email_recipients where recipient_key = $1', [
    nameOfGrace,
  ])
  expect(rows).toEqual([{ standing: 'stopped' }])
})

test('with another key nothing starts and nothing is changed, and the sentence says what to do', async () => {
  const sealed = await readStoredSecrets()
  await meridian.stop()
  for (const env of [{ SECRET_KEY: SECOND }, { SECRET_KEY: SECOND, SECRET_KEY_PREVIOUS: THIRD }]) {
    await expect(restart(env)).rejects.toThrow(
      /^SECRET_KEY is not the key that this database was used with\. Start with that key\..*SECRET_KEY_PREVIOUS.*accept-lost-key/,
    )
  }
  expect(await readStoredSecrets()).toEqual(sealed)
  await restart({ SECRET_KEY: FIRST })
  expect((await logInWithCode(totp())).statusCode).toBe(200)
})

test('a database of an earlier version is opened with its key only, and then belongs to it', async () => {
  await meridian.stop()
  await database.execute('delete from installation')
  await expect(restart({ SECRET_KEY: SECOND })).rejects.toThrow('SECRET_KEY is not the key')
  await restart({ SECRET_KEY: FIRST })
  await meridian.stop()
  await expect(restart({ SECRET_KEY: SECOND })).rejects.toThrow('SECRET_KEY is not the key')
  await database.execute('delete from installation')
  await restart({ SECRET_KEY: SECOND, SECRET_KEY_PREVIOUS: FIRST })
  expect((await logInWithCode(totp())).statusCode).toBe(200)
  expect(meridian.deps.recipientKeys.findKey(before.stopLink)).toBe(
    meridian.deps.recipientKeys.keyOf('grace@example.com'),
  )
})

test('a lost key is accepted by the operator: owners log in without the second factor and read about it', async () => {
  await meridian.stop()
  const lost = { current: SECOND, previous: null }
  expect((await listLostSecrets(database.db, lost)).join('\n')).toMatch(
    /1 second factors:.*1 connected calendar accounts.*1 PayPal apps.*1 secret addresses.*accept-lost-key yes/s,
  )
  await acceptLostKey({ db: database.db, jobs: meridian.jobs }, lost)
  await restart({ SECRET_KEY: SECOND })
  const login = await logIn()
  expect(login.json()).toMatchObject({ user: { id: before.owner.id } })
  await meridian.waitForMail(
    ({ to, subject }) => to.address === before.owner.email && /two-factor/i.test(subject),
  )
  const feed = await request(
    'GET',
    `/api/calendars/${before.connected.calendarId}/feed`,
    toCookieHeader(login),
  )
  expect(feed.json()).toEqual({ url: null })
  await expect(
    withProviderAccess(meridian.deps, before.connected.connectionId, async () => {}),
  ).rejects.toMatchObject({
    kind: 'expired',
  })
})

test('what the previous key opens is not lost: it is not counted, and stays when the operator accepts the loss', async () => {
  const nameOfGrace = meridian.deps.recipientKeys.keyOf('grace@example.com')
  await meridian.stop()
  const sealed = await readStoredSecrets()
  const keys = { current: SECOND, previous: FIRST }
  expect(await listLostSecrets(database.db, keys)).toEqual([
    'Nothing is lost: the keys of the settings open everything in this database. Start Meridian.',
  ])
  await database.execute('update calendar_feeds set token_encrypted = $1', [Buffer.alloc(60)])
  expect((await listLostSecrets(database.db, keys)).join('\n')).toMatch(
    /0 second factors:.*0 connected calendar accounts.*0 PayPal apps.*1 secret addresses(?!.*every link)/s,
  )
  expect((await readStoredSecrets()).filter((secret) => sealed.includes(secret))).toHaveLength(
    sealed.length - 1,
  )
  await acceptLostKey({ db: database.db, jobs: meridian.jobs }, keys)
  await restart({ SECRET_KEY: SECOND })
  expect((await logInWithCode(totp())).statusCode).toBe(200)
  expect(meridian.deps.recipientKeys.keyOf('grace@example.com')).toBe(nameOfGrace)
})

test('a second factor that cannot be decrypted is refused in a sentence, for codes, backup codes and its settings', async () => {
  await database.execute(`update two_factors set secret = $1, backup_codes = $1 where user_id = $2`, [
    '00'.repeat(60),
    before.owner.id,
  ])
  expectRefusal(await logInWithCode(totp()), 'account.second_factor_unreadable')
  expectRefusal(
    await logInWithCode(before.authenticator.backup_codes[0] ?? ''),
    'account.second_factor_unreadable',
  )
  const shown = await request('GET', '/api/security/two-factor', before.owner.cookie)
  expect(shown.json()).toEqual({ enabled: true, backup_codes_left: 0 })
  const code = totp()
  const removed = await request('POST', '/api/security/two-factor/removal', before.owner.cookie, {
    password: TEST_PASSWORD,
    code,
  })
  expectRefusal(removed, 'account.second_factor_unreadable')
})

test('everything that a column keeps encrypted is encrypted anew', async () => {
  const { rows } = await database.execute(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and (column_name like '%_encrypted' or table_name = 'two_factors' and data_type = 'text')
      order by name`,
  )
  const known = STORED_SECRETS.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map(({ name }) => name)).toEqual([...known, 'installation.names_key_encrypted'].sort())
})

test('a key that was made in the data directory and is gone is not replaced in silence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-key-'))
  const config = readConfig({ DATA_DIR: folder })
  await expect(getSecretKeys(config, database.db)).rejects.toThrow(
    `The key of this database is missing: ${join(folder, 'secret-key')}`,
  )
  expect(await readdir(folder)).toEqual([])
  await database.execute('delete from installation')
  const { current } = await getSecretKeys(config, database.db)
  expect(await getSecretKeys(config, database.db)).toEqual({ current, previous: null })
  await rm(folder, { recursive: true })
})

/** Restarts the product on the same database with these settings. */
async function restart(env: Record<string, string>): Promise<void> {
  const kept = { ...database, close: async () => {} }
  meridian = await startMeridian({ database: kept, calendarProviders: { google }, env })
}

/** Creates an owner with a second factor, provider credentials, and a customer who has links from emails. */
async function fillInstallation(): Promise<Before> {
  const connected = await makeConnectedOwner(meridian, 'edith')
  const { owner, calendarId, slug } = connected
  await waitUntilCalendarJobsFinish(meridian)
  const paypalSecret = meridian.deps.secrets.seal('a PayPal secret', toPaypalSecretPurpose(calendarId))
  await database.db
    .insertInto('payment_settings')
    .values({
      calendar_id: calendarId,
      paypal_client_id: 'app',
      paypal_client_secret_encrypted: paypalSecret,
    })
    .execute()
  const feed = await request('POST', `/api/calendars/${calendarId}/feed`, owner.cookie)
  const question = makeQuestion('What brings you here?', { is_private: true })
  await meridian.as(owner).put(`/api/calendars/${calendarId}/questions`, { questions: [question] })
  const answers = [{ question_id: question.id, value: ['A private answer'] }]
  const booked = await bookAppointment(meridian, slug, { answers })
  expect(booked.statusCode, booked.body).toBe(201)
  const { text } = await meridian.waitForMail(({ to }) => to.address === 'grace@example.com')
  const setup = await request('POST', '/api/security/two-factor', owner.cookie, { password: TEST_PASSWORD })
  const authenticator = setup.json()
  const confirmed = await request('POST', '/api/security/two-factor/confirmation', owner.cookie, {
    code: totpAt(authenticator.secret, Date.now()),
  })
  expect(confirmed.statusCode, confirmed.body).toBe(200)
  return {
    connected,
    owner,
    authenticator,
    answersPath: `/api/calendars/${calendarId}/appointments/${booked.json().id}/answers`,
    manageLink: /\/manage\/([\w-]{44})/.exec(text)?.[1] ?? '',
    stopLink: meridian.deps.recipientKeys.linkOf('grace@example.com'),
    feedUrl: feed.json().url,
  }
}

/** Expects that all areas can still read the secrets that they stored. */
async function expectStoredSecretsInUse(): Promise<void> {
  const { calendarId, connectionId, owner } = before.connected
  const credentials = await withProviderAccess(
    meridian.deps,
    connectionId,
    async (_, access) => access.credentials,
  )
  expect(credentials).toContain('edith')
  const row = await database.db
    .selectFrom('payment_settings')
    .select('paypal_client_secret_encrypted as sealed')
    .executeTakeFirstOrThrow()
  expect(meridian.deps.secrets.open(row.sealed as Buffer, toPaypalSecretPurpose(calendarId))).toBe(
    'a PayPal secret',
  )
  const cookie = toCookieHeader(await logInWithCode(totp()))
  expect((await request('GET', `/api/calendars/${calendarId}/feed`, cookie)).json()).toEqual({
    url: before.feedUrl,
  })
  const { answers } = (await request('GET', before.answersPath, cookie)).json()
  expect(answers).toMatchObject([{ value: ['A private answer'] }])
  expect(owner.id).toBe(before.owner.id)
}

async function readStoredSecrets(): Promise<string[]> {
  const values: string[] = []
  for (const { table, column } of STORED_SECRETS) {
    const { rows } = await database.execute(`select ${column}::text as stored from ${table}`)
    values.push(...rows.map(({ stored }) => String(stored)))
  }
  return values
}

function logIn() {
  return request('POST', '/api/auth/sign-in', undefined, {
    email: before.owner.email,
    password: TEST_PASSWORD,
  })
}

/** Logs in with password and code. Resets used app codes, because a test does not wait for the next code. */
async function logInWithCode(code: string) {
  await database.execute('update two_factors set last_used_step = null')
  const challenge = await logIn()
  expect(challenge.json()).toMatchObject({ two_factor_required: true })
  return request('POST', '/api/auth/two-factor', toCookieHeader(challenge), { code, trust_device: false })
}

function totp(): string {
  return totpAt(before.authenticator.secret, Date.now())
}

function stopEmails(token: string) {
  return request('POST', '/api/public/email-stops', undefined, { link: token })
}

function request(method: 'GET' | 'POST', url: string, cookie?: string, payload?: Record<string, unknown>) {
  return meridian.request({ method, url, cookie, ...(payload === undefined ? {} : { payload }) })
}
