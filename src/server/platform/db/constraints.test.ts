import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addAppointment, type StoredAppointment } from '#tests/support/stored-rows.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import type { Database } from './database.ts'
import { findViolatedExclusionConstraint } from './pg-errors.ts'

let database: Database
/** A new calendar for each test. */
let calendarId: string

beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  calendarId = await addCalendar()
})
afterAll(() => database.close())

const NINE = '2027-01-04T09:00:00Z'
const PAST_NINE = '2027-01-04T09:15:00Z'
const HALF_PAST = '2027-01-04T09:30:00Z'
const HOLD = { status: 'pending_payment', hold_expires_at: new Date(0) } as const

describe('appointments of one calendar', () => {
  test.each([
    ['at the same time', { startsAt: NINE }, {}],
    ['that overlap', { startsAt: PAST_NINE }, {}],
    [
      'within the other’s buffer',
      { startsAt: HALF_PAST },
      { blocked: '[2027-01-04 09:00Z,2027-01-04 09:45Z)' },
    ],
    ['within the other’s wrap-up', { startsAt: HALF_PAST }, { wrap_up_minutes: 5 }],
    ['of which one is prepared during the other', { startsAt: HALF_PAST, prepare_minutes: 5 }, {}],
    ['of which one waits for its payment', { startsAt: NINE }, HOLD],
    ['of which one is asked to be cancelled', { startsAt: NINE }, { status: 'pending_cancellation' }],
  ] as const)('are never two %s', async (_case, second, first) => {
    await add({ startsAt: NINE, ...first })
    expect(await refusedBy(add(second))).toBe('appointments_no_double_booking')
  })

  test.each([
    ['touch', { startsAt: HALF_PAST }, {}],
    ['lie where one was cancelled', { startsAt: NINE }, { status: 'cancelled' }],
    ['lie where a hold has ended', { startsAt: NINE }, { ...HOLD, released_at: new Date(0) }],
  ] as const)('may %s', async (_case, second, first) => {
    await add({ startsAt: NINE, ...first })
    expect(await refusedBy(add(second))).toBeNull()
  })

  test('cannot come back to a time that was taken meanwhile', async () => {
    const cancelled = await add({ startsAt: NINE, status: 'cancelled' })
    await add({ startsAt: PAST_NINE })
    const restore = database.execute(`update appointments set status = 'confirmed' where id = $1`, [
      cancelled,
    ])
    expect(await refusedBy(restore)).toBe('appointments_no_double_booking')
  })

  test('leave other calendars alone', async () => {
    await add({ startsAt: NINE })
    calendarId = await addCalendar()
    expect(await refusedBy(add({ startsAt: NINE }))).toBeNull()
  })
})

describe('appointments at one exclusive place', () => {
  test('do not overlap, on whichever calendar, but may touch and need no buffer', async () => {
    const place = { conflict_location_id: randomUUID() }
    await add({ startsAt: NINE, ...place, blocked: '[2027-01-04 09:00Z,2027-01-04 09:45Z)' })
    calendarId = await addCalendar()
    expect(await refusedBy(add({ startsAt: PAST_NINE, ...place }))).toBe('appointments_no_location_conflict')
    expect(await refusedBy(add({ startsAt: HALF_PAST, ...place }))).toBeNull()
  })

  test('leave each other time for preparation and wrap-up', async () => {
    const place = { conflict_location_id: randomUUID() }
    await add({ startsAt: NINE, ...place, wrap_up_minutes: 15 })
    calendarId = await addCalendar()
    const next = { startsAt: '2027-01-04T10:00:00Z', ...place }
    expect(await refusedBy(add({ ...next, prepare_minutes: 20 }))).toBe('appointments_no_location_conflict')
    expect(await refusedBy(add({ ...next, prepare_minutes: 15 }))).toBeNull()
  })

  test('do not mind those that were cancelled or given back', async () => {
    const place = { conflict_location_id: randomUUID() }
    await add({ startsAt: NINE, ...place, status: 'cancelled' })
    await add({ startsAt: NINE, ...place, ...HOLD, released_at: new Date(0) })
    calendarId = await addCalendar()
    expect(await refusedBy(add({ startsAt: NINE, ...place }))).toBeNull()
  })
})

describe('seats of a session', () => {
  test('share their time, but with nobody else, until all are taken', async () => {
    const session = await addSession({ seats: 2 })
    await add(session)
    expect(await refusedBy(add({ startsAt: PAST_NINE }))).toBe('appointments_no_double_booking')
    const second = await add(session)
    await expect(add(session)).rejects.toThrow('group_sessions_seats_taken')
    await database.execute(`update appointments set status = 'cancelled' where id = $1`, [second])
    await add({ ...session, ...HOLD })
    const restore = `update appointments set status = 'confirmed' where id = $1`
    await expect(database.execute(restore, [second])).rejects.toThrow('group_sessions_seats_taken')
  })

  test('are free again when a hold ends, and when their appointment is deleted', async () => {
    const session = await addSession({ seats: 2 })
    const [held, booked] = [await add({ ...session, ...HOLD }), await add(session)]
    expect(await seatsTaken(session.session_id)).toBe(2)
    await database.execute('update appointments set released_at = now() where id = $1', [held])
    expect(await seatsTaken(session.session_id)).toBe(1)
    // A released hold is deleted later, which must not free its seat a second time.
    await database.execute('delete from appointments where id = $1', [held])
    expect(await seatsTaken(session.session_id)).toBe(1)
    await database.execute('delete from appointments where id = $1', [booked])
    expect(await seatsTaken(session.session_id)).toBe(0)
    await add({ startsAt: NINE })
  })

  test('cannot have another time than their session, and share a place and a person only with it', async () => {
    const session = await addSession({ seats: 3 })
    await expect(add({ ...session, startsAt: HALF_PAST })).rejects.toThrow('foreign key')
    const place = { conflict_location_id: randomUUID() }
    await add({ ...session, ...place })
    await add({ ...session, ...place })
    calendarId = await addCalendar()
    expect(await refusedBy(add({ startsAt: PAST_NINE, ...place }))).toBe('appointments_no_location_conflict')
  })

  test('go with their calendar', async () => {
    const session = await addSession({ seats: 2 })
    await add(session)
    await database.execute('delete from appointments where calendar_id = $1', [calendarId])
    await database.execute('delete from customers where calendar_id = $1', [calendarId])
    await database.execute('delete from calendars where id = $1', [calendarId])
    await expect(seatsTaken(session.session_id)).resolves.toBeUndefined()
  })
})

