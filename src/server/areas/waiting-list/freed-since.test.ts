import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment } from '#tests/support/meridian.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'
import {
  joinWaitingList,
  joinWaitingListAndConfirm,
  listWaitingListEntries,
  tokenInWaitingListEmail,
  waitUntilScansFinish,
} from '#tests/support/waiting.ts'
import { scanWaitingList } from './scan-waiting-list.ts'

let email: string

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  meridian.mails.length = 0
  email = `ada-${randomUUID()}@example.com`
  await meridian.database.db.deleteFrom('availability').where('calendar_id', '=', calendar.id).execute()
  await open('09:00', '10:00')
})

/** Times on Tuesday in London, where two half hours are open. */
const [NINE, HALF_PAST] = ['2027-01-05T09:00:00.000Z', '2027-01-05T09:30:00.000Z']
const TUESDAY = { to_date: '2027-01-05' }

test('times that were free when the customer joined are never offered, however often the list is scanned', async () => {
  await wait()
  expect(await offered()).toEqual([])
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: 'bob@example.com', ...TUESDAY })
  await waitUntilScansFinish(meridian)
  expect(await offered()).toEqual([])
  expect((await bookAppointment(meridian, calendar.slug, { starts_at: NINE })).statusCode).toBe(201)
  await look()
  expect(await offered()).toEqual([])
})

test('requests added by the owner count from the moment when they are added', async () => {
  const url = `/api/calendars/${calendar.id}/waiting-list`
  const dates = { from_date: '2027-01-05', ...TUESDAY }
  const wish = { ...dates, weekdays: [2], day_parts: ['morning'], name: 'Ada', email, phone: '' }
  const added = await owner.post(url, wish)
  expect(added.statusCode, added.body).toBe(201)
  await waitUntilScansFinish(meridian)
  await look()
  expect(await offered()).toEqual([])
})

describe('a time is offered', () => {
  test('when it was booked and cancelled between two scans', async () => {
    await wait()
    await bookAndCancel(NINE)
    expect(await offered()).toEqual([NINE])
  })

  test('when it was in the buffer of a cancelled appointment, but not the free time beside it', async () => {
    await open('10:00', '11:00')
    await meridian.database.execute('update calendars set buffer_time_minutes = 30 where id = $1', [
      calendar.id,
    ])
    await wait({ email })
    const bob = `bob-${randomUUID()}@example.com`
    const carol = `carol-${randomUUID()}@example.com`
    await wait({ email: bob })
    await wait({ email: carol })
    await bookAndCancel(NINE)
    // The buffer allows an offer of only one of 9:00 and 9:30 at a time, and never of 10:00.
    expect(await offered()).toEqual([NINE])
  })

  test('when the wrap-up of a cancelled appointment was in it, or in its own preparation', async () => {
    await open('10:00', '11:00')
    const bookedId = await addAppointmentType(meridian, calendar.id, { wrap_up_minutes: 10 })
    const typeId = await addAppointmentType(meridian, calendar.id, { prepare_minutes: 25 })
    await wait({ email, appointment_type_id: typeId })
    const bob = `bob-${randomUUID()}@example.com`
    await wait({ email: bob, appointment_type_id: typeId })
    await cancel(await bookAt(NINE, bookedId))
    // 9:30 was in reach too, but it does not leave time for the preparation after an appointment at 9:00.
    expect(await offered()).toEqual([NINE, '2027-01-05T10:00:00.000Z'])
  })

  test('when a scan saw it taken and it was cancelled afterwards', async () => {
    const id = await bookAt(NINE)
    await wait()
    await look()
    await cancel(id)
    expect(await offered()).toEqual([NINE])
  })

  test('when it became free between the request and its confirmation by email', async () => {
    const id = await bookAt(NINE)
    expect((await joinWaitingList(meridian, calendar.slug, { email, ...TUESDAY })).statusCode).toBe(202)
    const mail = await meridian.waitForMail(({ to }) => to.address === email)
    await cancel(id)
    await waitUntilScansFinish(meridian)
    const url = `/api/public/waiting-list/${tokenInWaitingListEmail(mail)}/confirmation`
    expect((await meridian.post(url)).statusCode).toBe(200)
    await waitUntilScansFinish(meridian)
    await look()
    expect(await offered()).toEqual([NINE])
  })

  test('when its hours were closed and are opened again, but not the time beside it', async () => {
    await wait()
    await setHours('09:30', '10:00')
    await look()
    await setHours('09:00', '10:00')
    await look()
    expect(await offered()).toEqual([NINE])
  })

  test('when new opening hours are added', async () => {
    await wait()
    await open('11:00', '11:30')
    await look()
    expect(await offered()).toEqual(['2027-01-05T11:00:00.000Z'])
  })

  test('only to customers who joined before it became free', async () => {
    const id = await bookAt(NINE)
    await wait()
    await cancel(id)
    await waitUntilScansFinish(meridian)
    const late = `late-${randomUUID()}@example.com`
    await wait({ email: late })
    await open('11:00', '11:30')
    await look()
    const { entries } = await listWaitingListEntries(meridian, owner, calendar)
    expect(entries.map(({ offers }) => offers.map(({ starts_at }) => starts_at))).toEqual([
      [NINE],
      ['2027-01-05T11:00:00.000Z'],
    ])
  })
})

