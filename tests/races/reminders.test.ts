import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeCalendar, makeOwner, type TestMeridian } from '#tests/support/meridian.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { printFigure, readNumber, startOnServer } from '#tests/support/race-track.ts'
import { startServer } from '#tests/support/server-process.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { addAppointments } from '#tests/support/stored-rows.ts'
import { ensureWebBuild } from '#tools/web-build.ts'

/** Two workers as processes of their own, with real clocks, a real database and a real mail server. */
const REMINDERS = 500
const HOUR_MS = 3_600_000
/** Connections to the mail server that a worker has: so many messages can be in flight when it dies. */
const IN_FLIGHT = 5

let meridian: TestMeridian
let url: string

beforeAll(async () => {
  // Two processes that start at once must not both build it.
  await ensureWebBuild()
  url = await createDatabase(inject('postgresUrl'))
  meridian = await startOnServer({ url, poolSize: 3, env: { ROLE: 'web' } })
  meridian.clock.ms = Date.now()
})
afterAll(() => meridian.stop())

test('of two workers one is killed amid 500 due reminders: each arrives, and only what was in flight can arrive twice', async () => {
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
  const workers = await Promise.all([startServer('not used', settings), startServer('not used', settings)])
  try {
    await waitFor(() => smtp.received.length >= REMINDERS / 5)
    const killedAfter = smtp.received.length
    const killedMs = performance.now()
    await workers[0]?.end('SIGKILL')
    expect(killedAfter).toBeLessThan(REMINDERS)
    const unsent = `select count(*) from appointment_messages where kind = 'reminder' and state <> 'sent'`
    const sent = `select count(*) from appointment_messages where kind = 'reminder' and state = 'sent'`
    await waitFor(async () => (await readNumber(meridian.database, sent)) === REMINDERS)
    printFigure(
      `until all of ${REMINDERS} had arrived, after a worker was killed`,
      performance.now() - killedMs,
    )
    expect(await readNumber(meridian.database, unsent)).toBe(0)

    const ids = smtp.received.map(({ parsed }) => parsed.messageId)
    // By Message-ID, so that a repeat is recognised by mail clients: there is no other one than these 500.
    expect(new Set(ids).size).toBe(REMINDERS)
    expect(ids.length - REMINDERS).toBeLessThanOrEqual(IN_FLIGHT)
    process.stdout.write(`  repeats after the kill: ${ids.length - REMINDERS}\n`)
  } finally {
    await workers[1]?.end('SIGTERM')
    await smtp.stop()
  }
})

async function waitFor(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 100_000; Date.now() < endMs; ) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('waited 100 s in vain')
}
