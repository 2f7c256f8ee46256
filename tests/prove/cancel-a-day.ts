import { equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { readBulkChangeSummaryEmail } from '#tests/support/many-changes.ts'
import { makeCalendar, makeOwner, startMeridian, TEST_SECRET_KEY } from '#tests/support/meridian.ts'
import { createDatabase, startPostgres } from '#tests/support/postgres-server.ts'
import { queryNumber, queryRows } from '#tests/support/race-track.ts'
import { startWorker } from '#tests/support/server-process.ts'
import { uuidOf } from '#tests/support/uuid-of.ts'
import { startCountingMailServer } from './mail-counter.ts'
import { runLongCheck } from './run-proof.ts'

/**
 * An owner cancels a day with 200 appointments while the mail server is down. The worker is killed in the middle, twice. Proves
 * that every appointment is cancelled once, and that every customer gets one email once the mail server is back.
 */
const APPOINTMENTS = 200
/** The worker is killed when this many appointments are cancelled. */
const KILLED_AT = [40, 110]
const LIMIT_MS = 5 * 60_000
/**
 * Maximum number of duplicate emails: a worker killed between sending an email and recording it would send it again. Here no
 * worker is killed while emails are sent.
 */
const MAY_REPEAT = 0

await runLongCheck(async (counts, begin) => {
  const [postgres, mails, deadPort] = await Promise.all([
    startPostgres(),
    startCountingMailServer(),
    findFreePort(),
  ])
  const url = await createDatabase(postgres.url)
  const settings = {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: '4',
    SECRET_KEY: TEST_SECRET_KEY,
    // No server listens on this port.
    SMTP_URL: `smtp://127.0.0.1:${deadPort}`,
    BASE_URL: 'https://book.example.org',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'fatal',
  }
  await beginChange(url)
  const database = await openDatabase({ url, dataDir: 'not used', poolSize: 2 })
  const done = () => queryNumber(database, `select count(*) from many_change_items where state = 'done'`)

  begin()

  const killedAt: number[] = []
  for (const target of KILLED_AT) {
    const worker = startWorker(settings)
    await until(async () => (await done()) >= target)
    await worker.end('SIGKILL')
    killedAt.push(await done())
  }
  const finisher = startWorker(settings)
  await until(
    async () =>
      (await queryNumber(database, 'select count(*) from many_changes where finished_at is not null')) === 1,
  )
  const finishedWhileDown = mails.count()
  await finisher.end('SIGTERM')

  const sender = startWorker({ ...settings, SMTP_URL: mails.url })
  await until(
    async () =>
      (await queryNumber(database, `select count(*) from appointment_messages where state = 'sent'`)) ===
      APPOINTMENTS,
  )
  await sender.end('SIGTERM')

  const expected = await listExpectedMails(database)
  const told = new Set(expected.flatMap(({ messageId }) => [...mails.recipientsOf(messageId)]))
  Object.assign(counts, {
    appointments: APPOINTMENTS,
    'done when the worker was killed': killedAt.join(', '),
    cancelled: await queryNumber(database, `select count(*) from appointments where status = 'cancelled'`),
    'with another SEQUENCE than 1': await queryNumber(
      database,
      'select count(*) from appointments where sequence <> 1',
    ),
    'lines in histories': await queryNumber(
      database,
      `select count(*) from appointment_history where kind = 'cancelled'`,
    ),
    'messages in the ledger': expected.length,
    'mails while the server was down': finishedWhileDown,
    'customers told': told.size,
    'mails repeated': mails.repeatedCount(),
  })
  equal(counts.cancelled, APPOINTMENTS, 'every appointment is cancelled')
  equal(counts['with another SEQUENCE than 1'], 0, 'each is cancelled once')
  equal(counts['lines in histories'], APPOINTMENTS, 'each has one line')
  equal(expected.length, APPOINTMENTS, 'one message for each customer, and none for the owner')
  equal(finishedWhileDown, 0)
  equal(told.size, APPOINTMENTS, 'every customer is told')
  equal(mails.repeatedCount(), MAY_REPEAT, 'nobody is told twice')
  for (const { messageId } of expected) equal(mails.countOf(messageId), 1, messageId)
  ok(
    killedAt.every((count) => count > 0 && count < APPOINTMENTS),
    'the worker died in the middle',
  )
  await database.close()
  await mails.stop()
  await postgres.stop()
})

/** Makes a practice with a full day whose owner cancels it while no worker runs. */
async function beginChange(url: string): Promise<void> {
  const database = await openDatabase({ url, dataDir: 'not used', poolSize: 4 })
  const meridian = await startMeridian({
    database,
    hasWorkers: false,
    env: { DATABASE_URL: url, ROLE: 'web', DEFAULT_PLAN: 'enterprise' },
  })
  // The workers use the real time.
  meridian.clock.ms = Date.now()
  const owner = await makeOwner(meridian)
  const { id: calendarId } = await makeCalendar(meridian, owner, { timezone: 'UTC' })
  const date = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  await addFullDay(database, calendarId, `${date}T00:00:00Z`)
  const changeId = randomUUID()
  const days = { from: date, to: date }
  const answer = await owner.post(`/api/calendars/${calendarId}/many-changes`, {
    id: changeId,
    kind: 'cancel',
    ...days,
    message: 'I am ill.',
    digest: await readBulkChangeSummaryEmail(meridian, owner, { ...days, calendarId }),
  })
  equal(answer.statusCode, 202, answer.body)
  await meridian.stop()
}

/** Adds appointments of five minutes, each for a different customer. */
async function addFullDay(database: Database, calendarId: string, midnight: string): Promise<void> {
  const customerId = sql.raw(uuidOf("'customer' || i"))
  await sql`
    insert into customers (calendar_id, id, client_id, name, email)
    select ${calendarId}::uuid, ${customerId}, 'C' || i, 'Customer ' || i, 'customer-' || i || '@example.com'
    from generate_series(1, ${APPOINTMENTS}::integer) as i`.execute(database.db)
  await sql`
    insert into appointments (calendar_id, host_id, id, booking_reference, customer_id, customer_name, starts_at, ends_at,
      time_zone, blocked, title, status, payment_status)
    select ${calendarId}::uuid, (select host_id from calendars where calendars.id = ${calendarId}::uuid), gen_random_uuid(), 'BK-' || (900000000 + i), ${customerId}, 'Customer ' || i, s,
      s + interval '5 minutes', 'UTC', tstzrange(s, s + interval '5 minutes'), 'Stored', 'confirmed', 'not_required'
    from generate_series(1, ${APPOINTMENTS}::integer) as i
    cross join lateral (select ${midnight}::timestamptz + i * interval '5 minutes' as s) as time`.execute(
    database.db,
  )
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + LIMIT_MS; performance.now() < endMs; ) {
    if (await isSo()) return
    await pause(20)
  }
  throw new Error('waited in vain')
}

async function listExpectedMails(database: Database): Promise<{ messageId: string }[]> {
  const rows = await queryRows(database, 'select id from appointment_messages')
  return rows.map(({ id }) => ({ messageId: `<${id}@book.example.org>` }))
}
