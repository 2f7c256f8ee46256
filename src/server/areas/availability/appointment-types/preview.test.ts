import { expect, test } from 'vitest'
import type { AppointmentTypePreview } from '#contract/availability/appointment-types.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeOwner } from '#tests/support/meridian.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

const MONDAY = '2027-01-04'

test('a preview of a new type has the times that its rules would give, and saves nothing. Source: rule T71', async () => {
  const { days } = await preview({ duration: 120, start_step_minutes: 0 })
  expect(days).toHaveLength(7)
  expect(days[1]).toEqual({
    date: '2027-01-05',
    times: 4,
    first: '2027-01-05T09:00:00Z',
    last: '2027-01-05T15:00:00Z',
  })
  expect(days[6]).toEqual({ date: '2027-01-10', times: 0, first: null, last: null })
  expect((await owner.get(typesPath())).json().appointment_types).toEqual([])
})

test('a preview of a type counts what is booked, and leaves the type as it is', async () => {
  const type = (await owner.post(typesPath(), { name: 'Visit' })).json()
  const starts_at = '2027-01-05T09:00:00Z'
  const booked = await bookAppointment(meridian, calendar.slug, { starts_at, appointment_type_id: type.id })
  expect(booked.statusCode).toBe(201)
  const rules = { appointment_type_id: type.id, duration: 60, booking_window: { kind: 'days', days: 1 } }
  const { days } = await preview(rules)
  expect(days[1]).toMatchObject({ first: '2027-01-05T09:30:00Z', last: '2027-01-05T16:00:00Z' })
  expect(days[2]?.times).toBe(0)
  expect((await owner.get(typesPath())).json().appointment_types).toEqual([type])
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

function typesPath(): string {
  return `/api/calendars/${calendar.id}/appointment-types`
}

function ask(body: object) {
  return owner.post(`${typesPath()}/preview`, { from: MONDAY, ...body })
}

async function preview(body: object): Promise<AppointmentTypePreview> {
  const answer = await ask(body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
