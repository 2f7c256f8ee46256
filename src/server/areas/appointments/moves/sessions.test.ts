import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { sendAppointmentMail } from '#server/messages/queue/jobs.ts'
import { runHousekeeping } from '#server/records/housekeeping/jobs.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { addExternalCalendar, addExternalEvent } from '#tests/support/external-calendar-rows.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment } from '#tests/support/meridian.ts'
import { manageTokenOf, savePolicy } from '#tests/support/policies.ts'
import { queryRows } from '#tests/support/race-track.ts'
import {
  countSeatsTaken,
  findOtherParticipants,
  listMailsTo,
  makeParticipant,
  PARTICIPANTS,
  type Participant,
} from '#tests/support/sessions.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'

// Start no workers, because each test decides when an email is sent.
setUpCalendar({ undoSeconds: 30, hasWorkers: false, env: { DEFAULT_PLAN: 'enterprise' } })

const TUESDAY = '2027-01-05'
const [NINE, HALF_PAST_NINE, TEN, HALF_PAST_TEN, ELEVEN, THIRTEEN] = [
  '09:00',
  '09:30',
  '10:00',
  '10:30',
  '11:00',
  '13:00',
].map((time) => `${TUESDAY}T${time}:00Z`) as [string, string, string, string, string, string]
const TWELVE_PEOPLE = PARTICIPANTS.slice(0, 12)

let yoga: string
let visit: string

beforeEach(async () => {
  meridian.mails.length = 0
  yoga = await addAppointmentType(meridian, calendar.id, { name: 'Yoga', duration: 60, seats: 12 })
  visit = await addAppointmentType(meridian, calendar.id, { name: 'Visit', duration: 30 })
})

describe('a session of 12 people that its owner moves', () => {
  test('is whole at the new time, and each of them gets one email, which names nobody else', async () => {
    const ids = await bookTwelve()
    expect((await move(ids[0], NINE, THIRTEEN, { whole_session: true })).json()).toMatchObject({
      email: 'queued',
    })
    expect(await startsOf(ids)).toEqual([THIRTEEN])
    expect(await countSeatsTaken(meridian, calendar)).toEqual([12])
    await sendAll()
    for (const name of TWELVE_PEOPLE) {
      const mails = listMailsTo(meridian, name)
      expect(mails, name).toHaveLength(1)
      expect(mails[0]).toContain('1:00 PM')
      expect(mails[0]).toContain('It was previously on Tuesday, January 5, 2027 at 9:00 AM')
      expect(findOtherParticipants(mails[0] ?? '', name)).toEqual([])
    }
  })

  test('is back at its time as if nothing had happened when the owner undoes the move', async () => {
    const ids = await bookTwelve()
    await move(ids[0], NINE, THIRTEEN, { whole_session: true })
    meridian.clock.ms += 20_000
    const back = await move(ids[5], THIRTEEN, NINE, { whole_session: true })
    expect(back.json()).toMatchObject({ email: 'none' })
    expect(await startsOf(ids)).toEqual([NINE])
    expect(await countSeatsTaken(meridian, calendar)).toEqual([12])
    await sendAll()
    expect(meridian.mails).toEqual([])
  })

  test('does not move onto an event of an external calendar that has exactly its own time', async () => {
    const ids = [await book('Alfa'), await book('Bravo')]
    const external = await addExternalCalendar(meridian, owner, calendar.id)
    await addExternalEvent(meridian, external.id, { startsAt: NINE, endsAt: TEN })
    const overlapping = { whole_session: true, outside_hours: true }
    expectRefusal(await move(ids[0], NINE, HALF_PAST_NINE, overlapping), 'appointment.move_conflict')
    expect((await move(ids[0], NINE, THIRTEEN, overlapping)).statusCode).toBe(200)
  })

  test('moves to a time that overlaps only its own seats', async () => {
    const ids = [await book('Alfa'), await book('Bravo'), await book('Charlie')]
    await act(ids[2] ?? '', 'cancel')
    const moved = await move(ids[0], NINE, HALF_PAST_NINE, { whole_session: true })
    expect(moved.statusCode, moved.body).toBe(200)
    expect(await startsOf(ids.slice(0, 2))).toEqual([HALF_PAST_NINE])
  })

  test('leaves the person behind who had cancelled, and who can return to the old time', async () => {
    const [gone, staying] = [await book('Alfa'), await book('Bravo')]
    await act(gone, 'cancel')
    await move(staying, NINE, THIRTEEN, { whole_session: true })
    expect(await startsOf([gone])).toEqual([NINE])
    expect((await act(gone, 'restore')).statusCode).toBe(200)
    expect(await countSeatsTaken(meridian, calendar)).toEqual([1, 1])
  })
})

