import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { addExternalCalendar, addExternalEvent } from '#tests/support/external-calendar-rows.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { type BlockingSession, openBlockingSession } from '#tests/support/other-session.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { queryNumber, startOnPostgresServer, waitUntilEmailsSent } from '#tests/support/race-track.ts'

let meridian: TestMeridian
let owner: TestOwner
let other: BlockingSession

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  meridian = await startOnPostgresServer({ url, poolSize: 20, env: { DEFAULT_PLAN: 'enterprise' } })
  owner = await makeOwner(meridian)
  other = await openBlockingSession(url)
})
afterAll(async () => {
  await other.end()
  await meridian.stop()
})

describe('a calendar that is deleted while it is booked', () => {
  test('leaves nothing behind, and tells whoever was booked before', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const bookings = Array.from({ length: 16 }, (_, i) =>
      bookAppointment(meridian, calendar.slug, { starts_at: timeOf(i), customer: customer(calendar, i) }),
    )
    // Deletes the calendar while it is being booked, and a second time, which finds no calendar.
    await Promise.race(bookings)
    const deletions = await Promise.all([deleteCalendar(calendar), deleteCalendar(calendar)])
    const answers = await Promise.all(bookings)

    expect(deletions.map((answer) => answer.statusCode).sort()).toEqual([204, 404])
    const refused = answers.filter((answer) => answer.statusCode !== 201)
    expect(refused.map((answer) => answer.json().code)).toEqual(refused.map(() => 'calendar.not_found'))
    expect(await countOf('appointments', calendar)).toBe(0)
    expect(await countOf('customers', calendar)).toBe(0)

    await waitUntilEmailsSent(meridian.database)
    const told = meridian.mails.filter((mail) => /cancel/i.test(mail.subject)).map((mail) => mail.to.address)
    const booked = answers.flatMap((answer, i) =>
      answer.statusCode === 201 ? [customer(calendar, i).email] : [],
    )
    expect(told.filter((address) => address.includes(calendar.id)).sort()).toEqual(booked.sort())
  })

  test('is not found by a booking that had to wait for the deletion', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const { answer } = await other.hold([['delete from calendars where id = $1', [calendar.id]]], () =>
      bookAppointment(meridian, calendar.slug),
    )
    expect([answer.statusCode, answer.json().title]).toEqual([404, PROBLEMS['calendar.not_found'].title])
  })

  test('is not found by an owner who adds a type to it in another window', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const { answer } = await other.hold([['delete from calendars where id = $1', [calendar.id]]], () =>
      createType(calendar),
    )
    expect([answer.statusCode, answer.json().title]).toEqual([404, PROBLEMS['calendar.not_found'].title])
  })
})

describe('an appointment type that is deleted while it is booked', () => {
  test('is refused in a sentence to a booking that had to wait for the deletion', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const typeId = (await createType(calendar)).json().id
    const { answer } = await other.hold([['delete from appointment_types where id = $1', [typeId]]], () =>
      bookAppointment(meridian, calendar.slug, { appointment_type_id: typeId }),
    )
    expect([answer.statusCode, answer.json().title]).toEqual([400, PROBLEMS['booking.type_unknown'].title])
    expect(await countOf('appointments', calendar)).toBe(0)
  })

  test('stays on the appointments that were booked before, by its name', async () => {
    const calendar = await makeCalendar(meridian, owner)
    await createType(calendar)
    const typeId = (await createType(calendar)).json().id
    const bookings = Array.from({ length: 12 }, (_, i) =>
      bookAppointment(meridian, calendar.slug, {
        starts_at: timeOf(i),
        appointment_type_id: typeId,
        customer: customer(calendar, i),
      }),
    )
    await Promise.race(bookings)
    const deletion = await owner.delete(`/api/calendars/${calendar.id}/appointment-types/${typeId}`)
    const answers = await Promise.all(bookings)

    expect(deletion.statusCode).toBe(204)
    const refused = answers.filter((answer) => answer.statusCode !== 201)
    expect(refused.map((answer) => answer.json().code)).toEqual(refused.map(() => 'booking.type_unknown'))
    const named = `select count(*) from appointments
      where calendar_id = $1 and appointment_type_id = $2 and appointment_type_name = 'Consultation'`
    expect(await queryNumber(meridian.database, named, [calendar.id, typeId])).toBe(
      answers.length - refused.length,
    )
  })
})

