import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Trx } from '#server/platform/db/transaction.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'
import {
  joinWaitingListAndConfirm,
  listWaitingListEntries,
  waitUntilScansFinish,
} from '#tests/support/waiting.ts'
import { listFreeTimes } from './list-free-times.ts'
import { listActiveEntries as listEntries } from './repository.ts'
import { scanWaitingList } from './scan-waiting-list.ts'
import { getWaitingListCalendar } from './use-cases.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  meridian.mails.length = 0
  await meridian.database.db.deleteFrom('availability').where('calendar_id', '=', calendar.id).execute()
})

const [ADA, BOB, CAROL] = ['ada@example.com', 'bob@example.com', 'carol@example.com']

test('a request without an appointment type gets no offers once types exist, and does not block others', async () => {
  await wait(ADA)
  const typeId = await addAppointmentType(meridian, calendar.id)
  await wait(BOB, { appointment_type_id: typeId })
  await waitUntilScansFinish(meridian)
  await open('09:00', '10:00')
  await scanWaitingList(meridian.deps, calendar.id)
  expect(await listOffered()).toEqual([
    [ADA, []],
    [BOB, ['2027-01-05T09:00:00.000Z']],
  ])
  const [ada] = (await listWaitingListEntries(meridian, owner, calendar)).entries
  const url = `/api/calendars/${calendar.id}/waiting-list/${ada?.id}/times`
  expect((await owner.get(url)).json().starts_at).toEqual([])
})

test('when a customer leaves during a scan, their time is offered to the next customer at once', async () => {
  for (const email of [ADA, BOB, CAROL]) await wait(email)
  await waitUntilScansFinish(meridian)
  await open('09:00', '10:00')
  const leaving = (await listWaitingListEntries(meridian, owner, calendar)).entries[1]?.id ?? ''
  const { jobs } = meridian.deps
  const insert: typeof jobs.insert = async (trx, ...job) => {
    await leave(trx, leaving)
    await jobs.insert(trx, ...job)
  }
  // Bob leaves after the plan is made and Ada's offer is stored.
  await scanWaitingList({ ...meridian.deps, jobs: { ...jobs, insert } }, calendar.id)
  expect(await listOffered()).toEqual([
    [ADA, ['2027-01-05T09:00:00.000Z']],
    [CAROL, ['2027-01-05T09:30:00.000Z']],
  ])
})

test('a day in the customer’s time zone can begin two dates earlier in the calendar’s', async () => {
  await meridian.database.execute(`update calendars set timezone = 'Pacific/Niue' where id = $1`, [
    calendar.id,
  ])
  const appointment_type_id = await addAppointmentType(meridian, calendar.id, { is_online: true })
  const day = { from_date: '2027-01-13', to_date: '2027-01-13', time_zone: 'Pacific/Kiritimati' }
  await wait(ADA, { appointment_type_id, ...day })
  await waitUntilScansFinish(meridian)
  // When Wednesday the 13th begins on Kiritimati, it is 23:00 on Monday the 11th in Niue.
  await open('23:00', '23:30', 1)
  await scanWaitingList(meridian.deps, calendar.id)
  expect(await listOffered()).toEqual([[ADA, ['2027-01-12T10:00:00.000Z']]])
})

test('a scan reads requests from today to a year ahead', async () => {
  await wait(ADA)
  await wait(BOB, { from_date: '2027-12-20', to_date: '2028-01-04' })
  await waitUntilScansFinish(meridian)
  await open('09:00', '09:30', 1)
  const entries = await listEntries(meridian.database.db, calendar.id, 2)
  const looked = await getWaitingListCalendar(meridian.deps, calendar.id)
  const [times] = await listFreeTimes(meridian.deps, looked, entries)
  expect(new Date(times?.startsMs.at(0) ?? 0).toISOString()).toBe('2027-01-04T09:00:00.000Z')
  expect(new Date(times?.startsMs.at(-1) ?? 0).toISOString()).toBe('2028-01-03T09:00:00.000Z')
})

async function leave(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('waiting_entries')
    .set({ state: 'removed', ended_at: new Date(meridian.clock.ms) })
    .where('id', '=', id)
    .execute()
}

async function wait(email: string, body: Record<string, unknown> = {}): Promise<void> {
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email, to_date: '2027-01-05', ...body })
}

/** Inserts opening hours for a weekday (Tuesday by default) directly into the database, so that no scan is requested. */
async function open(start_time: string, end_time: string, day_of_week = 2): Promise<void> {
  await meridian.database.db
    .insertInto('availability')
    .values({ calendar_id: calendar.id, id: randomUUID(), day_of_week, start_time, end_time })
    .execute()
}

async function listOffered(): Promise<[string, string[]][]> {
  const { entries } = await listWaitingListEntries(meridian, owner, calendar)
  return entries.map(({ customer_email, offers }) => [
    customer_email,
    offers.map(({ starts_at }) => starts_at),
  ])
}
