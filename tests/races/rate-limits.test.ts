import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { runHousekeeping } from '#server/records/housekeeping/jobs.ts'
import { PRODUCTION_SETTINGS, type TestMeridian } from '#tests/support/meridian.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { queryNumber, startOnPostgresServer, waitUntil } from '#tests/support/race-track.ts'

/** Two web processes on one database that allow a client 40 reads and 4 writes a minute. */
let webs: [TestMeridian, TestMeridian]

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const start = () =>
    startOnPostgresServer({
      url,
      env: { ...PRODUCTION_SETTINGS, ROLE: 'web', PUBLIC_REQUESTS_PER_MINUTE: '40' },
    })
  webs = await Promise.all([start(), start()])
})
afterAll(async () => {
  await Promise.all(webs.map((web) => web.stop()))
})

/** Sends a request. All requests count as one client's, whatever their headers say, because no proxy is trusted. */
async function ask(web: TestMeridian, method: 'GET' | 'POST' | 'DELETE', url: string): Promise<number> {
  const headers = {
    'x-forwarded-for': `203.0.113.${Math.floor(Math.random() * 250)}`,
    forwarded: 'for=198.51.100.7',
  }
  return (await web.request({ method, url, headers, remoteAddress: '198.51.100.1' })).statusCode
}

test('what is written is counted over both processes to the last one, also when all of it comes at once', async () => {
  const [one, other] = webs
  const writes = Array.from({ length: 20 }, (_, i) => {
    const [method, path] =
      i % 4 < 2 ? (['POST', '/cancellation-request'] as const) : (['DELETE', ''] as const)
    return ask(i % 2 === 0 ? one : other, method, `/api/public/appointments/${randomUUID()}${path}`)
  })
  const statuses = await Promise.all(writes)
  expect(statuses.filter((status) => status === 404)).toHaveLength(4)
  expect(statuses.filter((status) => status === 429)).toHaveLength(16)
})

test('what is read at one process is known to the other about a second later', async () => {
  const [one, other] = webs
  const url = '/api/public/calendars/nobody/slots?date=2027-01-04'
  for (let i = 0; i < 36; i += 1) expect(await ask(one, 'GET', url)).toBe(404)
  let allowed = 0
  while ((await ask(other, 'GET', url)) === 404) {
    allowed += 1
    await new Promise((resolve) => setTimeout(resolve, 400))
  }
  // Four reads were left. The processes exchange their counts with a delay, which lets some more through. Without the exchange,
  // the other process would allow 40.
  expect(allowed).toBeGreaterThanOrEqual(4)
  expect(allowed).toBeLessThan(30)
})

test('counts are removed when their window is long over', async () => {
  const [{ database, clock }] = webs
  const count = () => queryNumber(database, 'select count(*) from request_counts')
  await runHousekeeping({ db: database.db, now: () => clock.ms })
  expect(await count()).toBe(2)
  // Repeat, in case a process has just reported counts from before.
  await waitUntil(async () => {
    await runHousekeeping({ db: database.db, now: () => clock.ms + 2 * 60 * 60 * 1000 })
    return (await count()) === 0 || 'counts are left'
  })
})

test('a whole /48 is counted over both processes, too: three times what one client may write', async () => {
  const [one, other] = webs
  const writes = Array.from({ length: 30 }, (_, i) =>
    (i % 2 === 0 ? one : other).request({
      method: 'DELETE',
      url: `/api/public/appointments/${randomUUID()}`,
      remoteAddress: `2001:db8:1:${i.toString(16)}::1`,
    }),
  )
  const statuses = (await Promise.all(writes)).map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 404)).toHaveLength(12)
  expect(statuses.filter((status) => status === 429)).toHaveLength(18)
})
