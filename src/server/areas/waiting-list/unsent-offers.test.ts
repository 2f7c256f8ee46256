import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '#core/shared/duration.ts'
import { storeRecipientStatus } from '#server/messages/queue/recipient-repository.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { MailRefusedError } from '#server/ports/mailer.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { TEST_MONDAY, type TestMeridian } from '#tests/support/meridian.ts'
import { queryNumber, waitUntil } from '#tests/support/race-track.ts'
import {
  getWaitingRequest,
  joinWaitingListAndConfirm,
  listWaitingListEntries,
  waitUntilScansFinish,
} from '#tests/support/waiting.ts'
import { moveWaitingEntriesToEmail } from './customer-use-cases.ts'
import { scanWaitingList } from './scan-waiting-list.ts'

/** An email address that is new in each test, because the product remembers facts about an address. */
let email: string
let token: string
/** The error of the mail server; null when it accepts the email. */
let failure: Error | null

const mailer = {
  send: async (mail: TestMeridian['mails'][number]) => {
    if (failure !== null) throw failure
    meridian.mails.push(mail)
  },
  close: async () => {},
}
setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' }, mailer })
beforeEach(async () => {
  failure = null
  email = `ada-${randomUUID()}@example.com`
  await closeHours()
  token = await joinWaitingListAndConfirm(meridian, calendar.slug, { email })
  await waitUntilScansFinish(meridian)
})

const DOWN = new Error('The mail server does not answer.')
const REFUSED = new MailRefusedError({ code: 550, command: 'RCPT TO', words: 'Nobody here.', isFinal: true })

test('three offers whose emails were never sent do not remove a customer from the list', async () => {
  failure = DOWN
  for (const day of [4, 5, 6]) await offerOn(day)
  expect((await listWaitingListEntries(meridian, owner, calendar)).entries).toMatchObject([
    { state: 'waiting', offers: Array(3).fill({ state: 'expired' }) },
  ])
})

test('three offers that the mail server rejected remove the customer from the list', async () => {
  failure = REFUSED
  for (const day of [4, 5, 6]) await offerOn(day, waitUntilMailed)
  expect((await getWaitingRequest(meridian, token)).state).toBe('removed')
})

test('three offers to an unsubscribed address remove the customer from the list', async () => {
  const recipient_key = meridian.deps.recipientKeys.keyOf(email)
  await storeRecipientStatus(meridian.database.db, {
    recipient_key,
    standing: 'stopped',
    since: new Date(TEST_MONDAY),
  })
  for (const day of [4, 5, 6]) await offerOn(day, waitUntilMailed)
  expect((await getWaitingRequest(meridian, token)).state).toBe('removed')
})

test('an offer that was emailed only to an earlier address is not counted', async () => {
  for (const day of [4, 5, 6]) {
    await offerOn(day, async () => {
      await waitUntilMailed()
      failure = DOWN
      const person = { calendarId: calendar.id, email }
      email = `ada-${randomUUID()}@example.com`
      await inTransaction(meridian.database.db, (trx) =>
        moveWaitingEntriesToEmail(meridian.deps, trx, person, email),
      )
    })
    failure = null
  }
  expect((await listWaitingListEntries(meridian, owner, calendar)).entries).toMatchObject([
    { state: 'waiting' },
  ])
})

/** Offers the only time of a day, runs `meanwhile`, and then lets the offer expire. */
async function offerOn(day: number, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  const range = { day_of_week: day, start_time: '10:00', end_time: '10:30' }
  await meridian.database.db
    .insertInto('availability')
    .values({ calendar_id: calendar.id, id: randomUUID(), ...range })
    .execute()
  await scanWaitingList(meridian.deps, calendar.id)
  await meanwhile()
  await closeHours()
  meridian.clock.ms += 4 * HOUR_MS
  await scanWaitingList(meridian.deps, calendar.id)
}

/** Waits until the email of the open offer is sent or finally refused. */
async function waitUntilMailed(): Promise<void> {
  const waiting = `select count(*) from waiting_offers
    where calendar_id = $1 and state = 'open' and mailed_at is null`
  await waitUntil(async () => (await queryNumber(meridian.database, waiting, [calendar.id])) === 0)
}

async function closeHours(): Promise<void> {
  await meridian.database.db.deleteFrom('availability').where('calendar_id', '=', calendar.id).execute()
}
