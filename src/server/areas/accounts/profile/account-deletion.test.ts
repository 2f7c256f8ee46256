import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { CalendarLocation } from '#contract/availability/locations.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_PASSWORD,
  type TestOwner,
  toCookieHeader,
} from '#tests/support/meridian.ts'
import { waitUntilEmailsSent } from '#tests/support/race-track.ts'
import {
  addAppointment,
  addAppointmentType,
  addLocation,
  setPrimaryLocation,
} from '#tests/support/stored-rows.ts'

setUpOwner({
  env: { BUDGETS: `${GENEROUS_BUDGETS},proof_password=6` },
  owner: { name: 'Ada Lovelace', tier: 'business' },
})
// Clear the counts, because logins of one test must not use up the low limit for the next test.
beforeEach(() => meridian.database.execute('delete from budget_uses'))

test('a wrong password deletes nothing, and passwords cannot be tried without end', async () => {
  await makeCalendar(meridian, owner, { name: 'Kept' })
  for (let i = 0; i < 6; i += 1) {
    const answer = await deleteAccount(owner, 'not the password')
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({
      code: 'account.wrong_password',
      errors: [{ path: 'password', message: PROBLEMS['account.wrong_password'].title }],
    })
  }
  // Even the correct password is rejected unchecked, so that an attacker cannot tell that the guess was correct.
  expect((await deleteAccount(owner, TEST_PASSWORD)).json()).toMatchObject({ code: 'request.too_many' })
  const kept = await owner.get('/api/calendars')
  expect(kept.json().calendars).toHaveLength(1)
})

test('wrong passwords are counted together, wherever they are tried; saving the rest of a profile is not counted', async () => {
  const guessed = await makeOwner(meridian)
  const guess = { email: 'moved@example.com', current_password: 'not the password' }
  const change = { current_password: 'not the password', new_password: 'a brand new password' }
  for (let i = 0; i < 2; i += 1) {
    const answers = [
      await deleteAccount(guessed, 'not the password'),
      await ask(guessed, 'PATCH', '/api/profile', guess),
      await ask(guessed, 'POST', '/api/security/password', change),
    ]
    expect(answers.map((answer) => answer.json().code)).toEqual(Array(3).fill('account.wrong_password'))
  }
  const refused = [
    await deleteAccount(guessed, TEST_PASSWORD),
    await ask(guessed, 'PATCH', '/api/profile', { ...guess, current_password: TEST_PASSWORD }),
    await ask(guessed, 'POST', '/api/security/password', { ...change, current_password: TEST_PASSWORD }),
  ]
  for (const answer of refused) {
    expect(answer.json()).toMatchObject({ code: 'request.too_many' })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(850)
  }
  for (let i = 0; i < 8; i += 1) {
    const saved = await ask(guessed, 'PATCH', '/api/profile', { phone: `555 010${i}` })
    expect(saved.statusCode, saved.body).toBe(200)
  }
})

