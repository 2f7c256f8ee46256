import { beforeEach, expect, test } from 'vitest'
import type { CalendarAuthorizationBody } from '#contract/external-calendars/external-calendars.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import {
  makeConnectedOwner,
  readExternalCalendars,
  returnFromProvider,
  startConnecting,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import {
  ACCESS_EXPIRED,
  makeFakeCalendarProvider,
  PROVIDER_UNAVAILABLE,
} from '#tests/support/fake-calendar-provider.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { makeCalendar, TEST_MONDAY, TEST_PASSWORD, toCookieHeader } from '#tests/support/meridian.ts'

let calendarId: string
const google = makeFakeCalendarProvider({ now: () => TEST_MONDAY })
const caldav = makeFakeCalendarProvider({ connectsBy: 'password' })
const ics = makeFakeCalendarProvider({ connectsBy: 'address' })
let accounts = 0
let account: string

setUpOwner({ calendarProviders: { google, caldav, ics }, owner: { lifetime: 'test', tier: 'business' } })
beforeEach(async () => {
  calendarId = (await makeCalendar(meridian, owner)).id
  accounts += 1
  account = `ada-${accounts}`
})

test('after the consent at Google, the main calendar is read and the settings show it', async () => {
  google.addAccount(account)
  google.addCalendar(account, { externalId: `${account} family` })
  google.addCalendar(account, { externalId: account, name: 'Work', isPrimary: true })
  const url = await startConnecting(meridian, { owner, calendarId })
  expect(url.searchParams.get('redirect_uri')).toBe(
    'http://localhost:3000/api/calendar-connections/callback/google',
  )
  const state = url.searchParams.get('state') ?? ''
  const { rows } = await meridian.database.execute('select * from calendar_authorizations')
  expect(JSON.stringify(rows)).not.toContain(state)
  const answer = await returnFromProvider(meridian, owner.cookie, { state, code: account })
  expect(answer.statusCode).toBe(303)
  expect(answer.headers.location).toBe(`${settingsUrl()}&google_connected=success`)
  expect(await read()).toMatchObject({
    offered: ['google', 'caldav', 'ics'],
    sandbox: [],
    connections: [
      {
        provider: 'google',
        account_name: `${account}@example.com`,
        state: 'active',
        can_write: false,
        calendars: [
          { name: 'Work', is_primary: true, reads_busy_times: true, writes_events: false },
          { name: `${account} family`, reads_busy_times: false, writes_events: false },
        ],
      },
    ],
    settings: { auto_sync: true, two_way_sync: true, hide_customer: false, when_unchecked: 'trust_copy' },
    waiting_events: 0,
  })
  expect(await isConnectedToGoogle()).toBe(true)
  const stored = await meridian.database.execute('select * from calendar_connections')
  expect(JSON.stringify(stored.rows)).not.toContain(`"${account}"}`)
  expect(String(stored.rows[0]?.credentials_encrypted)).not.toContain(account)
})

test('external calendars of one calendar are listed and synced on the person’s others, which choose for themselves (rules G31 and G32)', async () => {
  const names = {
    mine: { name: 'Family law', person_name: '' },
    second: { name: 'Tenancy law', person_name: '' },
  }
  const { id: reader } = await makeCalendar(meridian, owner, names.mine)
  const { id: second } = await makeCalendar(meridian, owner, names.second)
  const { id: theirs } = await makeCalendar(meridian, owner, { person_name: 'Jon Osei' })
  google.addAccount(account)
  google.addCalendar(account, { externalId: account, name: 'Work', isPrimary: true })
  const state =
    (await startConnecting(meridian, { owner, calendarId: reader })).searchParams.get('state') ?? ''
  await returnFromProvider(meridian, owner.cookie, { state, code: account })
  const readOf = async (id: string) =>
    (await readExternalCalendars(meridian, { owner, calendarId: id })).connections[0]?.calendars[0]
  expect(await readOf(reader)).toMatchObject({ reads_busy_times: true, read_by_other: null })
  expect(await readOf(second)).toMatchObject({
    reads_busy_times: false,
    writes_events: false,
    read_by_other: { id: reader, name: 'Family law' },
  })
  expect(await readOf(theirs)).toMatchObject({ reads_busy_times: false, read_by_other: null })
  expect(await Promise.all([reader, second, theirs].map((id) => isConnectedToGoogle(id)))).toEqual([
    true,
    true,
    false,
  ])
  const sync = (id: string) => owner.post(`/api/calendars/${id}/external-calendars/sync`)
  expect((await sync(second)).statusCode).toBe(200)
  expectRefusal(await sync(theirs), 'external_calendar.nothing_to_sync')
})

