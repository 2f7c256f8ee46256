import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { manageTokenOf } from '#tests/support/policies.ts'
import {
  addAppointment,
  addAppointmentType,
  addLocation,
  setPrimaryLocation,
} from '#tests/support/stored-rows.ts'

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' } })

const NINE = '2027-01-04T09:00:00Z'
const TEN = '2027-01-04T10:00:00Z'
const TUESDAY = '2027-01-05T14:00:00Z'

describe('moving an appointment', () => {
  test('gives it the new time, raises its sequence, and keeps its length', async () => {
    const { calendar, id } = await makeBooked()
    const answer = await move(calendar, id, { starts_at: TUESDAY })
    expect(answer.json()).toEqual({
      id,
      starts_at: '2027-01-05T14:00:00.000Z',
      ends_at: '2027-01-05T14:30:00.000Z',
      email: 'queued',
      warning: null,
    })
    expect(await read(id)).toMatchObject({
      starts_at: new Date(TUESDAY),
      moved_from: new Date(NINE),
      moved_at: new Date(TEST_MONDAY),
      sequence: 1,
      status: 'confirmed',
    })
    const confirmation = await meridian.app.inject(`/api/public/appointments/${id}`)
    expect(confirmation.json()).toMatchObject({ is_moved: true })
  })

  test('tells the customer the new time and the old one, and their calendar by a file with a higher SEQUENCE', async () => {
    const { calendar, id } = await makeBooked()
    await move(calendar, id, { starts_at: TUESDAY })
    const link = `/manage/${manageTokenOf(meridian, id)}`
    const mail = await meridian.waitForMail(
      ({ subject, text }) => subject.startsWith('Appointment moved') && text.includes(link),
    )
    expect(mail.to.address).toBe('grace@example.com')
    expect(mail.subject).toContain('Tuesday, January 5, 2:00 PM')
    expect(mail.text).toContain('It was previously on Monday, January 4, 2027 at 9:00 AM (GMT).')
    // Join folded lines: long lines of calendar files are folded (RFC 5545 §3.1).
    const file = (mail.attachments[0]?.content ?? '').replaceAll('\r\n ', '')
    expect(file).toContain('METHOD:REQUEST')
    expect(file).toContain('SEQUENCE:1')
    expect(file).toContain(`UID:${id}@localhost`)
    expect(file).toContain('DTSTART:20270105T140000Z')
    expect(await listKinds(id)).toEqual(expect.arrayContaining(['moved']))
    expect(await listKinds(id)).not.toContain('owner_moved')
  })

  test('tells nobody when the owner does not want it', async () => {
    const { calendar, id } = await makeBooked()
    const answer = await move(calendar, id, { starts_at: TUESDAY, notify_customer: false })
    expect(answer.json().email).toBe('none')
    expect(await listKinds(id)).not.toContain('moved')
  })

  test('to the same time succeeds, and nobody is told: a double click is one move', async () => {
    const { calendar, id } = await makeBooked()
    const answers = [
      await move(calendar, id, { starts_at: TUESDAY }),
      await move(calendar, id, { starts_at: TUESDAY }),
    ]
    expect(answers.map((answer) => [answer.statusCode, answer.json().email])).toEqual([
      [200, 'queued'],
      [200, 'none'],
    ])
    expect((await read(id)).sequence).toBe(1)
    expect((await listKinds(id)).filter((kind) => kind === 'moved')).toHaveLength(1)
  })

  test('is refused when it was moved meanwhile', async () => {
    const { calendar, id } = await makeBooked()
    await move(calendar, id, { starts_at: TUESDAY })
    expectRefusal(await move(calendar, id, { starts_at: TEN }), 'appointment.changed_meanwhile')
  })

  test('a little is not in its own way, and the time that it left can be booked', async () => {
    const { calendar, id } = await makeBooked()
    const answer = await move(calendar, id, { starts_at: '2027-01-04T09:15:00Z', outside_hours: true })
    expect(answer.statusCode).toBe(200)
    const { calendar: other, id: second } = await makeBooked()
    await move(other, second, { starts_at: TEN })
    expect((await bookAppointment(meridian, other.slug)).statusCode).toBe(201)
  })

  test('takes no time of another appointment, whatever the owner says, with the present buffer on both sides', async () => {
    const { calendar, id } = await makeBooked()
    await bookAppointment(meridian, calendar.slug, { starts_at: TEN })
    await meridian.database.execute('update calendars set buffer_time_minutes = 15 where id = $1', [
      calendar.id,
    ])
    for (const starts_at of [TEN, '2027-01-04T10:30:00Z', '2027-01-04T09:30:00Z']) {
      const answer = await move(calendar, id, { starts_at, outside_hours: true })
      expectRefusal(answer, 'appointment.move_conflict')
    }
    expect(
      (await move(calendar, id, { starts_at: '2027-01-04T10:45:00Z', outside_hours: true })).statusCode,
    ).toBe(200)
    expect(await readMinutesBlocked(id)).toBe(45)
  })

  test('into the hour that occurs twice and out of it is a move of an hour each, and by the clock it is the same time', async () => {
    const calendar = await makeCalendar(meridian, owner)
    meridian.clock.ms = Date.parse('2027-10-29T08:00:00Z')
    // Clocks go back at 01:00 UTC on October 31: 1:30 occurs at 00:30 UTC and at 01:30 UTC.
    const [first, second, night] = ['2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z', '2027-10-31T03:00:00Z']
    const id = await addAppointment(meridian, calendar.id, { startsAt: night })
    const times = [night, first, second, night]
    for (const [at, starts_at] of times.slice(1).entries()) {
      const answer = await move(calendar, id, {
        starts_at,
        expected_starts_at: times[at],
        outside_hours: true,
      })
      expect(answer.json()).toMatchObject({ starts_at: new Date(starts_at).toISOString() })
    }
    expect(await readMinutesBlocked(id)).toBe(30)
    const judged = await owner.get(
      `/api/calendars/${calendar.id}/appointments/${id}/move-time?date=2027-10-31&time=01:30`,
    )
    expect(judged.json()).toMatchObject({
      reading: 'repeated',
      starts_at: '2027-10-31T00:30:00.000Z',
      reasons: ['outside_hours'],
    })
    const texts = (await readHistory(calendar, id)) as { text: string }[]
    expect(texts.map(({ text }) => text)).toContainEqual(
      expect.stringContaining(
        '1:30 AM BST – 1:00 AM GMT (London time) to Sunday, October 31, 2027, 1:30 AM – 2:00 AM (London time, GMT)',
      ),
    )
  })

  test('makes it longer or shorter, up to a day', async () => {
    const { calendar, id } = await makeBooked()
    const longer = await move(calendar, id, { starts_at: NINE, duration: 90 })
    expect(longer.json().ends_at).toBe('2027-01-04T10:30:00.000Z')
    const tooLong = await move(calendar, id, { starts_at: NINE, duration: 1_441 })
    expect(tooLong.statusCode).toBe(400)
  })

  test('asks about a time that customers are not offered, and moves it there when the owner says so', async () => {
    const { calendar, id } = await makeBooked()
    const starts_at = '2027-01-09T22:00:00Z'
    expectRefusal(await move(calendar, id, { starts_at }), 'booking.outside_hours')
    expect((await move(calendar, id, { starts_at, outside_hours: true })).statusCode).toBe(200)
  })

  test('respects an exclusive location that another calendar takes', async () => {
    const { calendar, id } = await makeBooked()
    const elsewhere = await makeCalendar(meridian, owner)
    const place = await addLocation(meridian, owner)
    for (const one of [calendar, elsewhere]) await setPrimaryLocation(meridian, one.id, place)
    const there = (await bookAppointment(meridian, calendar.slug, { starts_at: TEN })).json().id
    await bookAppointment(meridian, elsewhere.slug, { starts_at: TUESDAY })
    const answer = await move(calendar, there, { starts_at: TUESDAY, expected_starts_at: TEN })
    expectRefusal(answer, 'appointment.move_location_taken')
    // The first appointment was booked before the calendar had a location.
    expect((await move(calendar, id, { starts_at: TUESDAY })).statusCode).toBe(200)
  })

  test.each(['cancelled', 'pending_payment'] as const)('is not for one that is %s', async (status) => {
    const { calendar, id } = await makeBooked()
    await meridian.database.execute('update appointments set status = $2 where id = $1', [id, status])
    expectRefusal(await move(calendar, id, { starts_at: TUESDAY }), 'appointment.move_state')
  })

  test('is not for a hold: its customer is paying for the time that it has', async () => {
    const calendar = await makeCalendar(meridian, owner, { email_confirmation_required: true } as object)
    await meridian.database.execute('update calendars set email_confirmation_required = true where id = $1', [
      calendar.id,
    ])
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    expectRefusal(await move(calendar, id, { starts_at: TUESDAY }), 'appointment.move_state')
  })

  test('is not for one that has begun, and not for one of another calendar or owner', async () => {
    const { calendar, id } = await makeBooked()
    const begun = await addAppointment(meridian, calendar.id, { startsAt: '2027-01-04T07:45:00Z' })
    const answer = await move(calendar, begun, {
      starts_at: TUESDAY,
      expected_starts_at: '2027-01-04T07:45:00Z',
    })
    expectRefusal(answer, 'appointment.move_state')
    const other = await makeCalendar(meridian, owner)
    expectRefusal(await move(other, id, { starts_at: TUESDAY }), 'appointment.not_found')
    const stranger = await makeOwner(meridian)
    expectRefusal(await move(calendar, id, { starts_at: TUESDAY }, stranger), 'calendar.forbidden')
  })

  test('keeps what was agreed: the type, the price and the customer', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const appointment_type_id = await addAppointmentType(meridian, calendar.id, {
      price_cents: 4_000,
      duration: 60,
    })
    const { id } = (await bookAppointment(meridian, calendar.slug, { appointment_type_id })).json()
    const before = await read(id)
    await move(calendar, id, { starts_at: TUESDAY })
    const changed = ['starts_at', 'ends_at', 'occupied', 'blocked', 'sequence', 'moved_at', 'moved_from']
    const kept = (row: object) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !changed.includes(name)))
    expect(kept(await read(id))).toEqual(kept(before))
    expect((await read(id)).ends_at).toEqual(new Date('2027-01-05T15:00:00Z'))
  })
})

