import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeCalendar, makeOwner, type TestMeridian } from '#tests/support/meridian.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { printDuration, queryNumber, startOnPostgresServer } from '#tests/support/race-track.ts'
import { startServer } from '#tests/support/server-process.ts'
import { type ReceivedMail, startSmtpServer } from '#tests/support/smtp-server.ts'
import { addAppointments } from '#tests/support/stored-rows.ts'
import { ensureWebBuild } from '#tools/web-build.ts'

/** Two workers as separate processes, with the real time, a real database and a real mail server. */
const REMINDERS = 120
const HOUR_MS = 3_600_000
/** Long enough for a worker that sends several emails at a time to send the next ones, in milliseconds. */
const LULL_MS = 500

let meridian: TestMeridian
let url: string

beforeAll(async () => {
  // Builds the web part first, because two processes that start at once must not both build it.
  await ensureWebBuild()
  url = await createDatabase(inject('postgresUrl'))
  meridian = await startOnPostgresServer({ url, poolSize: 3, env: { ROLE: 'web' } })
  meridian.clock.ms = Date.now()
})
afterAll(() => meridian.stop())

test('of two workers one is killed amid 120 due reminders: each arrives, and only the one in flight twice', async () => {
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner)
  const firstStartMs = Date.now() + HOUR_MS
  await addAppointments(
    meridian,
    calendar.id,
    Array.from({ length: REMINDERS }, (_, i) => ({
      startsAt: new Date(firstStartMs + i * 60_000).toISOString(),
      minutes: 1,
      created_at: new Date(Date.now() - 72 * HOUR_MS),
    })),
  )
  const smtp = await startSmtpServer()
  const settings = {
    DATABASE_URL: url,
    SMTP_URL: smtp.url,
    SECRET_KEY: 'a secret for tests that is long enough',
  }
  const startMs = performance.now()
  const workers = await Promise.all([startServer('not used', settings), startServer('not used', settings)])
  try {
    printDuration('until two workers were ready', performance.now() - startMs)
    await waitFor(() => smtp.received.length >= REMINDERS / 10)
    // The worst moment to kill a worker: the mail server has received a message from each worker, but its replies have not
    // arrived.
    const speak = smtp.fallSilent()
    const answered = smtp.received.length
    await waitFor(() => smtp.received.length >= answered + workers.length)
    await pause(LULL_MS)
    const inFlight = listIds(smtp.received.slice(answered))
    expect(inFlight).toHaveLength(workers.length)
    const killedMs = performance.now()
    await workers[0]?.end('SIGKILL')
    speak()
    const unsent = `select count(*) from appointment_messages where kind = 'reminder' and state <> 'sent'`
    const sent = `select count(*) from appointment_messages where kind = 'reminder' and state = 'sent'`
    await waitFor(async () => (await queryNumber(meridian.database, sent)) >= REMINDERS - 1)
    printDuration('until the other worker had sent the rest', performance.now() - killedMs)
    await waitFor(async () => (await queryNumber(meridian.database, sent)) === REMINDERS)
    printDuration(
      `until all of ${REMINDERS} had arrived, after a worker was killed`,
      performance.now() - killedMs,
    )
    expect(await queryNumber(meridian.database, unsent)).toBe(0)

    const ids = listIds(smtp.received)
    // A repeated message has the same Message-ID, so that mail clients recognise it. No other message was repeated.
    expect(new Set(ids).size).toBe(REMINDERS)
    const repeats = ids.filter((id, index) => ids.indexOf(id) !== index)
    expect(repeats).toHaveLength(1)
    expect(inFlight).toContain(repeats[0])
  } finally {
    await workers[1]?.end('SIGTERM')
    await smtp.stop()
  }
})

function listIds(mails: readonly ReceivedMail[]) {
  return mails.map(({ parsed }) => parsed.messageId)
}

async function waitFor(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 200_000; Date.now() < endMs; ) {
    if (await isSo()) return
    await pause(20)
  }
  throw new Error('waited 200 s in vain')
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