test('everything of the owner goes, customers and owner are told, and others keep what is theirs', async () => {
  const { db } = meridian.database
  const leaving = await makeOwner(meridian, { name: 'Grace Hopper', tier: 'business' })
  const calendars = [
    await makeCalendar(meridian, leaving, { name: 'First' }),
    await makeCalendar(meridian, leaving, { name: 'Second' }),
  ]
  const [first, second] = calendars
  if (first === undefined || second === undefined) throw new Error('no calendars')
  const customer = { name: 'Alan Turing', email: 'alan@example.com' }
  await bookAppointment(meridian, first.slug, { customer })
  await bookAppointment(meridian, second.slug, {
    customer: { name: 'Joan Clarke', email: 'joan@example.com' },
  })
  await addAppointment(meridian, first.id, { startsAt: '2020-01-06T09:00:00Z' })
  await addAppointmentType(meridian, first.id)
  await sql`insert into two_factors (id, user_id, secret, backup_codes)
    values (${randomUUID()}, ${leaving.id}, 's', 'c')`.execute(db)
  await sql`insert into payment_transactions (calendar_id, id, amount_cents, provider, status)
    values (${first.id}, ${randomUUID()}, 4000, 'manual', 'completed')`.execute(db)
  await ask(leaving, 'PATCH', '/api/profile', {
    email: 'elsewhere@example.com',
    current_password: TEST_PASSWORD,
  })

  // Another owner uses a location that the leaving owner shared with them.
  const shared = await addLocation(meridian, leaving, { shareable: true })
  const other = await makeOwner(meridian, { name: 'Some Neighbour', tier: 'business' })
  const practice = await makeCalendar(meridian, other, { name: 'Neighbour' })
  await setPrimaryLocation(meridian, practice.id, shared)
  const kept = await addAppointment(meridian, practice.id, {
    startsAt: '2027-01-05T09:00:00Z',
    location_id: shared,
    location_name: 'Harley Street',
    location_address: '12 Harley Street',
  })

  const answer = await deleteAccount(leaving, TEST_PASSWORD)
  expect(answer.statusCode, answer.body).toBe(204)
  // The response also makes the browser delete its session cookie.
  const [cookie] = answer.cookies.filter(({ name }) => name === 'meridian.session_token')
  expect(cookie).toMatchObject({ value: '', maxAge: 0 })
  const [device] = answer.cookies.filter(({ name }) => name === 'meridian.known_device')
  expect(device).toMatchObject({ value: '', maxAge: 0, path: '/api' })

  expect(await rowsOf(leaving.id, [first.id, second.id])).toEqual({ payment_transactions: 1 })
  for (const address of [customer.email, 'joan@example.com']) {
    const mail = await meridian.waitForMail(
      ({ to, subject }) => to.address === address && /cancel/i.test(subject),
    )
    expect(mail.attachments).not.toEqual([])
  }
  const goodbye = await meridian.waitForMail(
    ({ to, subject }) => to.address === leaving.email && subject === 'Your account is deleted',
  )
  expect(goodbye.text).toContain('Hello Grace Hopper,')

  const appointment = await db
    .selectFrom('appointments')
    .select(['location_id', 'location_name', 'location_address', 'status'])
    .where('id', '=', kept)
    .executeTakeFirstOrThrow()
  expect(appointment).toEqual({
    location_id: shared,
    location_name: 'Harley Street',
    location_address: '12 Harley Street',
    status: 'confirmed',
  })
  expect((await meridian.get(`/api/public/calendars/${first.slug}`)).statusCode).toBe(404)
  const again = await ask(other, 'POST', '/api/calendars', { name: 'Again', slug: first.slug })
  expect(again.json()).toMatchObject({ code: 'calendar.slug_taken' })
  expect((await ask(leaving, 'GET', '/api/profile')).statusCode).toBe(401)
  expect((await ask(leaving, 'GET', '/api/calendars')).statusCode).toBe(401)
  const session = await leaving.get('/api/auth/session')
  expect(session.json()).toEqual({ user: null })
})

test('a calendar of somebody else that used its places keeps a primary one, be it the last by name', async () => {
  const leaving = await makeOwner(meridian, { name: 'Grace Hopper' })
  const practice = await makeCalendar(meridian, owner, { name: 'Neighbour' })
  for (const name of ['A', 'B', 'C']) {
    const sharing_code = `7gkm2-x9wq${name.toLowerCase()}`
    await addLocation(meridian, leaving, { name, shareable: true, sharing_code })
    await ask(owner, 'POST', `/api/calendars/${practice.id}/locations`, { sharing_code })
  }
  await ask(owner, 'POST', `/api/calendars/${practice.id}/locations`, { name: 'Own' })
  const places = async () =>
    (await ask(owner, 'GET', `/api/calendars/${practice.id}/locations`))
      .json()
      .calendar_locations.map(({ is_primary, location }: CalendarLocation) => [location.name, is_primary])
  expect(await places()).toEqual([
    ['A', true],
    ['B', false],
    ['C', false],
    ['Own', false],
  ])
  expect((await deleteAccount(leaving, TEST_PASSWORD)).statusCode).toBe(204)
  expect(await places()).toEqual([['Own', true]])
})