describe('weekly hours', () => {
  test.each([
    ['overlap', 1, '16:00', '18:00', 'availability_no_overlap'],
    ['lie inside each other', 1, '10:00', '11:00', 'availability_no_overlap'],
    ['touch', 1, '17:00', '24:00:00', null],
    ['are on other days', 2, '09:00', '17:00', null],
  ] as const)('that %s: refused by %5$s', async (_case, day, start, end, constraint) => {
    await addOpening(1, '09:00', '17:00')
    expect(await refusedBy(addOpening(day, start, end))).toBe(constraint)
  })

  test.each([
    [1, '17:00', '09:00'],
    [1, '09:00', '09:00'],
    [1, '09:00', '24:00:01'],
    [7, '09:00', '17:00'],
    [-1, '09:00', '17:00'],
  ])('on day %i from %s to %s make no sense', async (day, start, end) => {
    await expect(addOpening(day, start, end)).rejects.toThrow()
  })
})

test.each([
  ['end before they begin', { startsAt: NINE, ends_at: new Date('2027-01-04T08:00:00Z') }],
  ['block less than they take', { startsAt: NINE, blocked: '[2027-01-04 09:00Z,2027-01-04 09:10Z)' }],
  ['block another time', { startsAt: NINE, blocked: '[2027-01-05 09:00Z,2027-01-05 09:30Z)' }],
  [
    'do not block their preparation',
    { startsAt: NINE, prepare_minutes: 5, blocked: '[2027-01-04 09:00Z,2027-01-04 09:30Z)' },
  ],
  [
    'do not block their wrap-up',
    { startsAt: NINE, wrap_up_minutes: 5, blocked: '[2027-01-04 09:00Z,2027-01-04 09:30Z)' },
  ],
  ['prepare for longer than 240 minutes', { startsAt: NINE, prepare_minutes: 245 }],
  ['wrap up for 12 minutes', { startsAt: NINE, wrap_up_minutes: 12 }],
  ['are released without having been held', { startsAt: NINE, released_at: new Date(0) }],
] as const)('appointments that %s are refused', async (_case, appointment) => {
  await expect(add(appointment)).rejects.toThrow(/check constraint|range lower bound/)
})

function add(appointment: StoredAppointment): Promise<string> {
  return addAppointment({ database, clock: { ms: 0 } }, calendarId, appointment)
}

/** Adds a session of half an hour at nine, and returns what its appointments have in common. */
async function addSession({ seats }: { seats: number }): Promise<{ startsAt: string; session_id: string }> {
  const session_id = randomUUID()
  await database.db
    .insertInto('group_sessions')
    .values({
      calendar_id: calendarId,
      id: session_id,
      appointment_type_id: randomUUID(),
      location_id: null,
      starts_at: new Date(NINE),
      ends_at: new Date(HALF_PAST),
      prepare_minutes: 0,
      wrap_up_minutes: 0,
      seats,
    })
    .execute()
  return { startsAt: NINE, session_id }
}

async function seatsTaken(id: string): Promise<number | undefined> {
  const query = database.db.selectFrom('group_sessions').select('seats_taken').where('id', '=', id)
  return (await query.executeTakeFirst())?.seats_taken
}

async function addOpening(dayOfWeek: number, start: string, end: string): Promise<void> {
  await database.execute('insert into availability values ($1, $2, $3, $4, $5)', [
    calendarId,
    randomUUID(),
    dayOfWeek,
    start,
    end,
  ])
}

async function addCalendar(): Promise<string> {
  const [id, owner] = [randomUUID(), randomUUID()]
  await database.execute('insert into profiles (id, email, full_name) values ($1, $2, $3)', [
    owner,
    `${owner}@example.com`,
    'Ada',
  ])
  await database.execute('insert into public_calendars (slug) values ($1)', [id])
  await database.execute(
    'insert into calendars (id, user_id, host_id, slug, name) values ($1, $2, $2, $3, $4)',
    [id, owner, id, 'Practice'],
  )
  return id
}

/** Returns the exclusion constraint that rejected the write; null when it succeeded. */
async function refusedBy(work: Promise<unknown>): Promise<string | null> {
  try {
    await work
    return null
  } catch (error) {
    return findViolatedExclusionConstraint(error)
  }
}