test('an authorization state is valid once, for ten minutes, and for the session that started it', async () => {
  const [state, late] = [await startState(), await startState()]
  const failed = 'http://localhost:3000/dashboard?calendar_failed=invalid'
  const elsewhere = await meridian.post('/api/auth/sign-in', { email: owner.email, password: TEST_PASSWORD })
  const cookies = [toCookieHeader(elsewhere), undefined]
  for (const cookie of cookies) {
    expect((await returnFromProvider(meridian, cookie, { state, code: account })).headers.location).toBe(
      failed,
    )
  }
  meridian.clock.ms += 10 * 60_000
  expect(
    (await returnFromProvider(meridian, owner.cookie, { state: late, code: account })).headers.location,
  ).toBe(`${settingsUrl()}&calendar_failed=invalid`)
  meridian.clock.ms -= 1
  const answer = await returnFromProvider(meridian, owner.cookie, { state, code: account })
  expect(answer.headers.location).toContain('google_connected=success')
  expect((await returnFromProvider(meridian, owner.cookie, { state, code: account })).headers.location).toBe(
    failed,
  )
  expect((await returnFromProvider(meridian, owner.cookie, {})).headers.location).toBe(failed)
})

test.each([
  ['setup', '/setup?step=external_calendar&'],
  ['dashboard', '/dashboard?'],
] as const)('an owner who set out from the %s returns there, whatever happens', async (returns_to, path) => {
  const page = `http://localhost:3000${path}`
  const back = async (cookie: string | undefined, query: Readonly<Record<string, string>>) => {
    const state = await startState({ returns_to })
    return (await returnFromProvider(meridian, cookie, { state, ...query })).headers.location
  }
  expect(await back(owner.cookie, { code: account })).toBe(`${page}google_connected=success`)
  expect(await back(owner.cookie, { error: 'access_denied' })).toBe(`${page}calendar_failed=denied`)
  expect(await back(undefined, { code: account })).toBe(`${page}calendar_failed=invalid`)
  const late = await startState({ returns_to })
  meridian.clock.ms += 10 * 60_000
  await meridian.database.execute('delete from calendar_authorizations')
  const returned = await returnFromProvider(meridian, owner.cookie, { state: late, code: account })
  expect(returned.headers.location).toBe(`${page}calendar_failed=invalid`)
})

test('a denied consent or a failing provider redirects to the settings and connects nothing', async () => {
  const settings = `http://localhost:3000/calendar/${calendarId}/settings?tab=integrations`
  const denied = (await startConnecting(meridian, { owner, calendarId })).searchParams.get('state') ?? ''
  const answer = await returnFromProvider(meridian, owner.cookie, { state: denied, error: 'access_denied' })
  expect(answer.headers.location).toBe(`${settings}&calendar_failed=denied`)
  const failing = (await startConnecting(meridian, { owner, calendarId })).searchParams.get('state') ?? ''
  google.failNext('completeAuthorization', PROVIDER_UNAVAILABLE)
  const failed = await returnFromProvider(meridian, owner.cookie, { state: failing, code: account })
  expect(failed.headers.location).toBe(`${settings}&calendar_failed=failed`)
  expect((await read()).connections).toEqual([])
})

test('reconnecting the same account renews it, also with more access, and keeps the choices', async () => {
  const connected = await makeConnectedOwner(meridian, account, { owner })
  await waitUntilCalendarJobsFinish(meridian)
  await meridian.database.execute(`update calendar_connections set state = 'expired' where id = $1`, [
    connected.connectionId,
  ])
  const wanted = { access: 'write', connection_id: connected.connectionId } as const
  const url = await startConnecting(meridian, connected, wanted)
  expect(url.searchParams.get('login_hint')).toBe(`${account}@example.com`)
  const state = url.searchParams.get('state') ?? ''
  const answer = await returnFromProvider(meridian, owner.cookie, { state, code: account })
  expect(answer.headers.location).toContain('google_connected=success')
  const { connections } = await readExternalCalendars(meridian, connected)
  expect(connections).toMatchObject([
    {
      id: connected.connectionId,
      state: 'active',
      can_write: true,
      calendars: [{ reads_busy_times: true, writes_events: true }],
    },
  ])
  // Renewing a connection with write access requests write access again, whatever the page requests.
  const again = await startConnecting(meridian, connected, {
    access: 'read',
    connection_id: connected.connectionId,
  })
  expect(again.searchParams.get('access')).toBe('write')
})

