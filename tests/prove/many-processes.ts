import { equal, ok } from 'node:assert/strict'
import { openDatabase } from '#server/platform/db/database.ts'
import {
  makeCalendar,
  makeOwner,
  startMeridian,
  TEST_PASSWORD,
  TEST_SECRET_KEY,
} from '#tests/support/meridian.ts'
import { createDatabase, startPostgres } from '#tests/support/postgres-server.ts'
import { queryNumber, queryRows } from '#tests/support/race-track.ts'
import { startPlainProxy, startReverseProxy } from '#tests/support/reverse-proxy.ts'
import { startServer, startWorker } from '#tests/support/server-process.ts'
import { startBookingLoad } from './booking-load.ts'
import { startCountingMailServer } from './mail-counter.ts'
import { runLongCheck } from './run-proof.ts'

/**
 * Three web processes behind nginx and two workers on one PostgreSQL server take bookings for a minute. One process of each kind
 * is killed, and the database is restarted. Proves that no confirmed booking is lost or stored twice, and that every customer
 * gets a response. Before that, an owner logs in through an nginx that does not pass the Host header on.
 */
const BASE_URL = 'https://book.example.org'
const LOAD_MS = 60_000
const FAULTS_AT_MS = { web: 12_000, worker: 26_000, database: 40_000 }
const RECOVERY_LIMIT_MS = 5_000
/** How long after a fault to look for gaps that started with it, in milliseconds. */
const WATCH_MS = 10_000
/**
 * Maximum time until all emails are sent, in milliseconds. A killed worker's job waits 16 s for its heartbeat, and jobs that
 * failed while the database was down are retried after 10 s or more.
 */
const MAILS_LIMIT_MS = 180_000
/**
 * Maximum number of duplicate emails, sent by workers that were interrupted between sending an email and recording it: the killed
 * worker, and both workers when the database restarted.
 */
const MAY_REPEAT = 3

await runLongCheck(async (counts, begin) => {
  const [postgres, mails] = await Promise.all([startPostgres(), startCountingMailServer()])
  const url = await createDatabase(postgres.url)
  const { slugs, ownerEmail } = await makePractice(url)
  begin()
  const settings = {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: '10',
    SECRET_KEY: TEST_SECRET_KEY,
    SMTP_URL: mails.url,
    BASE_URL,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'fatal',
  }
  const startWeb = () => startServer('not used', { ...settings, ROLE: 'web' })
  const webs = await Promise.all([startWeb(), startWeb(), startWeb()])
  const workers = [startWorker(settings), startWorker(settings)]
  await logInWithoutHost(webs[0].port, ownerEmail)
  const proxy = await startReverseProxy(webs.map(({ port }) => port))

  const load = startBookingLoad(proxy.url, slugs)
  const beganMs = performance.now()
  const untilMs = (ms: number) => pause(beganMs + ms - performance.now())
  const gaps: Record<string, number> = {}
  const afterFault = async (name: string, fault: () => Promise<unknown>) => {
    const faultMs = performance.now()
    await fault()
    await pause(faultMs + WATCH_MS - performance.now())
    gaps[name] = load.longestGapMs(faultMs, faultMs + WATCH_MS)
  }

  await untilMs(FAULTS_AT_MS.web)
  await afterFault('web process killed', async () => webs[0]?.end('SIGKILL'))
  await untilMs(FAULTS_AT_MS.worker)
  await afterFault('worker killed', async () => workers[0]?.end('SIGKILL'))
  await untilMs(FAULTS_AT_MS.database)
  await afterFault('database restarted', async () => {
    await postgres.stop()
    await postgres.start()
  })
  await untilMs(LOAD_MS)
  await load.over()

  const database = await openDatabase({ url, dataDir: 'not used', poolSize: 2 })
  const expected = await listExpectedMails(database)
  const mailsFromMs = performance.now()
  const missing = () => expected.filter(({ messageId }) => mails.countOf(messageId) === 0)
  const unsentAtTheEnd = missing().length
  while (missing().length > 0 && performance.now() - mailsFromMs < MAILS_LIMIT_MS) await pause(500)

  const stored = await queryRows(database, 'select id from appointments order by id')
  const overlaps = await queryNumber(
    database,
    `select count(*) from appointments a join appointments b
       on a.calendar_id = b.calendar_id and a.id < b.id and a.blocked && b.blocked`,
  )
  Object.assign(counts, {
    'bookings acknowledged': load.booked.length,
    'in the database': stored.length,
    'of them overlapping': overlaps,
    'refused because taken': load.refusedTimes.length,
    'requests sent again': load.retryCount(),
    'other answers': load.oddAnswers.length,
    'mails expected': expected.length,
    'mails unsent when the load ended': unsentAtTheEnd,
    'mails missing': missing().length,
    'mails repeated': mails.repeatedCount(),
    'mails of nobody': mails.count() - mails.repeatedCount() - expected.length,
    ...Object.fromEntries(Object.entries(gaps).map(([name, ms]) => [`gap: ${name} (ms)`, ms])),
    'longest wait of a customer (ms)': load.longestWaitMs(),
    'last mail after the load (ms)': Math.round(performance.now() - mailsFromMs),
  })
  ok(load.booked.length > 300, 'there was a load')
  equal(load.oddAnswers.join('\n'), '', 'every answer is a booking or a refusal')
  // Every customer got a response, so the stored appointments are exactly the confirmed ones.
  equal(
    stored.map(({ id }) => id).join('\n'),
    load.booked
      .map(({ id }) => id)
      .sort()
      .join('\n'),
    'the bookings',
  )
  equal(overlaps, 0, 'no two bookings at one time')
  equal(expected.length, 2 * load.booked.length, 'two messages a booking')
  equal(missing().length, 0, 'every message arrived')
  for (const { messageId, to } of expected) {
    equal([...mails.recipientsOf(messageId)].join(), to ?? ownerEmail, 'it went to whom it is for')
  }
  ok(mails.repeatedCount() <= MAY_REPEAT, 'only messages in flight are repeated')
  equal(counts['mails of nobody'], 0, 'nobody was told anything else')
  for (const [name, gapMs] of Object.entries(gaps)) ok(gapMs <= RECOVERY_LIMIT_MS, `recovered: ${name}`)

  await database.close()
  const endings = await Promise.all([...webs.slice(1), ...workers.slice(1)].map(({ end }) => end('SIGTERM')))
  for (const { code } of endings) equal(code, 0, 'the others stop cleanly')
  await Promise.all([proxy.stop(), mails.stop(), postgres.remove()])
})

