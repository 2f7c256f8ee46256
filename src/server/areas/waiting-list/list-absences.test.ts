import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { runManyChange } from '#server/areas/appointments/whole-days/jobs.ts'
import { insertChange } from '#server/areas/appointments/whole-days/repository.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { readBulkChangeSummaryEmail } from '#tests/support/many-changes.ts'
import { bookAppointment, makeCalendar } from '#tests/support/meridian.ts'
import {
  joinFullyBookedCalendar,
  listWaitingListEntries,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
  waitUntilScansFinish,
} from '#tests/support/waiting.ts'
import { scanWaitingList } from './scan-waiting-list.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  meridian.mails.length = 0
  await closeHours()
  await openHour(2, '09:00', '10:00')
  // The day has two times, one of them booked.
  const booked = await bookAppointment(meridian, calendar.slug, { starts_at: '2027-01-05T09:00:00Z' })
  expect(booked.statusCode, booked.body).toBe(201)
})

const ADA = 'ada@example.com'
const TUESDAY = { from: '2027-01-05', to: '2027-01-05' }

test.each(['cancel', 'offer'])(
  'times on the days of a change (%s) are not offered, because the owner is away',
  async (kind) => {
    await change({ kind })
    await joinFullyBookedCalendar(meridian, calendar.slug, { email: ADA, to_date: '2027-01-06' })
    await scanWaitingList(meridian.deps, calendar.id)
    await waitUntilScansFinish(meridian)
    const { entries } = await listWaitingListEntries(meridian, owner, calendar)
    expect(entries).toMatchObject([{ customer_email: ADA, state: 'waiting', offers: [] }])

    // The owner can still offer these times manually.
    const url = `/api/calendars/${calendar.id}/waiting-list/${entries[0]?.id}/times`
    const { starts_at } = (await owner.get(url)).json()
    expect(starts_at).toContain('2027-01-05T09:30:00Z')

    // The absence does not include the next day.
    await openHour(3, '09:00', '09:30')
    await scanWaitingList(meridian.deps, calendar.id)
    expect((await waitForOffer(meridian, ADA)).subject).toContain('Wednesday, January 6, 9:00 AM')
  },
)

test('times on the days of a change are offered when the owner allows it', async () => {
  await change({ kind: 'cancel', for_waiting_list: true })
  await joinFullyBookedCalendar(meridian, calendar.slug, { email: ADA, to_date: '2027-01-05' })
  await scanWaitingList(meridian.deps, calendar.id)
  expect((await waitForOffer(meridian, ADA)).subject).toContain('Tuesday, January 5, 9:00 AM')
})

describe('an offer on a day on which the owner is then away', () => {
  test.each(['list', 'owner'] as const)('is withdrawn, when the %s made it', async (madeBy) => {
    await offerFreeTime(madeBy)
    meridian.clock.ms += 60_000
    await change({ kind: 'cancel' })
    await waitUntilScansFinish(meridian)
    const { entries } = await listWaitingListEntries(meridian, owner, calendar)
    expect(entries).toMatchObject([{ state: 'waiting', offers: [{ state: 'withdrawn' }] }])
    expectRefusal(await accept(), 'waiting.offer_withdrawn')
  })

  test('cannot be accepted in the moment before it is withdrawn', async () => {
    await offerFreeTime('list')
    meridian.clock.ms += 60_000
    await writeChange()
    expectRefusal(await accept(), 'waiting.offer_withdrawn')
    const { entries } = await listWaitingListEntries(meridian, owner, calendar)
    expect(entries).toMatchObject([{ offers: [{ state: 'open' }] }])
  })

  test('stays open when the owner allows offers on these days', async () => {
    await offerFreeTime('list')
    meridian.clock.ms += 60_000
    await change({ kind: 'cancel', for_waiting_list: true })
    await waitUntilScansFinish(meridian)
    const accepted = await accept()
    expect([accepted.statusCode, accepted.json().outcome]).toEqual([200, 'booked'])
  })

  test('can be made by hand afterwards, and stays open', async () => {
    await change({ kind: 'cancel' })
    meridian.clock.ms += 60_000
    await joinFullyBookedCalendar(meridian, calendar.slug, { email: ADA, to_date: '2027-01-05' })
    await waitUntilScansFinish(meridian)
    await offerByHand()
    await scanWaitingList(meridian.deps, calendar.id)
    const accepted = await accept()
    expect([accepted.statusCode, accepted.json().outcome]).toEqual([200, 'booked'])
  })
})

