import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars.ts'
import { workOnManyChange } from '#server/features/many-changes/jobs.ts'
import {
  book,
  MONDAY,
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { finishLooks, joinAndConfirm, listWaiting, waitForOffer } from '#tests/support/waiting.ts'
import { lookThroughList } from './run-look.ts'

let meridian: TestMeridian
let owner: TestOwner
let calendar: Calendar

beforeAll(async () => {
  meridian = await startMeridian({ env: { DEFAULT_PLAN: 'enterprise' } })
  owner = await makeOwner(meridian)
})
afterAll(() => meridian.stop())
beforeEach(async () => {
  meridian.clock.ms = MONDAY
  meridian.mails.length = 0
  calendar = await makeCalendar(meridian, owner)
  await meridian.database.db.deleteFrom('availability').where('calendar_id', '=', calendar.id).execute()
  await openHour(2, '09:00', '10:00')
  // Of the two times of that day one is booked and one is free.
  const booked = await book(meridian, calendar.slug, { starts_at: '2027-01-05T09:00:00Z' })
  expect(booked.statusCode, booked.body).toBe(201)
})

const ADA = 'ada@example.com'

test.each(['cancel', 'offer'])(
  'the days of a change (%s) are offered to nobody, as its owner cannot come',
  async (kind) => {
    await change({ kind })
    await joinAndConfirm(meridian, calendar.slug, { email: ADA, to_date: '2027-01-06' })
    await lookThroughList(meridian.deps, calendar.id)
    await finishLooks(meridian)
    const { entries } = await listWaiting(meridian, owner, calendar)
    expect(entries).toMatchObject([{ customer_email: ADA, state: 'waiting', offers: [] }])

    // By hand the owner can offer them.
    const url = `/api/calendars/${calendar.id}/waiting-list/${entries[0]?.id}/times`
    const { starts_at } = (await meridian.request({ url, cookie: owner.cookie })).json()
    expect(starts_at).toContain('2027-01-05T09:30:00Z')

    // The day after is none of the change.
    await openHour(3, '09:00', '09:30')
    await lookThroughList(meridian.deps, calendar.id)
    expect((await waitForOffer(meridian, ADA)).subject).toContain('Wednesday, January 6, 9:00 AM')
  },
)

test('the days of a change are offered when its owner says so', async () => {
  await change({ kind: 'cancel', for_waiting_list: true })
  await joinAndConfirm(meridian, calendar.slug, { email: ADA, to_date: '2027-01-05' })
  await lookThroughList(meridian.deps, calendar.id)
  expect((await waitForOffer(meridian, ADA)).subject).toContain('Tuesday, January 5, 9:00 AM')
})

async function change(body: Record<string, unknown>): Promise<void> {
  const changeId = randomUUID()
  const day = '2027-01-05'
  const answer = await meridian.request({
    method: 'POST',
    url: `/api/calendars/${calendar.id}/many-changes`,
    cookie: owner.cookie,
    payload: { id: changeId, from: day, to: day, message: 'I am ill.', expected: 1, ...body },
  })
  expect(answer.statusCode, answer.body).toBe(202)
  await workOnManyChange(meridian.deps, { calendarId: calendar.id, changeId })
}

/** Opens an hour of a weekday. Nothing is announced: no operation did it. */
async function openHour(day_of_week: number, start_time: string, end_time: string): Promise<void> {
  await meridian.database.db
    .insertInto('availability')
    .values({ calendar_id: calendar.id, id: randomUUID(), day_of_week, start_time, end_time })
    .execute()
}