describe('what became of an appointment', () => {
  test('is told in sentences, newest first', async () => {
    const { calendar, id } = await makeBooked()
    expect(await readHistory(calendar, id)).toEqual([])
    await move(calendar, id, { starts_at: TUESDAY })
    meridian.clock.ms += 60_000
    await move(calendar, id, { starts_at: TEN, expected_starts_at: TUESDAY })
    meridian.clock.ms = TEST_MONDAY
    expect(await readHistory(calendar, id)).toEqual([
      {
        id: expect.any(String),
        at: '2027-01-04T08:01:00.000Z',
        kind: 'moved',
        caused_by: 'owner',
        text: 'You moved the appointment from Tuesday, January 5, 2027, 2:00 PM – 2:30 PM (London time, GMT) to Monday, January 4, 2027, 10:00 AM – 10:30 AM (London time, GMT).',
      },
      expect.objectContaining({ at: '2027-01-04T08:00:00.000Z', kind: 'moved' }),
    ])
  })

  test('is told to its owner only', async () => {
    const { calendar, id } = await makeBooked()
    const stranger = await makeOwner(meridian)
    const url = `/api/calendars/${calendar.id}/appointments/${id}/history`
    expectRefusal(await stranger.get(url), 'calendar.forbidden')
    expectRefusal(await meridian.get(url), 'auth.required')
  })
})

