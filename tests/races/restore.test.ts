import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import type { AppointmentAction } from '#core/appointments/appointment-actions.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { type BlockingSession, openBlockingSession } from '#tests/support/other-session.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import {
  countDeadlocks,
  queryNumber,
  startOnPostgresServer,
  waitUntilEmailsSent,
} from '#tests/support/race-track.ts'
import { addAppointments, addLocation, setPrimaryLocation } from '#tests/support/stored-rows.ts'

const CONFLICT = PROBLEMS['appointment.restore_conflict'].title
const NINE = '2027-01-04T09:00:00Z'

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

describe('cancelled appointments of one time', () => {
  test('restored all at once, one gets it and the others are told why', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const ids = await addCancelled(calendar, 8)
    const answers = await Promise.all(ids.map((id) => restore(calendar, id)))
    expect(sentencesOf(answers)).toEqual(['restored', ...Array(7).fill(CONFLICT)])
    expect(await countStanding(calendar)).toBe(1)
    expect(await countDeadlocks(meridian.database)).toBe(0)
  })

  test('come back by every way out of cancelled at once, and still one gets it', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const ids = await addCancelled(calendar, 9)
    const actions = ['restore', 'mark_paid', 'mark_pending'] as const
    const answers = await Promise.all(ids.map((id, i) => act(calendar, id, actions[i % 3] ?? 'restore')))
    expect(sentencesOf(answers)).toEqual(['restored', ...Array(8).fill(CONFLICT)])
    expect(await countStanding(calendar)).toBe(1)
  })

  test('and bookings of it never both have it', async () => {
    const calendar = await makeCalendar(meridian, owner)
    for (const day of ['04', '05', '06', '07', '08']) {
      const starts_at = `2027-01-${day}T09:00:00Z`
      const [id = ''] = await addCancelled(calendar, 1, { startsAt: starts_at })
      const answers = await Promise.all([
        bookAppointment(meridian, calendar.slug, { starts_at }),
        restore(calendar, id),
        bookAppointment(meridian, calendar.slug, { starts_at }),
      ])
      const got = answers.filter(({ statusCode }) => statusCode < 300)
      expect(got, answers.map((answer) => answer.body).join('\n')).toHaveLength(1)
    }
    expect(await countStanding(calendar)).toBe(5)
  })
})

test('an exclusive place is given back to one of two calendars', async () => {
  const calendars = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
  const conflict_location_id = await addLocation(meridian, owner)
  const wishes: { calendar: Calendar; id: string }[] = []
  for (const calendar of calendars) {
    await setPrimaryLocation(meridian, calendar.id, conflict_location_id)
    for (const id of await addCancelled(calendar, 4, { conflict_location_id })) wishes.push({ calendar, id })
  }
  const answers = await Promise.all(wishes.map(({ calendar, id }) => restore(calendar, id)))
  expect(sentencesOf(answers)).toEqual(['restored', ...Array(7).fill(CONFLICT)])
  expect(await countDeadlocks(meridian.database)).toBe(0)
})

test('a place that became exclusive later is given back to one of two calendars, too', async () => {
  const calendars = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
  const location_id = await addLocation(meridian, owner)
  const wishes: { calendar: Calendar; id: string }[] = []
  for (const calendar of calendars) {
    await setPrimaryLocation(meridian, calendar.id, location_id)
    for (const id of await addCancelled(calendar, 4, { location_id })) wishes.push({ calendar, id })
  }
  const answers = await Promise.all(wishes.map(({ calendar, id }) => restore(calendar, id)))
  expect(sentencesOf(answers)).toEqual(['restored', ...Array(7).fill(CONFLICT)])
  expect(await countDeadlocks(meridian.database)).toBe(0)
})

test('a restoration waits for a booking that is under way, and then sees it', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const [id = ''] = await addCancelled(calendar, 1)
  const [holder = ''] = await addCancelled(calendar, 1)
  const { answer } = await other.hold(
    [
      ['select id from calendars where id = $1 for no key update', [calendar.id]],
      [`update appointments set status = 'confirmed' where id = $1`, [holder]],
    ],
    () => restore(calendar, id),
  )
  expect([answer.statusCode, answer.json().title]).toEqual([409, CONFLICT])
})

test('a customer’s request that the owner’s click had to wait for is not overlooked', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const { id } = (await bookAppointment(meridian, calendar.slug)).json()
  const request = `update appointments set status = 'pending_cancellation' where id = $1`
  const was = { status: 'confirmed', payment_status: 'not_required' }
  const { answer } = await other.hold([[request, [id]]], () => act(calendar, id, 'mark_paid', was))
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'appointment.changed_meanwhile'])
})

test('of 8 clicks on Cancel in as many windows each succeeds, and both are told once', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const booked = (await bookAppointment(meridian, calendar.slug)).json()
  const was = { status: 'confirmed', payment_status: 'not_required' }
  const answers = await Promise.all(Array.from({ length: 8 }, () => act(calendar, booked.id, 'cancel', was)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
  await waitUntilEmailsSent(meridian.database)
  const told = meridian.mails.filter(({ text }) => text.includes(booked.booking_reference))
  expect(told.filter(({ subject }) => subject.startsWith('Appointment cancelled'))).toHaveLength(2)
})

function addCancelled(
  calendar: Calendar,
  count: number,
  values: { startsAt?: string; location_id?: string; conflict_location_id?: string } = {},
): Promise<string[]> {
  const cancelled = { startsAt: NINE, status: 'cancelled', payment_status: 'failed', ...values } as const
  return addAppointments(meridian, calendar.id, Array(count).fill(cancelled))
}

function act(calendar: Calendar, id: string, action: AppointmentAction, was?: object) {
  return sendAppointmentAction({ meridian, owner, calendar }, id, { action, was })
}

function restore(calendar: Calendar, id: string): Promise<LightMyRequestResponse> {
  return act(calendar, id, 'restore')
}

/** Returns the titles of the responses, with the successes first. */
function sentencesOf(answers: readonly LightMyRequestResponse[]): string[] {
  return answers
    .map((answer) => (answer.statusCode === 200 ? 'restored' : answer.json().title))
    .sort((a, b) => Number(b === 'restored') - Number(a === 'restored'))
}

function countStanding(calendar: Calendar): Promise<number> {
  const text = `select count(*) from appointments where calendar_id = $1 and status <> 'cancelled'`
  return queryNumber(meridian.database, text, [calendar.id])
}
