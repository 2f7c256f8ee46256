import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { sendAppointmentMail } from '#server/messages/queue/jobs.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { readBulkChangeSummaryEmail } from '#tests/support/many-changes.ts'
import { bookAppointment, makeCalendar } from '#tests/support/meridian.ts'
import { queryRows } from '#tests/support/race-track.ts'
import { runManyChange } from './jobs.ts'

// Start no workers, because the test decides when an email is sent.
setUpOwner({ hasWorkers: false, env: { DEFAULT_PLAN: 'enterprise' } })

const DAY = '2027-01-05'
const PEOPLE = ['ada', 'grace', 'alan']

test('everything is cancelled while email is down, and once it is back each customer is told once', async () => {
  const calendar = await makeCalendar(meridian, owner)
  for (const [i, name] of PEOPLE.entries()) {
    const starts_at = `${DAY}T${String(9 + i).padStart(2, '0')}:00:00Z`
    const customer = { name, email: `${name}@example.com` }
    expect((await bookAppointment(meridian, calendar.slug, { starts_at, customer })).statusCode).toBe(201)
  }
  const changeId = randomUUID()
  const days = { from: DAY, to: DAY }
  const digest = await readBulkChangeSummaryEmail(meridian, owner, { ...days, calendarId: calendar.id })
  const begun = await owner.post(`/api/calendars/${calendar.id}/many-changes`, {
    ...days,
    id: changeId,
    kind: 'cancel',
    message: 'I am ill.',
    digest,
  })
  expect(begun.statusCode, begun.body).toBe(202)
  await runManyChange(meridian.deps, { calendarId: calendar.id, changeId })
  const states = 'select distinct status from appointments where calendar_id = $1'
  expect(await queryRows(meridian.database, states, [calendar.id])).toEqual([{ status: 'cancelled' }])

  const refused = new Error('connect ECONNREFUSED')
  await tryEveryMessage(calendar.id, async () => {
    throw refused
  })
  expect(await countMessages(calendar.id)).toEqual([{ state: 'failed', count: 3 }])
  const sent: OutgoingMail[] = []
  for (let round = 0; round < 2; round += 1) {
    meridian.clock.ms += 60_000
    await tryEveryMessage(calendar.id, async (mail) => {
      sent.push(mail)
    })
  }
  expect(sent.map(({ to }) => to.address).sort()).toEqual(PEOPLE.map((name) => `${name}@example.com`).sort())
  for (const { text } of sent) expect(text).toContain('I am ill.')
  expect(await countMessages(calendar.id)).toEqual([{ state: 'sent', count: 3 }])
})

/** Tries every unsent message, including failed ones, as the queue does. */
async function tryEveryMessage(
  calendarId: string,
  send: (mail: OutgoingMail) => Promise<void>,
): Promise<void> {
  const messages = await queryRows(
    meridian.database,
    'select id, repeat from appointment_messages where calendar_id = $1',
    [calendarId],
  )
  const deps = { ...meridian.deps, mailer: { send, close: async () => {} } }
  for (const { id, repeat } of messages) {
    const job = { calendarId, messageId: String(id), repeat: Number(repeat) }
    await sendAppointmentMail(deps, job).catch((error: unknown) => {
      if (!(error instanceof Error) || !error.message.includes('ECONNREFUSED')) throw error
    })
  }
}

/** Counts the messages about the cancellation by state. Unsent messages about earlier changes must be dropped. */
async function countMessages(calendarId: string): Promise<Record<string, unknown>[]> {
  return queryRows(
    meridian.database,
    `select state, count(*)::integer as count from appointment_messages
     where calendar_id = $1 and kind = 'cancelled' group by state order by state`,
    [calendarId],
  )
}
