import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import type { Policy } from '#core/appointments/policy.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner, startMeridian } from '#tests/support/meridian.ts'
import { manageTokenOf, savePolicy } from '#tests/support/policies.ts'
import { addAppointmentType, addLocation, setPrimaryLocation } from '#tests/support/stored-rows.ts'

const NINE = '2027-01-08T09:00:00Z'
const QUARTER_PAST = '2027-01-08T09:15:00Z'
const TEN = '2027-01-08T10:00:00Z'
const ELEVEN = '2027-01-08T11:00:00Z'
const FREELY: Policy = {
  moving: { kind: 'until', hours: 0, times: null },
  cancelling: { kind: 'by_request' },
  refunds: [],
}

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  await savePolicy(meridian, owner, calendar, FREELY)
})

describe('moving by a customer (rule A19)', () => {
  test('gives the appointment the new time, tells the owner, and the history says who it was', async () => {
    const id = await bookAt(NINE)
    const answer = await move(id, TEN)
    expect(answer.json()).toMatchObject({ id, starts_at: '2027-01-08T10:00:00.000Z', email: 'queued' })
    const mail = await meridian.waitForMail(
      ({ text, subject }) => subject.startsWith('Appointment moved: Grace') && text.includes('moved this'),
    )
    expect(mail.to.address).toBe(owner.email)
    expect(mail.text).toContain('Grace Hopper moved this appointment to another time. It was previously on')
    expect(await readHistory(id)).toEqual([expect.stringMatching(/^The customer moved the appointment from/)])
  })

  test('twice with one request moves it once', async () => {
    const id = await bookAt(NINE)
    const answers = await Promise.all([move(id, TEN), move(id, TEN)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(answers.map((answer) => answer.json().email).sort()).toEqual(['none', 'queued'])
    expect(await sequenceOf(id)).toBe(1)
  })

  test('from an old email acts on the appointment as it stands now', async () => {
    const id = await bookAt(NINE)
    await move(id, TEN)
    expectRefusal(await move(id, ELEVEN, NINE), 'appointment.changed_meanwhile')
    expect((await move(id, ELEVEN, TEN)).statusCode).toBe(200)
    expect((await bookAppointment(meridian, calendar.slug, { starts_at: NINE })).statusCode).toBe(201)
  })

  test('offers the times that its own time hides from others, and the calendar keeps its grid', async () => {
    await set(calendar, 'slot_duration_minutes = 15, buffer_time_minutes = 30')
    const id = await bookAt(NINE)
    const offered = await listOffered(id)
    expect(offered).toContain('2027-01-08T09:15:00Z')
    const others = await meridian.get(`/api/public/calendars/${calendar.slug}/slots?date=2027-01-08`)
    expect(JSON.stringify(others.json())).not.toContain('T09:15')
    const days = await meridian.get(
      `/api/public/manage/${manageTokenOf(meridian, id)}/days?from=2027-01-08&to=2027-01-09`,
    )
    expect(days.json().days).toEqual([
      { date: '2027-01-08', open_slots: offered.length },
      { date: '2027-01-09', open_slots: 0 },
    ])
    expect((await move(id, QUARTER_PAST)).statusCode).toBe(200)
    expectRefusal(await move(id, '2027-01-08T09:20:00Z', QUARTER_PAST), 'booking.slot_unavailable')
  })

  test('respects the notice, the opening hours and what others have', async () => {
    await set(calendar, 'minimum_notice_minutes = 1440')
    const id = await bookAt(NINE)
    await bookAppointment(meridian, calendar.slug, { starts_at: TEN })
    for (const startsAt of ['2027-01-04T10:00:00Z', '2027-01-08T20:00:00Z', TEN, '1999-01-01T00:00:00Z']) {
      expectRefusal(await move(id, startsAt), 'booking.slot_unavailable')
    }
    expect(await sequenceOf(id)).toBe(0)
  })

  test('is not for a time at which another calendar has the place', async () => {
    const place = await addLocation(meridian, owner)
    const elsewhere = await makeCalendar(meridian, owner)
    for (const one of [calendar, elsewhere]) await setPrimaryLocation(meridian, one.id, place)
    const id = await bookAt(NINE)
    await bookAppointment(meridian, elsewhere.slug, { starts_at: TEN })
    expectRefusal(await move(id, TEN), 'booking.location_conflict')
  })

  test('takes place where its type takes place now', async () => {
    const appointment_type_id = await addAppointmentType(meridian, calendar.id, { duration: 30 })
    const id = await bookAt(NINE, { appointment_type_id })
    const place = await addLocation(meridian, owner)
    await setPrimaryLocation(meridian, calendar.id, place)
    await move(id, TEN)
    const { rows } = await meridian.database.execute('select location_id from appointments where id = $1', [
      id,
    ])
    expect(rows[0]?.location_id).toBe(place)
  })

  test('goes on when its type is deleted: the length and the place stay as they were agreed', async () => {
    const [agreed, primary] = [await addLocation(meridian, owner), await addLocation(meridian, owner)]
    await setPrimaryLocation(meridian, calendar.id, primary)
    const duration = 45
    const appointment_type_id = await addAppointmentType(meridian, calendar.id, {
      duration,
      location_id: agreed,
    })
    const id = await bookAt(NINE, { appointment_type_id })
    const url = `/api/calendars/${calendar.id}/appointment-types/${appointment_type_id}`
    expect((await owner.delete(url)).statusCode).toBe(204)
    // The agreed location is taken at 10:00, and the primary location at 11:00.
    const [atAgreed, atPrimary] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    await setPrimaryLocation(meridian, atAgreed.id, agreed)
    await setPrimaryLocation(meridian, atPrimary.id, primary)
    await bookAppointment(meridian, atAgreed.slug, { starts_at: TEN })
    await bookAppointment(meridian, atPrimary.slug, { starts_at: ELEVEN })
    expect(await readTerms(id)).toMatchObject({ obstacle: null })
    const offered = await listOffered(id)
    expect(offered).toContain(ELEVEN)
    expect(offered).not.toContain(TEN)
    expect(await listOfferedToOwner(id)).toEqual(offered)
    expectRefusal(await move(id, TEN), 'booking.location_conflict')
    expect((await move(id, ELEVEN)).json()).toMatchObject({ ends_at: '2027-01-08T11:45:00.000Z' })
  })

  test('goes on in a calendar that takes no new bookings', async () => {
    const id = await bookAt(NINE)
    await set(calendar, 'is_paused = true')
    expect((await bookAppointment(meridian, calendar.slug, { starts_at: ELEVEN })).statusCode).toBe(409)
    expect(await listOffered(id)).toContain(TEN)
    expect((await move(id, TEN)).statusCode).toBe(200)
  })

  test.each(['cancelled', 'pending_cancellation', 'pending_payment'])(
    'is not for one that is %s',
    async (status) => {
      const id = await bookAt(NINE)
      await meridian.database.execute('update appointments set status = $2 where id = $1', [id, status])
      expectRefusal(await move(id, TEN), 'appointment.move_state')
      expect(await readTerms(id)).toEqual({ obstacle: 'state', until: null, times_left: null, offer: null })
    },
  )

  test('needs the link of this very appointment', async () => {
    const id = await bookAt(NINE)
    const token = manageTokenOf(meridian, id)
    for (const other of [token.slice(0, -1), `${token}x`, 'guessed']) {
      const url = `/api/public/manage/${other}/move`
      const payload = { starts_at: TEN, expected_starts_at: NINE }
      expectRefusal(await meridian.post(url, payload), 'manage.not_found')
    }
  })

  test('is limited for an appointment, so that nobody makes the practice an email every minute', async () => {
    const strict = await startMeridian({
      hasWorkers: false,
      env: { DEFAULT_PLAN: 'enterprise', BUDGETS: 'manage_moves=2' },
    })
    try {
      const its = await makeCalendar(strict, await makeOwner(strict))
      const { id } = (await bookAppointment(strict, its.slug, { starts_at: NINE })).json()
      const answers: unknown[] = []
      for (const [from, to] of [
        [NINE, TEN],
        [TEN, NINE],
        [NINE, TEN],
      ] as const) {
        const url = `/api/public/manage/${manageTokenOf(strict, id)}/move`
        const payload = { starts_at: to, expected_starts_at: from }
        answers.push((await strict.post(url, payload)).json().code)
      }
      expect(answers).toEqual([undefined, undefined, 'appointment.move_many'])
    } finally {
      await strict.stop()
    }
  })
})

describe('the policy of the booking decides', () => {
  test('until when and how often', async () => {
    const policy: Policy = { ...FREELY, moving: { kind: 'until', hours: 24, times: 1 } }
    await savePolicy(meridian, owner, calendar, policy)
    const id = await bookAt(NINE)
    expect(await readTerms(id)).toEqual({
      obstacle: null,
      until: '2027-01-07T09:00:00.000Z',
      times_left: 1,
      offer: null,
    })
    await move(id, TEN)
    expect(await readTerms(id)).toMatchObject({ obstacle: 'too_often' })
    expectRefusal(await move(id, ELEVEN, TEN), 'appointment.move_too_often')
    const soon = await bookAt('2027-01-04T16:00:00Z')
    expectRefusal(await move(soon, ELEVEN, '2027-01-04T16:00:00Z'), 'appointment.move_too_late')
  })

  test('as it was at the booking, also when the owner changed it since', async () => {
    const id = await bookAt(NINE)
    await savePolicy(meridian, owner, calendar, { ...FREELY, moving: { kind: 'never' } })
    const later = await bookAt(ELEVEN)
    expect((await move(id, TEN)).statusCode).toBe(200)
    expectRefusal(await move(later, '2027-01-08T12:00:00Z', ELEVEN), 'appointment.move_not_allowed')
  })

  test('does not count the moves of the owner', async () => {
    await savePolicy(meridian, owner, calendar, { ...FREELY, moving: { kind: 'until', hours: 0, times: 1 } })
    const id = await bookAt(NINE)
    await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/move`, {
      starts_at: TEN,
      expected_starts_at: NINE,
    })
    expect((await move(id, ELEVEN, TEN)).statusCode).toBe(200)
  })
})

async function bookAt(starts_at: string, more: object = {}): Promise<string> {
  const answer = await bookAppointment(meridian, calendar.slug, { starts_at, ...more })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().id
}

function move(id: string, to: string, from = NINE): Promise<LightMyRequestResponse> {
  return meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/move`, {
    starts_at: to,
    expected_starts_at: from,
  })
}

async function listOffered(id: string): Promise<string[]> {
  const url = `/api/public/manage/${manageTokenOf(meridian, id)}/slots?date=2027-01-08`
  const { slots } = (await meridian.get(url)).json()
  return slots.map(({ starts_at }: { starts_at: string }) => starts_at)
}

async function listOfferedToOwner(id: string): Promise<string[]> {
  const url = `/api/calendars/${calendar.id}/appointments/${id}/move-slots?date=2027-01-08`
  const { slots } = (await owner.get(url)).json()
  return slots.map(({ starts_at }: { starts_at: string }) => starts_at)
}

async function readTerms(id: string): Promise<unknown> {
  return (await meridian.get(`/api/public/manage/${manageTokenOf(meridian, id)}/move`)).json()
}

async function readHistory(id: string): Promise<string[]> {
  const url = `/api/calendars/${calendar.id}/appointments/${id}/history`
  const { entries } = (await owner.get(url)).json()
  return entries.map(({ text }: { text: string }) => text)
}

async function sequenceOf(id: string): Promise<unknown> {
  const { rows } = await meridian.database.execute('select sequence from appointments where id = $1', [id])
  return rows[0]?.sequence
}

async function set({ id }: Calendar, change: string): Promise<void> {
  await meridian.database.execute(`update calendars set ${change} where id = $1`, [id])
}

function expectRefusal(answer: LightMyRequestResponse, code: ProblemCode): void {
  expect([answer.statusCode, answer.json().code]).toEqual([PROBLEMS[code].status, code])
}