test('the end of a pause offers no times', async () => {
  await wait()
  const pause = (isPaused: boolean) =>
    meridian.database.execute('update calendars set is_paused = $2 where id = $1', [calendar.id, isPaused])
  await pause(true)
  await look()
  await pause(false)
  await look()
  expect(await offered()).toEqual([])
})

test('a request stored by an earlier version counts from the next scan', async () => {
  await wait()
  await meridian.database.execute('delete from waiting_free_times where calendar_id = $1', [calendar.id])
  await meridian.database.execute('update waiting_entries set look_no = null where calendar_id = $1', [
    calendar.id,
  ])
  await look()
  expect(await offered()).toEqual([])
  await bookAndCancel(HALF_PAST)
  expect(await offered()).toEqual([HALF_PAST])
})

test('freed times in the past are deleted', async () => {
  await wait({ email, to_date: '2027-01-12' })
  meridian.clock.ms = Date.parse('2027-01-06T00:00:00Z')
  await look()
  const kept = await meridian.database.db
    .selectFrom('waiting_free_times')
    .select('starts_at')
    .where('calendar_id', '=', calendar.id)
    .where('starts_at', '<', new Date(meridian.clock.ms))
    .execute()
  expect(kept).toEqual([])
})

async function wait(
  body: { email: string; to_date?: string; appointment_type_id?: string } = { email },
): Promise<void> {
  await joinWaitingListAndConfirm(meridian, calendar.slug, { ...TUESDAY, ...body })
  await waitUntilScansFinish(meridian)
}

async function look(): Promise<void> {
  await scanWaitingList(meridian.deps, calendar.id)
}

async function bookAt(starts_at: string, appointment_type_id?: string): Promise<string> {
  const booked = await bookAppointment(meridian, calendar.slug, { starts_at, appointment_type_id })
  expect(booked.statusCode, booked.body).toBe(201)
  return booked.json().id
}

async function bookAndCancel(starts_at: string): Promise<void> {
  await cancel(await bookAt(starts_at))
  await waitUntilScansFinish(meridian)
}

async function cancel(id: string): Promise<void> {
  const cancelled = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, {
    action: 'cancel',
    was: { status: 'confirmed', payment_status: 'not_required' },
  })
  expect(cancelled.statusCode, cancelled.body).toBe(200)
}

/** Opens hours on Tuesdays directly in the database, so no scan is requested. */
async function open(start_time: string, end_time: string): Promise<void> {
  await meridian.database.db
    .insertInto('availability')
    .values({ calendar_id: calendar.id, id: randomUUID(), day_of_week: 2, start_time, end_time })
    .execute()
}

async function setHours(start_time: string, end_time: string): Promise<void> {
  await meridian.database.db.deleteFrom('availability').where('calendar_id', '=', calendar.id).execute()
  await open(start_time, end_time)
}

/** Lists all times that were offered, to any customer. */
async function offered(): Promise<string[]> {
  await waitUntilScansFinish(meridian)
  const { entries } = await listWaitingListEntries(meridian, owner, calendar)
  return entries.flatMap(({ offers }) => offers.map(({ starts_at }) => starts_at)).sort()
}