/**
 * Expects that a login with Meridian's Origin passes a proxy that replaces Host, and that a login with a foreign Origin is
 * refused.
 */
async function logInWithoutHost(port: number, email: string): Promise<void> {
  const proxy = await startPlainProxy(port)
  const logIn = async (origin: string) => {
    const { status } = await fetch(`${proxy.url}/api/auth/sign-in`, {
      method: 'POST',
      // Without `Sec-Fetch-Site`, Meridian checks the Origin header.
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email, password: TEST_PASSWORD }),
    })
    return status
  }
  equal(await logIn(BASE_URL), 200, 'a page of the product logs in behind a plain proxy')
  for (const origin of ['https://evil.example', 'http://book.example.org', 'null']) {
    equal(await logIn(origin), 403, `a page of ${origin} is refused behind a plain proxy`)
  }
  await proxy.stop()
}

/** Makes one owner with four calendars that open on weekdays from 09:00 to 17:00 UTC. */
async function makePractice(url: string): Promise<{ slugs: string[]; ownerEmail: string }> {
  const database = await openDatabase({ url, dataDir: 'not used', poolSize: 4 })
  const meridian = await startMeridian({
    database,
    env: { DATABASE_URL: url, ROLE: 'web', DEFAULT_PLAN: 'enterprise' },
  })
  const owner = await makeOwner(meridian)
  const slugs: string[] = []
  for (let i = 0; i < 4; i += 1) slugs.push((await makeCalendar(meridian, owner, { timezone: 'UTC' })).slug)
  await meridian.stop()
  return { slugs, ownerEmail: owner.email }
}

/** Lists the emails that the bookings caused, each with the customer's address, or null when it goes to the owner. */
async function listExpectedMails(
  database: Parameters<typeof queryRows>[0],
): Promise<{ messageId: string; to: string | null }[]> {
  const rows = await queryRows(
    database,
    `select message.id, recipient, customers.email from appointment_messages as message
     join appointments on appointments.id = appointment_id
     join customers on customers.id = customer_id`,
  )
  return rows.map(({ id, recipient, email }) => ({
    messageId: `<${id}@book.example.org>`,
    to: recipient === 'owner' ? null : String(email),
  }))
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(durationMs, 0)))
}