/** Creates a calendar with one appointment on Monday at 9:00 in London, and returns both. */
async function makeBooked(): Promise<{ calendar: Calendar; id: string }> {
  const calendar = await makeCalendar(meridian, owner)
  const { id } = (await bookAppointment(meridian, calendar.slug)).json()
  return { calendar, id }
}

function move(
  { id: calendarId }: Calendar,
  id: string,
  body: Record<string, unknown>,
  { cookie }: TestOwner = owner,
): Promise<LightMyRequestResponse> {
  return meridian
    .as({ cookie })
    .post(`/api/calendars/${calendarId}/appointments/${id}/move`, { expected_starts_at: NINE, ...body })
}

async function readHistory({ id: calendarId }: Calendar, id: string): Promise<unknown[]> {
  const url = `/api/calendars/${calendarId}/appointments/${id}/history`
  return (await owner.get(url)).json().entries
}

function expectRefusal(answer: LightMyRequestResponse, code: ProblemCode): void {
  expect([answer.statusCode, answer.json().code]).toEqual([PROBLEMS[code].status, code])
}

function read(id: string) {
  return meridian.database.db
    .selectFrom('appointments')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

async function readMinutesBlocked(id: string): Promise<number> {
  const { rows } = await meridian.database.execute(
    'select extract(epoch from upper(blocked) - lower(blocked)) / 60 as minutes from appointments where id = $1',
    [id],
  )
  return Number(rows[0]?.minutes)
}

async function listKinds(id: string): Promise<string[]> {
  const rows = await meridian.database.db
    .selectFrom('appointment_messages')
    .select('kind')
    .where('appointment_id', '=', id)
    .execute()
  return rows.map(({ kind }) => kind)
}