describe('a customer who moves', () => {
  beforeEach(async () => {
    const moving = { kind: 'until', hours: 0, times: null }
    await savePolicy(meridian, owner, calendar, { moving, cancelling: { kind: 'by_request' }, refunds: [] })
    await changeType({ seats: 2 })
  })

  test('can undo that while their old seat is free, and reads that it is taken otherwise', async () => {
    const [first] = [await book('Alfa'), await book('Bravo'), await book('Charlie', ELEVEN)]
    await moveAsCustomer(first, NINE, ELEVEN)
    expect((await moveAsCustomer(first, ELEVEN, NINE)).statusCode).toBe(200)
    expect(await countSeatsTaken(meridian, calendar)).toEqual([2, 1])
    await moveAsCustomer(first, NINE, ELEVEN)
    await book('Delta')
    expectRefusal(await moveAsCustomer(first, ELEVEN, NINE), 'booking.session_full')
    expect(await countSeatsTaken(meridian, calendar)).toEqual([2, 2])
  })

  test('can overlap the time of their session only when they were alone in it', async () => {
    const [first, second] = [await book('Alfa'), await book('Bravo')]
    expectRefusal(await moveAsCustomer(first, NINE, HALF_PAST_NINE), 'booking.slot_unavailable')
    await act(second, 'cancel')
    expect((await moveAsCustomer(first, NINE, HALF_PAST_NINE)).statusCode).toBe(200)
    expect(await countSeatsTaken(meridian, calendar)).toEqual([1])
  })

  test('takes exactly the time of the session they join, whatever the type’s preparation was', async () => {
    await book('Charlie', ELEVEN)
    await changeType({ prepare_minutes: 30, wrap_up_minutes: 15 })
    const moving = await book('Alfa', THIRTEEN)
    await book('Delta', HALF_PAST_TEN, visit)
    const moved = await moveAsCustomer(moving, THIRTEEN, ELEVEN)
    expect(moved.statusCode, moved.body).toBe(200)
    expect(await takenAt(ELEVEN)).toEqual([['11:00', '12:00']])
  })

  test('leaves the buffer after the session they join as it was', async () => {
    await changeBuffer(30)
    await book('Charlie', ELEVEN)
    const moving = await book('Alfa', '2027-01-05T15:00:00Z')
    expect((await moveAsCustomer(moving, '2027-01-05T15:00:00Z', ELEVEN)).statusCode).toBe(200)
    expect(await blockedUntil(ELEVEN)).toBe('12:30')
  })
})

test('a restored seat takes exactly the time of the session that others have opened since', async () => {
  const first = await book('Alfa', ELEVEN)
  await act(first, 'cancel')
  await changeType({ prepare_minutes: 30 })
  await book('Bravo', ELEVEN)
  expect((await act(first, 'restore')).statusCode).toBe(200)
  expect(await takenAt(ELEVEN)).toEqual([['10:30', '12:00']])
})

describe('the buffer after a session', () => {
  test('stays when the person who opened it cancels and others stay', async () => {
    await changeBuffer(30)
    const first = await book('Alfa')
    await book('Bravo')
    await act(first, 'cancel')
    for (const time of ['10:00', '10:15'])
      expect((await explain(`${TUESDAY}T${time}:00Z`)).reasons[0], time).toBe('buffer')
    expect(await offeredTo(visit)).not.toContain('2027-01-05T10:00:00Z')
    expectRefusal(await tryToBook('Charlie', '2027-01-05T10:00:00Z', visit), 'booking.slot_unavailable')
    const early = {
      customer: { name: 'Phoned' },
      starts_at: '2027-01-05T10:00:00Z',
      appointment_type_id: visit,
    }
    const path = `/api/calendars/${calendar.id}/appointments`
    expectRefusal(await owner.post(path, { ...early, outside_hours: true }), 'booking.slot_unavailable')
    expect((await explain(HALF_PAST_TEN)).reasons).toEqual([])
    await book('Charlie', HALF_PAST_TEN, visit)
  })

  test('ends with the last person', async () => {
    await changeBuffer(30)
    const ids = [await book('Alfa'), await book('Bravo')]
    for (const id of ids) await act(id, 'cancel')
    await book('Charlie', '2027-01-05T10:00:00Z', visit)
  })
})

test('sessions that everybody has left are deleted, and one to which a cancelled seat can return stays', async () => {
  const [alone, cancelled] = [await book('Alfa'), await book('Bravo', ELEVEN)]
  await move(alone, NINE, THIRTEEN)
  await act(cancelled, 'cancel')
  await runHousekeeping({ db: meridian.database.db, now: () => meridian.clock.ms })
  const sessions = `select starts_at, seats_taken from group_sessions where calendar_id = $1 order by starts_at`
  expect(await queryRows(meridian.database, sessions, [calendar.id])).toEqual([
    { starts_at: new Date(ELEVEN), seats_taken: 0 },
    { starts_at: new Date(THIRTEEN), seats_taken: 1 },
  ])
  expect((await act(cancelled, 'restore')).statusCode).toBe(200)
  expect(await countSeatsTaken(meridian, calendar)).toEqual([1, 1])
})