test('reconnecting with another account adds a connection of which no calendar is used', async () => {
  const connected = await makeConnectedOwner(meridian, account, { owner })
  meridian.clock.ms += 1
  const url = await startConnecting(meridian, connected, { connection_id: connected.connectionId })
  const state = url.searchParams.get('state') ?? ''
  const answer = await returnFromProvider(meridian, owner.cookie, { state, code: `${account}-other` })
  expect(answer.headers.location).toBe(
    `http://localhost:3000/calendar/${connected.calendarId}/settings?tab=integrations&calendar_connected=other_account`,
  )
  const { connections } = await readExternalCalendars(meridian, connected)
  expect(connections.map(({ calendars }) => calendars.map((calendar) => calendar.reads_busy_times))).toEqual([
    [true],
    [false],
  ])
})

test('an owner who denies write access is read, not written to', async () => {
  const url = await startConnecting(meridian, { owner, calendarId }, { access: 'write' })
  const state = url.searchParams.get('state') ?? ''
  await returnFromProvider(meridian, owner.cookie, { state, code: `${account}-read` })
  const [connection] = (await read()).connections
  expect(connection).toMatchObject({ can_write: false, calendars: [{ writes_events: false }] })
  const id = connection?.calendars[0]?.id ?? ''
  expectRefusal(await choose({ reads: [id], writes: id }), 'external_calendar.write_not_allowed')
})

test('a second calendar of the owner uses the account without another consent', async () => {
  const connected = await makeConnectedOwner(meridian, account, { owner })
  expect((await read()).connections).toMatchObject([{ calendars: [{ reads_busy_times: false }] }])
  expect(await isConnectedToGoogle()).toBe(false)
  await choose({ reads: [connected.externalCalendarId], writes: null })
  expect((await read()).connections).toMatchObject([{ calendars: [{ reads_busy_times: true }] }])
  expect(await isConnectedToGoogle()).toBe(true)
})

test('a CalDAV server and an .ics address are connected with what the owner typed', async () => {
  const body = { url: 'https://dav.example', username: account, password: 'app password' }
  const refused = await connect('caldav', { ...body, password: 'wrong' })
  expectRefusal(refused, 'external_calendar.login_refused')
  // The provider states the same problem in other words, so the owner sees only one message.
  expect(refused.json().errors).toBeUndefined()
  expectRefusal(await connect('caldav', { ...body, password: '' }), 'external_calendar.login_required')
  caldav.failNext('connect', new CalendarProviderError('unavailable', 'Nobody is there.'))
  const failed = await connect('caldav', body)
  expectRefusal(failed, 'external_calendar.connect_failed')
  expect(failed.json().errors).toEqual([{ path: 'provider', message: 'Nobody is there.' }])
  expect((await connect('caldav', body)).json().connections).toMatchObject([
    { provider: 'caldav', can_write: true, calendars: [{ reads_busy_times: true, writes_events: false }] },
  ])
  meridian.clock.ms += 1
  ics.failNext('connect', new CalendarProviderError('address_refused', 'It is private.'))
  const inside = await connect('ics', { url: 'https://10.0.0.1/' })
  expectRefusal(inside, 'external_calendar.address_refused')
  expect(inside.json().errors).toBeUndefined()
  const { connections } = (await connect('ics', { url: `https://files.example/${account}.ics` })).json()
  expect(connections).toMatchObject([{ provider: 'caldav' }, { provider: 'ics', can_write: false }])
  const [id] = connections[1].calendars.map((calendar: { id: string }) => calendar.id)
  expectRefusal(await choose({ reads: [], writes: id }), 'external_calendar.read_only')
})

test('the number of an owner’s accounts is limited', async () => {
  const { connectionId } = await makeConnectedOwner(meridian, account, { owner })
  await meridian.database.execute(
    `insert into calendar_connections (id, user_id, provider, account_id, account_name, credentials_encrypted)
     select gen_random_uuid(), user_id, provider, 'copy ' || n, account_name, credentials_encrypted
     from calendar_connections, generate_series(1, 19) as n where id = $1`,
    [connectionId],
  )
  const full = await connect('ics', { url: `https://files.example/${account}.ics` })
  expectRefusal(full, 'external_calendar.too_many')
  const url = `/api/calendars/${calendarId}/external-calendars/google/authorization`
  const post = (payload: object) => owner.post(url, payload)
  expectRefusal(await post({}), 'external_calendar.too_many')
  expect((await post({ connection_id: connectionId })).statusCode).toBe(200)
})

test('another owner’s external calendars can be neither read, written to nor disconnected', async () => {
  const other = await makeConnectedOwner(meridian, account)
  const reads = [other.externalCalendarId]
  expectRefusal(await choose({ reads, writes: null }), 'external_calendar.not_found')
  expectRefusal(await choose({ reads: [], writes: other.externalCalendarId }), 'external_calendar.not_found')
  expectRefusal(await disconnect(other.connectionId, 'keep'), 'external_calendar.not_found')
  const renewing = await owner.post(`/api/calendars/${calendarId}/external-calendars/google/authorization`, {
    connection_id: other.connectionId,
  })
  expectRefusal(renewing, 'external_calendar.not_found')
})

