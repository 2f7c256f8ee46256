import { beforeEach, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { addDays, localDateOf } from '#core/shared/zoned-time.ts'
import { explainRequestedStart } from '#server/records/slots/use-cases.ts'
import * as fc from '#tests/support/fast-check.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeOwner } from '#tests/support/meridian.ts'
import { addAppointmentType, addLocation, setPrimaryLocation } from '#tests/support/stored-rows.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

/** Triggers take the time from the database, so these tests take place at the real time. A whole minute, some hours ago. */
const FIRST_MS = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 20 * HOUR_MS
/** A Monday at least a week ahead. */
const MONDAY = nextMonday()

let typeId: string
let recorded: number

beforeEach(async () => {
  typeId = await addAppointmentType(meridian, calendar.id)
  await setPrimaryLocation(meridian, calendar.id, await addLocation(meridian, owner))
  await meridian.database.execute('update calendars set created_at = $2 where id = $1', [
    calendar.id,
    new Date(FIRST_MS - DAY_MS),
  ])
  recorded = 0
  await stampChanges(FIRST_MS - DAY_MS)
  meridian.clock.ms = FIRST_MS
})

test('the day that was closed yesterday and opened again is explained by the hours of yesterday (rule T78)', async () => {
  const day = addDays(MONDAY, 4)
  const closed = await owner.post(path('/special-days'), {
    first_date: day,
    last_date: day,
    note: 'Away',
    hours: [],
  })
  expect(closed.statusCode, closed.body).toBe(201)
  await stampChanges(FIRST_MS + HOUR_MS)
  meridian.clock.ms = FIRST_MS + 2 * HOUR_MS + 12 * MINUTE_MS
  const start = `${day}T10:00:00Z`
  expect(
    (await bookAppointment(meridian, calendar.slug, { starts_at: start, appointment_type_id: typeId }))
      .statusCode,
  ).toBe(409)
  meridian.clock.ms = FIRST_MS + 5 * HOUR_MS
  expect((await owner.delete(path(`/special-days/${closed.json().id}`))).statusCode).toBe(204)
  await stampChanges(FIRST_MS + 4 * HOUR_MS)

  const then = await ask(day, '10:00', FIRST_MS + 3 * HOUR_MS)
  expect(then).toMatchObject({
    reasons: ['special_day'],
    knows_all_events: true,
    refusals: [{ reasons: ['special_day'], times: 1, appointment_type_name: 'Consultation' }],
  })
  expect(new Date(then.refusals[0].at).getTime()).toBe(FIRST_MS + 2 * HOUR_MS + 12 * MINUTE_MS)
  expect((await ask(day, '10:00', FIRST_MS)).reasons).toEqual([])
  expect((await ask(day, '10:00', FIRST_MS + 5 * HOUR_MS)).reasons).toEqual([])
})

test('an appointment takes its time from its booking to its cancellation, and where it was before a move', async () => {
  const book = (starts_at: string) =>
    bookAppointment(meridian, calendar.slug, { starts_at, appointment_type_id: typeId })
  meridian.clock.ms = FIRST_MS + HOUR_MS
  const { id } = (await book(`${MONDAY}T10:00:00Z`)).json()
  meridian.clock.ms = FIRST_MS + 2 * HOUR_MS
  const moved = await owner.post(path(`/appointments/${id}/move`), {
    starts_at: `${MONDAY}T11:00:00Z`,
    expected_starts_at: `${MONDAY}T10:00:00Z`,
  })
  expect(moved.statusCode, moved.body).toBe(200)
  meridian.clock.ms = FIRST_MS + 3 * HOUR_MS
  const cancelled = await owner.post(path(`/appointments/${id}/actions`), {
    action: 'cancel',
    seen: { status: 'confirmed', payment_status: 'not_required' },
  })
  expect(cancelled.statusCode, cancelled.body).toBe(200)
  meridian.clock.ms = FIRST_MS + 5 * HOUR_MS
  const seen = async (hours: number) => [
    (await ask(MONDAY, '10:00', FIRST_MS + hours * HOUR_MS)).reasons,
    (await ask(MONDAY, '11:00', FIRST_MS + hours * HOUR_MS)).reasons,
  ]
  expect(await seen(0)).toEqual([[], []])
  expect(await seen(1)).toEqual([['busy'], []])
  expect(await seen(2)).toEqual([[], ['busy']])
  expect(await seen(4)).toEqual([[], []])
})

test('random changes: the answer at each moment is that of the settings and appointments of that moment', async () => {
  const starts = ['08:00', '09:00', '10:00', '10:15', '12:30', '16:45'].flatMap((time) =>
    [0, 1, 5].map((days) => ({ date: addDays(MONDAY, days), time })),
  )
  let calendars = 0
  await fc.assert(
    fc.asyncProperty(fc.array(anyChange(), { minLength: 4, maxLength: 7 }), async (changes) => {
      calendars += 1
      const expected: Awaited<ReturnType<typeof explainAll>>[] = []
      for (const [i, change] of changes.entries()) {
        meridian.clock.ms = FIRST_MS + i * HOUR_MS
        expected.push(await explainAll(starts))
        meridian.clock.ms += 10 * MINUTE_MS
        await change()
        await stampChanges(meridian.clock.ms)
      }
      meridian.clock.ms = FIRST_MS + 19 * HOUR_MS
      for (const [i, answers] of expected.entries()) {
        for (const { date, time, reasons } of answers)
          expect((await ask(date, time, FIRST_MS + i * HOUR_MS)).reasons, `${i}: ${date} ${time}`).toEqual(
            reasons,
          )
      }
      // The next run goes on with the settings that this one left, an hour later than all of them.
      await meridian.database.execute(`update setting_history set at = $2 where calendar_id = $1`, [
        calendar.id,
        new Date(FIRST_MS - HOUR_MS),
      ])
      await meridian.database.execute(`delete from appointments where calendar_id = $1`, [calendar.id])
    }),
    { numRuns: 5 },
  )
  expect(calendars).toBeGreaterThan(0)
}, 240_000)

test('a moment in the future, before the calendar, or more than 400 days ago is refused with a sentence', async () => {
  await expectRefused(FIRST_MS + HOUR_MS, 'past_time.future')
  await expectRefused(FIRST_MS - 2 * DAY_MS, 'past_time.unknown')
  await meridian.database.execute(`update calendars set created_at = $2 where id = $1`, [
    calendar.id,
    new Date(FIRST_MS - 500 * DAY_MS),
  ])
  await meridian.database.execute('update setting_history set at = $2 where calendar_id = $1', [
    calendar.id,
    new Date(FIRST_MS - 450 * DAY_MS),
  ])
  await expectRefused(FIRST_MS - 401 * DAY_MS, 'past_time.unknown')
  expect((await ask(MONDAY, '10:00', FIRST_MS - 399 * DAY_MS)).reasons).toEqual([])
})

test('a type that did not exist then is refused, and nobody asks about another owner’s calendar', async () => {
  await meridian.database.execute(
    `update setting_history set at = $2 where calendar_id = $1 and what = 'appointment_types'`,
    [calendar.id, new Date(FIRST_MS - MINUTE_MS)],
  )
  await expectRefused(FIRST_MS - HOUR_MS, 'past_time.type_unknown')
  const stranger = await makeOwner(meridian)
  expect((await stranger.get(toUrl(MONDAY, '10:00', FIRST_MS))).statusCode).toBe(403)
})

function path(rest: string): string {
  return `/api/calendars/${calendar.id}${rest}`
}

/** Gives the changes that were recorded since the last call the time of the test's clock. */
async function stampChanges(atMs: number): Promise<void> {
  const { rows } = await meridian.database.execute(
    `with stamped as (update setting_history set at = $2 where calendar_id = $1 and number > $3 returning number)
     select coalesce(max(number), $3)::integer as last from stamped`,
    [calendar.id, new Date(atMs), recorded],
  )
  recorded = Number(rows[0]?.last)
}

function toUrl(date: string, time: string, momentMs: number): string {
  // The calendar's zone may have changed; a moment is typed on its present clock.
  const moment = new Date(momentMs)
  const parts = new URLSearchParams({
    date,
    time,
    appointment_type_id: typeId,
    moment_date: moment.toISOString().slice(0, 10),
    moment_time: moment.toISOString().slice(11, 16),
  })
  return path(`/past-time?${parts}`)
}

async function ask(date: string, time: string, momentMs: number) {
  const answer = await owner.get(toUrl(date, time, momentMs))
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

async function expectRefused(momentMs: number, code: keyof typeof PROBLEMS): Promise<void> {
  const answer = await owner.get(toUrl(MONDAY, '10:00', momentMs))
  expect(answer.json()).toMatchObject({ code, status: PROBLEMS[code].status })
}

/** Explains starts as they are now, at the end of the minute of the clock. */
async function explainAll(starts: readonly { date: string; time: string }[]) {
  const nowMs = meridian.clock.ms + MINUTE_MS - 1
  const deps = { db: meridian.database.db, now: () => nowMs }
  const answers = []
  for (const { date, time } of starts) {
    const startsAtMs = Date.parse(`${date}T${time}:00Z`)
    const start = { slug: calendar.slug, typeId, startsAtMs, durationMinutes: undefined }
    answers.push({ date, time, reasons: (await explainRequestedStart(deps, start)).reasons })
  }
  return answers
}

type Change = () => Promise<void>

/** A change of a setting, a booking, or a cancellation. Refused changes change nothing, which is fine. */
function anyChange(): fc.Arbitrary<Change> {
  const send =
    (request: () => Promise<unknown>): Change =>
    async () =>
      void (await request())
  const day = fc.integer({ min: 0, max: 6 }).map((days) => addDays(MONDAY, days))
  const weekday = fc.integer({ min: 0, max: 6 })
  return fc.oneof(
    fc
      .record({
        slot_duration_minutes: fc.constantFrom(15, 30, 60),
        buffer_time_minutes: fc.constantFrom(0, 15, 30),
        minimum_notice_minutes: fc.constantFrom(0, 14_400),
        booking_window: fc.constantFrom(
          { kind: 'days', days: 3 },
          { kind: 'open_days', days: 5 },
          { kind: 'between', from: MONDAY, until: addDays(MONDAY, 4) },
          { kind: 'none' },
        ),
        booking_limits: fc.constantFrom([], [{ period: 'week', unit: 'appointments', most: 1 }]),
      })
      .map((settings) => send(() => owner.patch(path('/slot-settings'), settings))),
    fc
      .tuple(weekday, fc.constantFrom('08:00', '10:00'), fc.constantFrom('12:00', '24:00'))
      .map(([day_of_week, start_time, end_time]) =>
        send(() =>
          owner.put(path('/availability/days'), {
            days: [{ day_of_week, ranges: [{ start_time, end_time }] }],
          }),
        ),
      ),
    day.map((date) =>
      send(() => owner.post(path('/special-days'), { first_date: date, last_date: date, hours: [] })),
    ),
    fc
      .record({
        duration: fc.constantFrom(15, 30, 60),
        prepare_minutes: fc.constantFrom(0, 15),
        is_packed: fc.boolean(),
        start_step_minutes: fc.constantFrom(null, 0, 20),
        hours: fc.constantFrom([], [{ day_of_week: 1, start_time: '09:30', end_time: '13:00' }]),
      })
      .map((type) => send(() => owner.patch(path(`/appointment-types/${typeId}`), type))),
    fc.boolean().map((takes_bookings) => send(() => owner.patch(path(''), { takes_bookings }))),
    fc.tuple(day, fc.constantFrom('09:00', '10:00', '12:30')).map(([date, time]) =>
      send(() =>
        owner.post(path('/appointments'), {
          appointment_type_id: typeId,
          date,
          time,
          outside_hours: true,
          customer: { name: 'Grace Hopper' },
        }),
      ),
    ),
  )
}

function nextMonday(): string {
  const today = localDateOf(FIRST_MS, 'UTC')
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  return addDays(today, 7 + ((8 - weekday) % 7))
}