test('a calendar can be deleted while people share a session', async () => {
  await bookTwelve()
  const deleted = await owner.delete(`/api/calendars/${calendar.id}`)
  expect(deleted.statusCode, deleted.body).toBeLessThan(300)
  expect(
    await queryRows(meridian.database, 'select from group_sessions where calendar_id = $1', [calendar.id]),
  ).toEqual([])
})

async function bookTwelve(): Promise<string[]> {
  const ids: string[] = []
  for (const name of TWELVE_PEOPLE) ids.push(await book(name))
  await sendAll()
  meridian.mails.length = 0
  return ids
}

function tryToBook(name: Participant, starts_at: string, appointment_type_id: string) {
  const body = { starts_at, appointment_type_id, customer: makeParticipant(name) }
  return bookAppointment(meridian, calendar.slug, body)
}

async function book(name: Participant, startsAt = NINE, typeId = yoga): Promise<string> {
  const booked = await tryToBook(name, startsAt, typeId)
  expect(booked.statusCode, booked.body).toBe(201)
  return booked.json().id
}

function move(
  id: string | undefined,
  expected_starts_at: string,
  starts_at: string,
  more: object = {},
): Promise<LightMyRequestResponse> {
  const body = { starts_at, expected_starts_at, ...more }
  return owner.post(`/api/calendars/${calendar.id}/appointments/${id}/move`, body)
}

function moveAsCustomer(id: string, expected_starts_at: string, starts_at: string) {
  const url = `/api/public/manage/${manageTokenOf(meridian, id)}/move`
  return meridian.post(url, { starts_at, expected_starts_at })
}

function act(id: string, action: 'cancel' | 'restore') {
  return sendAppointmentAction({ meridian, owner, calendar }, id, { action })
}

async function changeType(changes: object): Promise<void> {
  const answer = await owner.patch(`/api/calendars/${calendar.id}/appointment-types/${yoga}`, changes)
  expect(answer.statusCode, answer.body).toBe(200)
}

async function changeBuffer(buffer_time_minutes: number): Promise<void> {
  const path = `/api/calendars/${calendar.id}/slot-settings`
  expect((await owner.patch(path, { buffer_time_minutes })).statusCode).toBe(200)
}

async function explain(startsAt: string) {
  const query = new URLSearchParams({ starts_at: startsAt, appointment_type_id: visit })
  return (await owner.get(`/api/calendars/${calendar.id}/appointment-time?${query}`)).json()
}

async function offeredTo(typeId: string): Promise<string[]> {
  const query = `date=${TUESDAY}&appointment_type_id=${typeId}`
  const { slots } = (await meridian.get(`/api/public/calendars/${calendar.slug}/slots?${query}`)).json()
  return slots.map((slot: { starts_at: string }) => slot.starts_at)
}

/** Sends all messages that wait, as the workers do after 30 seconds. */
async function sendAll(): Promise<void> {
  const text = `select id, repeat from appointment_messages where calendar_id = $1 and state = 'queued'`
  for (const { id, repeat } of await queryRows(meridian.database, text, [calendar.id]))
    await sendAppointmentMail(
      {
        ...meridian.deps,
        mailer: { send: async (mail) => void meridian.mails.push(mail), close: async () => {} },
      },
      { calendarId: calendar.id, messageId: String(id), repeat: Number(repeat) },
    )
}

/** Returns the different starts of appointments. */
async function startsOf(ids: readonly string[]): Promise<string[]> {
  const text = 'select distinct starts_at from appointments where id = any ($1)'
  const rows = await queryRows(meridian.database, text, [ids])
  return rows.map(({ starts_at }) => (starts_at as Date).toISOString().replace('.000', ''))
}

/** Returns the different times that the seats at a start occupy, from the preparation to the wrap-up. */
async function takenAt(startsAt: string): Promise<unknown[]> {
  const text = `select distinct to_char(lower(occupied) at time zone 'UTC', 'HH24:MI') as taken_from,
      to_char(upper(occupied) at time zone 'UTC', 'HH24:MI') as taken_to
    from appointments where calendar_id = $1 and starts_at = $2 and status <> 'cancelled'`
  const rows = await queryRows(meridian.database, text, [calendar.id, startsAt])
  return rows.map(({ taken_from, taken_to }) => [taken_from, taken_to])
}

async function blockedUntil(startsAt: string): Promise<unknown> {
  const text = `select to_char(max(upper(blocked)) at time zone 'UTC', 'HH24:MI') as blocked_until
    from appointments where calendar_id = $1 and starts_at = $2`
  const [row] = await queryRows(meridian.database, text, [calendar.id, startsAt])
  return row?.blocked_until
}