test('a calendar without appointments on the days of a change does not offer them either', async () => {
  const free = await makeCalendar(meridian, owner)
  await closeHours(free)
  await joinFullyBookedCalendar(meridian, free.slug, { email: ADA, to_date: '2027-01-05' })
  const digest = await readBulkChangeSummaryEmail(meridian, owner, { ...TUESDAY, calendarId: free.id })
  await change({ kind: 'cancel', others: [{ calendar_id: free.id, digest }] })
  await waitUntilScansFinish(meridian)
  await openHour(2, '09:00', '10:00', free)
  await scanWaitingList(meridian.deps, free.id)
  await waitUntilScansFinish(meridian)
  const { entries } = await listWaitingListEntries(meridian, owner, free)
  expect(entries).toMatchObject([{ state: 'waiting', offers: [] }])
})

/** Puts Ada on the list and waits until she gets an offer of the free time on Tuesday. */
async function offerFreeTime(madeBy: 'list' | 'owner'): Promise<void> {
  await closeHours()
  await joinFullyBookedCalendar(meridian, calendar.slug, { email: ADA, to_date: '2027-01-05' })
  await waitUntilScansFinish(meridian)
  await openHour(2, '09:00', '10:00')
  if (madeBy === 'list') await scanWaitingList(meridian.deps, calendar.id)
  else await offerByHand()
  // Waits for the email: an offer that is withdrawn before its email is sent is never emailed.
  await waitForOffer(meridian, ADA)
}

async function offerByHand(): Promise<void> {
  const { entries } = await listWaitingListEntries(meridian, owner, calendar)
  const answered = await owner.post(`/api/calendars/${calendar.id}/waiting-list/${entries[0]?.id}/offer`, {
    starts_at: '2027-01-05T09:30:00Z',
  })
  expect(answered.statusCode, answered.body).toBe(204)
}

/** Accepts the offer in Ada's email. */
async function accept() {
  return respondToOffer(meridian, tokenInWaitingListEmail(await waitForOffer(meridian, ADA)), 'acceptance')
}

/** Stores a change of Tuesday without its job, so that nothing withdraws the offers. */
async function writeChange(): Promise<void> {
  const day = '2027-01-05'
  const createdAt = new Date(meridian.clock.ms)
  const how = { kind: 'cancel', message: '', refund: 'all', forWaitingList: false } as const
  await inTransaction(meridian.database.db, (trx) =>
    insertChange(
      trx,
      { calendarId: calendar.id, changeId: randomUUID() },
      { ...how, from: day, to: day, createdAt },
      [],
    ),
  )
}

async function change(body: Record<string, unknown>): Promise<void> {
  const changeId = randomUUID()
  const digest = await readBulkChangeSummaryEmail(meridian, owner, { ...TUESDAY, calendarId: calendar.id })
  const answered = await owner.post(`/api/calendars/${calendar.id}/many-changes`, {
    ...TUESDAY,
    id: changeId,
    message: 'I am ill.',
    digest,
    ...body,
  })
  expect(answered.statusCode, answered.body).toBe(202)
  await runManyChange(meridian.deps, { calendarId: calendar.id, changeId })
}

async function closeHours(of: Calendar = calendar): Promise<void> {
  await meridian.database.db.deleteFrom('availability').where('calendar_id', '=', of.id).execute()
}

/** Opens an hour of a weekday directly in the database, so no scan is requested. */
async function openHour(
  day_of_week: number,
  start_time: string,
  end_time: string,
  of: Calendar = calendar,
): Promise<void> {
  await meridian.database.db
    .insertInto('availability')
    .values({ calendar_id: of.id, id: randomUUID(), day_of_week, start_time, end_time })
    .execute()
}
