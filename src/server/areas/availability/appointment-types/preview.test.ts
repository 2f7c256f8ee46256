import { expect, test } from 'vitest'
import type { AvailabilityPreview } from '#contract/availability/opening-hours.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeOwner } from '#tests/support/meridian.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

const MONDAY = '2027-01-04'
const TUESDAY = '2027-01-05'

test('a preview of a new type has the times that its rules would give. Source: rule T71', async () => {
  const days = await preview({ duration: 120, start_step_minutes: 0 })
  expect(days[TUESDAY]).toEqual(['09:00:00', '11:00:00', '13:00:00', '15:00:00'])
  expect(days['2027-01-10']).toEqual([])
  expect(Object.keys(days)).toHaveLength(7)
})

test('a preview of a type has exactly the times that customers are offered once it is saved', async () => {
  const type = await createType({ name: 'Visit' })
  const starts_at = `${TUESDAY}T11:00:00Z`
  const booked = await bookAppointment(meridian, calendar.slug, { starts_at, appointment_type_id: type.id })
  expect(booked.statusCode).toBe(201)
  const rules = {
    prepare_minutes: 30,
    hours: [{ day_of_week: 2, start_time: '10:00', end_time: '13:00' }],
    booking_limits: [{ most: 2, unit: 'appointments', period: 'day' }],
    booking_window: { kind: 'days', days: 5 },
  }
  const days = await preview({ appointment_type_id: type.id, ...rules })
  expect(days[TUESDAY]).toEqual(['10:00:00', '10:30:00', '12:00:00', '12:30:00'])
  expect((await owner.patch(`${typesPath()}/${type.id}`, rules)).statusCode).toBe(200)
  expect(await offered(type.id, TUESDAY)).toEqual(days[TUESDAY])
})

test('a preview saves nothing, not even a change in the history of the settings', async () => {
  const type = await createType({ name: 'Visit', seats: 4 })
  const before = await readAll()
  await preview({ duration: 60 })
  await preview({
    appointment_type_id: type.id,
    duration: 60,
    seats: 8,
    hours: [{ day_of_week: 2, start_time: '10:00', end_time: '13:00' }],
    booking_limits: [{ most: 2, unit: 'appointments', period: 'day' }],
  })
  expect(await readAll()).toEqual(before)
})

test('a form that gives a type seats and takes its series away can be previewed', async () => {
  const type = await createType({ name: 'Visit', series_rule: { every_weeks: [1], most_dates: 4 } })
  expect((await preview({ appointment_type_id: type.id, seats: 3 }))[TUESDAY]).toHaveLength(16)
})

test('wrong rules, and those of somebody else, are refused', async () => {
  expectRefusal(await ask({ duration: 1 }), 'appointment_type.duration_too_short')
  expectRefusal(await ask({ from: '2200-12-31' }), 'request.invalid')
  const unknown = '5b0ef64a-0f7c-4b0c-8a4e-5a0f3f6d8a11'
  expectRefusal(await ask({ appointment_type_id: unknown }), 'appointment_type.not_found')
  expectRefusal(await ask({ location_id: unknown }), 'location.not_found')
  const stranger = await makeOwner(meridian)
  expectRefusal(await stranger.post(`${typesPath()}/preview`, { from: MONDAY }), 'calendar.forbidden')
})

test('one client can’t ask without end', async () => {
  let last = await ask({ duration: 1 })
  for (let i = 0; i < 200 && last.statusCode !== 429; i += 1) last = await ask({ duration: 1 })
  expect(last.statusCode).toBe(429)
})

function typesPath(): string {
  return `/api/calendars/${calendar.id}/appointment-types`
}

async function createType(body: object): Promise<{ id: string }> {
  return (await owner.post(typesPath(), body)).json()
}

function ask(body: object) {
  return owner.post(`${typesPath()}/preview`, { from: MONDAY, ...body })
}

/** The starts of each day. */
async function preview(body: object): Promise<Record<string, string[]>> {
  const answer = await ask(body)
  expect(answer.statusCode, answer.body).toBe(200)
  const { days }: AvailabilityPreview = answer.json()
  return Object.fromEntries(days.map(({ date, slots }) => [date, slots.map(({ slot_start }) => slot_start)]))
}

async function offered(typeId: string, date: string): Promise<string[]> {
  const query = new URLSearchParams({ date, appointment_type_id: typeId })
  const answer = await meridian.app.inject(`/api/public/calendars/${calendar.slug}/slots?${query}`)
  return answer.json().slots.map(({ slot_start }: { slot_start: string }) => slot_start)
}

/** Everything that saving a type could change. */
async function readAll(): Promise<unknown[]> {
  const tables = [
    'appointment_types',
    'type_hours',
    'booking_limits',
    'setting_history',
    'group_sessions',
  ] as const
  const all: unknown[] = []
  for (const table of tables) all.push(await meridian.database.db.selectFrom(table).selectAll().execute())
  return all
}
