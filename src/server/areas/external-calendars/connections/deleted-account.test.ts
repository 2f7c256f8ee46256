import { beforeAll, expect, test } from 'vitest'
import type { ConsentProvider } from '#tests/support/connected-calendar.ts'
import { waitUntilJobsFinish } from '#tests/support/connected-calendar.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, TEST_PASSWORD } from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { startRadicale } from '#tests/support/radicale.ts'
import { openSandboxAccount } from '#tests/support/sandbox-account.ts'
import { chooseCalendarToWriteTo, waitUntilEventsWritten } from '#tests/support/written-calendar.ts'

const DATE = '2027-01-05'

/** End-to-end tests with the stand-ins of Google and Microsoft and with a CalDAV server. Source: rule D4. */
setUpCalendar({ owner: { lifetime: 'test', tier: 'business' } })
beforeAll(async () => {
  await meridian.app.listen({ host: '127.0.0.1', port: 0 })
})

// By then the access token has expired. Microsoft's stand-in accepts each refresh token only once.
test.each<[ConsentProvider, number]>([
  ['google', 0],
  ['google', 2],
  ['microsoft', 0],
  ['microsoft', 2],
])(
  'after an account is deleted, none of its events is left at %s, %i hours later',
  async (provider, hours) => {
    const email = `hedy-${hours}@${provider}.example`
    const account = await openSandboxAccount(meridian, { owner, calendar }, { provider, email, date: DATE })
    await account.connect()
    await bookTwice()
    expect(await account.listTimes('Grace Hopper')).toHaveLength(2)
    meridian.clock.ms += hours * 3_600_000
    await deleteAccount()
    await waitUntil(async () => (await account.listTimes('Grace Hopper')).length === 0)
    await expectNothingLeft()
  },
)

test('after an account is deleted, none of its events is left on a CalDAV server that was offline at first', {
  tags: ['slow'],
}, async () => {
  const radicale = await startRadicale()
  const { url, username, password } = radicale
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const ask = async (method: string, headers = {}) => {
    const path = new URL(`/${encodeURIComponent(username)}/work/`, url)
    const answer = await fetch(path, { method, headers: { authorization, ...headers } })
    expect(answer.ok).toBe(true)
    return answer.text()
  }
  const countEvents = async () =>
    (await ask('PROPFIND', { depth: '1' })).match(/meridian-[^/]+[.]ics/g)?.length ?? 0
  await ask('MKCALENDAR')
  const connected = await owner.post(`/api/calendars/${calendar.id}/external-calendars/caldav`, {
    url,
    username,
    password,
  })
  expect(connected.statusCode, connected.body).toBe(200)
  await chooseCalendarToWriteTo(meridian, owner, calendar, connected.json().connections[0].calendars[0].id)
  await bookTwice()
  expect(await countEvents()).toBe(2)
  await radicale.goDown()
  await deleteAccount()
  const isTriedAgain = "select id from pgboss.job where name = 'calendar-withdrawal' and state = 'retry'"
  await waitUntil(async () => (await meridian.database.execute(isTriedAgain)).rows.length === 1)
  await radicale.comeBack()
  expect(await countEvents()).toBe(2)
  await meridian.database.execute(
    "update pgboss.job set start_after = now() where name = 'calendar-withdrawal' and state = 'retry'",
  )
  await waitUntil(async () => (await countEvents()) === 0)
  await expectNothingLeft()
  await radicale.stop()
})

/** Books two appointments and waits until their events are written. */
async function bookTwice(): Promise<void> {
  await waitUntilJobsFinish(meridian, ['calendar-%'])
  for (const hour of ['13', '15']) {
    const answer = await bookAppointment(meridian, calendar.slug, { starts_at: `${DATE}T${hour}:00:00Z` })
    expect(answer.statusCode, answer.body).toBe(201)
  }
  await waitUntilEventsWritten(meridian, calendar)
  await waitUntilJobsFinish(meridian, ['appointment-event', 'waiting-events', 'calendar-%'])
}

async function deleteAccount(): Promise<void> {
  const answer = await meridian.request({
    method: 'DELETE',
    url: '/api/profile',
    cookie: owner.cookie,
    payload: { password: TEST_PASSWORD },
  })
  expect(answer.statusCode, answer.body).toBe(204)
}

/** Expects that no connection is left and no job that still needs the credentials. */
async function expectNothingLeft(): Promise<void> {
  const open = `select name from pgboss.job where name = any (array['calendar-withdrawal', 'event-removal']) and state <> 'completed'`
  await waitUntil(async () => (await meridian.database.execute(open)).rows.length === 0)
  const rows = await meridian.database.db.selectFrom('calendar_connections').select('id').execute()
  expect(rows).toEqual([])
}