test('an external calendar that is chosen while its calendar is booked stands against the booking that had to wait', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const reader = await makeCalendar(meridian, owner)
  const { id } = await addExternalCalendar(meridian, owner, reader.id)
  await addExternalEvent(meridian, id, { startsAt: '2027-01-04T09:00:00Z', endsAt: '2027-01-04T10:00:00Z' })
  const choice = [
    ['select from calendars where id = $1 for no key update', [calendar.id]],
    [
      `insert into used_external_calendars (calendar_id, external_calendar_id, reads_busy_times)
       values ($1, $2, true)`,
      [calendar.id, id],
    ],
  ] as const
  const { answer } = await other.hold(choice, () => bookAppointment(meridian, calendar.slug))
  expect([answer.statusCode, answer.json().title]).toEqual([409, PROBLEMS['booking.slot_unavailable'].title])
})

describe('cancellation requests', () => {
  test('of 8 simultaneous ones for an appointment one counts, and the owner is told once', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const { id, booking_reference } = (await bookAppointment(meridian, calendar.slug)).json()
    const answers = await Promise.all(Array.from({ length: 8 }, () => requestCancellation(id)))
    const refused = answers.filter((answer) => answer.statusCode !== 200)
    expect(refused.map((answer) => answer.json().title)).toEqual(
      Array(7).fill(PROBLEMS['appointment.cancellation_pending'].title),
    )
    await waitUntilEmailsSent(meridian.database)
    const told = meridian.mails.filter(
      (mail) => mail.to.address === owner.email && mail.text.includes(booking_reference),
    )
    expect(told.filter((mail) => /cancel/i.test(mail.subject))).toHaveLength(1)
  })

  test('give nobody the time as long as the owner has not agreed', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    const [request, ...bookings] = await Promise.all([
      requestCancellation(id),
      ...Array.from({ length: 8 }, (_, i) =>
        bookAppointment(meridian, calendar.slug, { customer: customer(calendar, i) }),
      ),
    ])
    expect(request.statusCode).toBe(200)
    expect(bookings.map((answer) => answer.json().title)).toEqual(
      Array(8).fill(PROBLEMS['booking.slot_unavailable'].title),
    )
    expect(await countOf('appointments', calendar)).toBe(1)
  })

  test('for an appointment whose calendar is just being deleted find nothing', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    const { answer } = await other.hold([['delete from calendars where id = $1', [calendar.id]]], () =>
      requestCancellation(id),
    )
    expect([answer.statusCode, answer.json().title]).toEqual([404, PROBLEMS['appointment.not_found'].title])
  })
})

/** The i-th half hour of Monday, counted from 09:00 in London. */
function timeOf(i: number): string {
  return new Date(Date.parse('2027-01-04T09:00:00Z') + i * 1_800_000).toISOString()
}

function customer(calendar: Calendar, i: number): { name: string; email: string } {
  return { name: `Guest ${i}`, email: `guest-${i}@${calendar.id}.example` }
}

function deleteCalendar(calendar: Calendar): Promise<LightMyRequestResponse> {
  return owner.delete(`/api/calendars/${calendar.id}`)
}

function createType(calendar: Calendar): Promise<LightMyRequestResponse> {
  return owner.post(`/api/calendars/${calendar.id}/appointment-types`, { name: 'Consultation', duration: 30 })
}

function requestCancellation(id: string): Promise<LightMyRequestResponse> {
  return meridian.post(`/api/public/appointments/${id}/cancellation-request`)
}

function countOf(table: 'appointments' | 'customers', calendar: Calendar): Promise<number> {
  return queryNumber(meridian.database, `select count(*) from ${table} where calendar_id = $1`, [calendar.id])
}