test('settings are changed one by one, and a change from an outdated window is refused', async () => {
  const url = `/api/calendars/${calendarId}/external-calendars/settings`
  const save = (payload: object) => owner.patch(url, payload)
  const saved = await save({ two_way_sync: false, was: { two_way_sync: true } })
  expect(saved.json().settings).toMatchObject({ auto_sync: true, two_way_sync: false })
  expectRefusal(await save({ two_way_sync: true, was: { two_way_sync: true } }), 'request.changed_meanwhile')
  expect((await save({ when_unchecked: 'always_offer' })).json().settings).toEqual({
    auto_sync: true,
    two_way_sync: false,
    hide_customer: false,
    when_unchecked: 'always_offer',
  })
})

test('a disconnected account is deleted at once, and its access is revoked', async () => {
  const connected = await makeConnectedOwner(meridian, account, { owner })
  await waitUntilCalendarJobsFinish(meridian)
  const answer = await disconnect(connected.connectionId, 'remove', connected.calendarId)
  expect(answer.json().connections).toEqual([])
  await waitUntilCalendarJobsFinish(meridian)
  expect(google.disconnected).toContain(account)
  const channels = [...google.channels.values()].filter(({ externalId }) => externalId === account)
  expect(channels).toEqual([])
  expectRefusal(await disconnect(connected.connectionId, 'keep'), 'external_calendar.not_found')
})

test('access that another connection also uses is not revoked', async () => {
  const mine = await makeConnectedOwner(meridian, account, { owner })
  await makeConnectedOwner(meridian, account)
  await disconnect(mine.connectionId, 'keep', mine.calendarId)
  await waitUntilCalendarJobsFinish(meridian)
  expect(google.disconnected).not.toContain(account)
})

test('revoking is not retried when the account no longer exists', async () => {
  const connected = await makeConnectedOwner(meridian, account, { owner })
  await waitUntilCalendarJobsFinish(meridian)
  google.failNext('disconnect', ACCESS_EXPIRED)
  await disconnect(connected.connectionId, 'keep', connected.calendarId)
  await waitUntilCalendarJobsFinish(meridian)
  const { rows } = await meridian.database.execute(
    `select state from pgboss.job where name = 'calendar-withdrawal' and data ->> 'connectionId' = $1`,
    [connected.connectionId],
  )
  expect(rows).toEqual([{ state: 'completed' }])
})

test('deleting an owner’s account deletes the connections and revokes their access', async () => {
  await makeConnectedOwner(meridian, account, { owner })
  await waitUntilCalendarJobsFinish(meridian)
  const deleted = await meridian.request({
    method: 'DELETE',
    url: '/api/profile',
    cookie: owner.cookie,
    payload: { password: TEST_PASSWORD },
  })
  expect(deleted.statusCode).toBeLessThan(300)
  await waitUntilCalendarJobsFinish(meridian)
  expect(google.disconnected).toContain(account)
  const { rows } = await meridian.database.execute('select id from calendar_connections where user_id = $1', [
    owner.id,
  ])
  expect(rows).toEqual([])
})

test('a provider that is not configured cannot be connected', async () => {
  const answer = await owner.post(
    `/api/calendars/${calendarId}/external-calendars/microsoft/authorization`,
    {},
  )
  expectRefusal(answer, 'external_calendar.provider_not_offered')
})

function read() {
  return readExternalCalendars(meridian, { owner, calendarId })
}

async function isConnectedToGoogle(id = calendarId): Promise<boolean> {
  return (await owner.get(`/api/calendars/${id}`)).json().is_connected_to_google
}

function connect(provider: 'caldav' | 'ics', payload: object) {
  return owner.post(`/api/calendars/${calendarId}/external-calendars/${provider}`, payload)
}

function choose(payload: { reads: string[]; writes: string | null }) {
  return owner.put(`/api/calendars/${calendarId}/external-calendars/choice`, payload)
}

function disconnect(connectionId: string, events: 'keep' | 'remove', ofCalendar = calendarId) {
  const url = `/api/calendars/${ofCalendar}/external-calendars/connections/${connectionId}?events=${events}`
  return owner.delete(url)
}

/** Starts to connect Google, and returns the OAuth state. */
async function startState(payload: CalendarAuthorizationBody = {}): Promise<string> {
  return (await startConnecting(meridian, { owner, calendarId }, payload)).searchParams.get('state') ?? ''
}

function settingsUrl(): string {
  return `http://localhost:3000/calendar/${calendarId}/settings?tab=integrations`
}