test('pressed twice at the same moment, it is done once', async () => {
  const leaving = await makeOwner(meridian)
  await makeCalendar(meridian, leaving)
  const answers = await Promise.all([1, 2].map(() => deleteAccount(leaving, TEST_PASSWORD)))
  expect(answers.map(({ statusCode }) => statusCode).sort()[0]).toBe(204)
  // By the time of the second request, the account may already be gone.
  for (const { statusCode } of answers) expect([204, 401, 403]).toContain(statusCode)
  const goodbyes = () =>
    meridian.mails.filter(({ to, subject }) => to.address === leaving.email && /deleted/.test(subject))
  await waitUntilEmailsSent(meridian.database)
  expect(goodbyes()).toHaveLength(1)
})

test('the freed address can be registered anew, by an account that knows nothing of the one before', async () => {
  const leaving = await makeOwner(meridian)
  expect((await deleteAccount(leaving, TEST_PASSWORD)).statusCode).toBe(204)
  const { email } = leaving
  await ask(leaving, 'POST', '/api/auth/sign-up', {
    full_name: 'Grace Hopper',
    email,
    password: TEST_PASSWORD,
  })
  const mail = await meridian.waitForMail(
    ({ to, subject }) => to.address === email && subject === 'Confirm your email address',
  )
  expect(mail.text).toContain('/auth/callback?token=')
})

test('a device that knew the account goes on knowing the others that were logged in to on it', async () => {
  const [leaving, staying] = [await makeOwner(meridian), await makeOwner(meridian)]
  const payload = { email: leaving.email, password: TEST_PASSWORD }
  const signedIn = await staying.post('/api/auth/sign-in', payload)
  const deleted = await meridian.request({
    method: 'DELETE',
    url: '/api/profile',
    payload: { password: TEST_PASSWORD },
    cookie: toCookieHeader(signedIn),
  })
  const { devices } = meridian.deps
  const [before, after] = [signedIn, deleted].map((answer) => devices.read(toCookieHeader(answer)))
  expect([leaving, staying].map(({ id }) => devices.knows(before ?? null, id))).toEqual([true, true])
  expect([leaving, staying].map(({ id }) => devices.knows(after ?? null, id))).toEqual([false, true])
})

test('registrations of its address go with an account', async () => {
  const leaving = await makeOwner(meridian)
  const { email } = leaving
  await ask(leaving, 'POST', '/api/auth/sign-up', { full_name: 'Mallory', email, password: TEST_PASSWORD })
  const count = async () =>
    (await meridian.database.execute('select id from registrations where email = $1', [email])).rows.length
  expect(await count()).toBe(1)
  expect((await deleteAccount(leaving, TEST_PASSWORD)).statusCode).toBe(204)
  expect(await count()).toBe(0)
})

/**
 * Returns, for each table, how many of its rows contain the owner's id or the id of one of their calendars, in any
 * column.
 */
async function rowsOf(userId: string, calendarIds: readonly string[]): Promise<Record<string, number>> {
  const { db } = meridian.database
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public'
      and (column_name in ('user_id', 'calendar_id') or (table_name, column_name) in (('profiles', 'id'), ('verifications', 'value'), ('verifications', 'identifier')))`.execute(
    db,
  )
  const found: Record<string, number> = {}
  for (const { table_name, column_name } of columns) {
    const pattern = [userId, ...calendarIds].join('|')
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from ${sql.table(table_name)}
      where ${sql.ref(column_name)}::text ~ ${pattern}`.execute(db)
    const count = rows[0]?.count ?? 0
    if (count > 0) found[table_name] = count
  }
  return found
}

function deleteAccount(of: TestOwner, password: string) {
  return ask(of, 'DELETE', '/api/profile', { password })
}

let clients = 0

/** Sends each request from a different client address, because only the limit of the account is tested. */
function ask(of: TestOwner, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  clients += 1
  const remoteAddress = `198.51.100.${clients}`
  return meridian.request({
    method,
    url,
    cookie: of.cookie,
    remoteAddress,
    ...(payload === undefined ? {} : { payload }),
  })
}
