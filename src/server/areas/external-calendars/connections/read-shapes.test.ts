import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { type Interval, overlaps } from '#core/shared/interval.ts'
import { addDays, toEpochMs } from '#core/shared/zoned-time.ts'
import { buildIcsProvider } from '#server/integrations/ics/adapter.ts'
import { ICS_PARSERS } from '#server/integrations/ics/parsers.ts'
import shapes from '#tests/cases/ics-shapes.json' with { type: 'json' }
import { waitUntilCalendarJobsFinish } from '#tests/support/connected-calendar.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { makeCalendar, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import { runReadingsInProcess } from '#tests/support/read-here.ts'
import { buildCheckBeforeBooking } from './check-before-booking.ts'

let owner: TestOwner
/** The file that the URL returns. */
let file = ''

/**
 * These tests follow calendar files of many forms, from the URL that an owner enters to the times that customers see.
 */
setUpMeridian({
  env: { DEFAULT_PLAN: 'enterprise', BUDGETS: GENEROUS_BUDGETS },
  calendarProviders: {
    ics: buildIcsProvider({
      fetchAddress: async () => new Response(file),
      ownUidHost: 'localhost',
      read: runReadingsInProcess(ICS_PARSERS),
    }),
  },
})

test.each(shapes)('$name: customers see the free quarter hours, also after a check', async (shape) => {
  // Set the clock as close to the day as customers can book.
  meridian.clock.ms = dayOf(shape).startMs - 7 * DAY_MS
  owner = await makeOwner(meridian)
  file = shape.ics
  const { id: calendarId, slug } = await makeCalendar(meridian, owner, { timezone: shape.calendar_zone })
  await openAllDay(calendarId)
  await connectFile(calendarId)
  const expected = listFreeQuarters(shape)
  expect(await listStarts(slug, shape.date)).toEqual(expected)
  meridian.clock.ms += 2 * MINUTE_MS
  const during = dayOf(shape)
  await buildCheckBeforeBooking(meridian.deps)({ calendar: { id: calendarId }, during, wanted: null })
  expect(await listStarts(slug, shape.date)).toEqual(expected)
})

test('an invitation that the owner declined is not busy', async () => {
  meridian.clock.ms = Date.parse('2027-04-28T00:00Z')
  owner = await makeOwner(meridian)
  const invitation = (uid: string, hour: string, address: string) => [
    ...['BEGIN:VEVENT', `UID:${uid}`, `DTSTART:20270505T${hour}0000Z`, 'DURATION:PT1H'],
    ...['ORGANIZER:mailto:boss@example.com', `ATTENDEE;PARTSTAT=DECLINED:mailto:${address}`, 'END:VEVENT'],
  ]
  const lines = [
    ...invitation('a', '09', owner.email.toUpperCase()),
    ...invitation('b', '13', 'grace@example.com'),
  ]
  file = ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n')
  const shape = {
    ...{ name: 'declined', ics: file, note: '', calendar_zone: 'UTC', date: '2027-05-05' },
    busy: [['2027-05-05T13:00:00Z', '2027-05-05T14:00:00Z']],
  }
  const { id: calendarId, slug } = await makeCalendar(meridian, owner, { timezone: 'UTC' })
  await openAllDay(calendarId)
  await connectFile(calendarId)
  expect(await listStarts(slug, shape.date)).toEqual(listFreeQuarters(shape))
  meridian.clock.ms += 2 * MINUTE_MS
  const during = dayOf(shape)
  await buildCheckBeforeBooking(meridian.deps)({ calendar: { id: calendarId }, during, wanted: null })
  expect(await listStarts(slug, shape.date)).toEqual(listFreeQuarters(shape))
})

type Shape = (typeof shapes)[number]

/** The duration of an appointment without a type. */
const APPOINTMENT_MS = 30 * MINUTE_MS

async function connectFile(calendarId: string): Promise<void> {
  const answer = await owner.post(`/api/calendars/${calendarId}/external-calendars/ics`, {
    url: `https://files.example/${randomUUID()}.ics`,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  await waitUntilCalendarJobsFinish(meridian)
}

async function openAllDay(calendarId: string): Promise<void> {
  const { database } = meridian
  await database.execute('delete from availability where calendar_id = $1', [calendarId])
  await database.execute(
    `insert into availability (id, calendar_id, day_of_week, start_time, end_time)
      select gen_random_uuid(), $1, day, '00:00', '24:00' from generate_series(0, 6) as day`,
    [calendarId],
  )
  const answer = await owner.patch(`/api/calendars/${calendarId}/slot-settings`, {
    slot_duration_minutes: 15,
  })
  expect(answer.statusCode, answer.body).toBe(200)
}

function dayOf({ date, calendar_zone }: Shape): Interval {
  return {
    startMs: toEpochMs(date, 0, calendar_zone),
    endMs: toEpochMs(addDays(date, 1), 0, calendar_zone),
  }
}

function listFreeQuarters(shape: Shape): string[] {
  const busy = shape.busy.map(([from = '', until = '']) => ({
    startMs: Date.parse(from),
    endMs: Date.parse(until),
  }))
  const { startMs, endMs } = dayOf(shape)
  return Array.from({ length: DAY_MS / (15 * MINUTE_MS) + 8 }, (_, index) => startMs + index * 15 * MINUTE_MS)
    .filter((quarterMs) => quarterMs < endMs)
    .map((quarterMs) => ({ startMs: quarterMs, endMs: quarterMs + APPOINTMENT_MS }))
    .filter((quarter) => !busy.some((one) => overlaps(one, quarter)))
    .map((quarter) => new Date(quarter.startMs).toISOString())
}

async function listStarts(slug: string, date: string): Promise<string[]> {
  const answer = await meridian.get(`/api/public/calendars/${slug}/slots?date=${date}`)
  expect(answer.statusCode, answer.body).toBe(200)
  const slots: { starts_at: string }[] = answer.json().slots
  return slots.map(({ starts_at }) => new Date(starts_at).toISOString())
}
