import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AgendaResponse, AppointmentRow } from '#contract/appointments/appointments.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { addManyAppointments } from '#tests/support/many-appointments.ts'
import { makeCalendar, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import { recordQueries } from '#tests/support/record-queries.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'
import { findAppointmentPage, listInChunks } from './find-appointment-page.ts'
import type { AppointmentListScope } from './list-repository.ts'

let calendars: Calendar[]
let stranger: TestOwner
/** An appointment of the stranger. */
let foreign: string

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' }, hasWorkers: false })
beforeAll(async () => {
  calendars = [
    await makeCalendar(meridian, owner, { name: 'Studio' }),
    await makeCalendar(meridian, owner, { name: 'Evenings' }),
    await makeCalendar(meridian, owner, { name: 'Auckland', timezone: 'Pacific/Auckland' }),
  ]
  for (const [i, { id }] of calendars.entries())
    await addManyAppointments(meridian.database, id, 120 + i * 30)
  stranger = await makeOwner(meridian)
  const theirs = await makeCalendar(meridian, stranger)
  foreign = await addAppointment(meridian, theirs.id, {
    startsAt: '2027-01-05T09:00:00Z',
    customer_name: 'Many others',
  })
})

describe.each(['upcoming', 'past', 'all'] as const)('the list of %s appointments', (filter) => {
  test.each([
    ['', ''],
    ['many', 'many'],
    ['other', 'other'],
  ])(
    'has the same pages as reading all of the owner’s calendars, searched for "%s"',
    async (search, name) => {
      const expected = await readPlainly(filter, name)
      const last = Math.ceil(expected.length / 10)
      expect(last).toBeGreaterThan(1)
      for (const page of new Set([1, 2, Math.ceil(last / 2) + 1, last, last + 1])) {
        const shown = expected.slice((page - 1) * 10, page * 10)
        const answer = await list({ filter, search, page })
        expect(answer, `page ${page}`).toEqual({ total: expected.length, ids: shown })
        // Also when too much is found to sort it.
        const walked = await findAppointmentPage(meridian.database.db, scope(), {
          ...{ filter, search, page, size: 10, maxSorted: 5 },
        })
        expect(walked, `page ${page}`).toEqual({ total: expected.length, ids: shown })
      }
    },
  )

  test('is exported in the same order, in chunks', async () => {
    const ids: string[] = []
    for await (const chunk of listInChunks(meridian.database.db, scope(), { filter, search: '', size: 7 })) {
      ids.push(...chunk)
    }
    expect(ids).toEqual(await readPlainly(filter, ''))
  })
})

test('today begins in the time zone of the list', async () => {
  const count = async (zone: string) => (await list({ filter: 'past', zone })).total
  const { rows } = await meridian.database.execute(
    `select count(*) filter (where starts_at < '2027-01-04T00:00Z')::integer as london,
       count(*) filter (where starts_at < '2027-01-03T11:00Z')::integer as auckland
     from appointments where calendar_id = any($1)`,
    [calendars.map(({ id }) => id)],
  )
  expect([await count('Europe/London'), await count('Pacific/Auckland')]).toEqual([
    rows[0]?.london,
    rows[0]?.auckland,
  ])
  expect((await owner.get('/api/appointments?time_zone=Mars/Olympus')).json().code).toBe(
    'calendar.time_zone_unknown',
  )
})

test('nobody sees the appointments of another owner, and a guest sees none', async () => {
  expect((await list({ filter: 'all', search: 'others' })).ids).toEqual([])
  expect((await list({ filter: 'all' }, stranger)).ids).toEqual([foreign])
  expect((await stranger.get(`/api/appointments/${foreign}`)).json()).toMatchObject({ id: foreign })
  for (const id of [foreign, randomUUID(), 'nothing']) {
    const { statusCode, body } = await owner.get(`/api/appointments/${id}`)
    expect([statusCode, JSON.parse(body).code], id).toEqual([404, 'appointment.not_found'])
  }
  const agenda: AgendaResponse = (await stranger.get('/api/appointments/agenda?from=2027-01-04')).json()
  expect(agenda.appointments.map(({ id }) => id)).toEqual([foreign])
  expect((await stranger.get('/api/appointments.csv?filter=all')).body.trim().split('\r\n')).toHaveLength(2)
  for (const path of ['', '.csv', '/agenda?from=2027-01-04', '/undelivered-messages', `/${foreign}`]) {
    expect((await meridian.get(`/api/appointments${path}`)).statusCode, path).toBe(401)
  }
})

test('an owner without calendars has an empty list, week and file', async () => {
  const beginner = await makeOwner(meridian)
  expect(await list({ filter: 'all', search: 'many' }, beginner)).toEqual({ total: 0, ids: [] })
  expect((await beginner.get('/api/appointments/agenda?from=2027-01-04')).json()).toMatchObject({
    time_zone: 'Europe/London',
    days: { length: 7 },
    appointments: [],
  })
  expect((await beginner.get('/api/appointments.csv')).body.trim().split('\r\n')).toHaveLength(1)
})

test('one appointment of any calendar is found by its id alone', async () => {
  const [id] = await readPlainly('upcoming', '')
  const row: AppointmentRow = (await owner.get(`/api/appointments/${id}`)).json()
  expect(row).toMatchObject({ id })
  expect(calendars.map((calendar) => calendar.id)).toContain(row.calendar_id)
})

test('the file begins each line with the calendar', async () => {
  const { headers, body } = await owner.get('/api/appointments.csv?filter=all&search=other')
  expect(headers['content-disposition']).toBe(
    'attachment; filename="appointments-all-calendars-2027-01-04.csv"',
  )
  const [header, ...lines] = body.trimEnd().split('\r\n')
  expect(header).toMatch(/^\uFEFFcalendar_name,date,/)
  expect(lines).toHaveLength((await readPlainly('all', 'other')).length)
  expect(new Set(lines.map((line) => line.split(',')[0]))).toEqual(
    new Set(['Studio', 'Evenings', 'Auckland']),
  )
})

test('a week has the appointments of all calendars and the hours when one of them is open', async () => {
  const practice = await makeOwner(meridian)
  const london = await makeCalendar(meridian, practice)
  const berlin = await makeCalendar(meridian, practice, { timezone: 'Europe/Berlin' })
  const ids = [
    await addAppointment(meridian, berlin.id, { startsAt: '2027-01-05T08:00:00Z' }),
    await addAppointment(meridian, london.id, { startsAt: '2027-01-05T10:00:00Z' }),
  ]
  const query = 'from=2027-01-05&days=1&time_zone=Europe/London'
  const agenda: AgendaResponse = (await practice.get(`/api/appointments/agenda?${query}`)).json()
  expect(agenda).toMatchObject({ time_zone: 'Europe/London', is_complete: true })
  expect(agenda.appointments.map(({ id }) => id)).toEqual(ids)
  // Both are open from 9 to 5 in their own time zones.
  expect(agenda.days[0]?.openings).toEqual([
    { starts_at: '2027-01-05T08:00:00.000Z', ends_at: '2027-01-05T17:00:00.000Z' },
  ])
})

test('undelivered messages are counted over all calendars', async () => {
  const practice = await makeOwner(meridian)
  for (const hour of ['09', '10']) {
    const { id: calendar_id } = await makeCalendar(meridian, practice)
    const appointment = await addAppointment(meridian, calendar_id, {
      startsAt: `2027-01-05T${hour}:00:00Z`,
    })
    await addFailedMessage(calendar_id, appointment)
  }
  const undelivered = async (by: TestOwner) => (await by.get('/api/appointments/undelivered-messages')).json()
  expect(await undelivered(practice)).toMatchObject({ messages: 2, appointments: { length: 2 } })
  expect(await undelivered(stranger)).toEqual({ messages: 0, appointments: [] })
})

test('a page is read from the index of each calendar, and never from the whole table', async () => {
  const { database } = meridian
  await database.execute('analyze appointments')
  // With so few rows PostgreSQL would otherwise read the whole table.
  await database.execute('set enable_seqscan = off')
  const recorded = recordQueries(database.db)
  await findAppointmentPage(recorded.db, scope(), { filter: 'upcoming', search: '', page: 2, size: 10 })
  const plans: string[] = []
  for (const { sql, parameters } of recorded.queries) {
    const { rows } = await database.execute(`explain ${sql}`, parameters)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  await database.execute('reset enable_seqscan')
  expect(plans.at(-1)).toMatch(/Nested Loop[\s\S]*Limit[\s\S]*appointments_starts_at_idx/)
  expect(plans.join('\n')).not.toContain('Seq Scan on appointments')
})

function scope(): AppointmentListScope {
  return {
    ownerId: owner.id as OwnerId,
    calendarIds: calendars.map(({ id }) => id),
    todayStartsAt: new Date('2027-01-04'),
    phoneTimeZone: 'Europe/London',
  }
}

/** Reads all ids of the owner’s calendars whose customer has a name like this, in the order of the list. */
async function readPlainly(filter: string, name: string): Promise<string[]> {
  const { rows } = await meridian.database.execute(
    `select id from appointments
     where calendar_id = any($1) and customer_name ilike '%' || $3 || '%'
       and ($2 = 'all' or (starts_at < '2027-01-04T00:00Z') = ($2 = 'past'))
     order by starts_at, id`,
    [calendars.map(({ id }) => id), filter, name],
  )
  const ids = rows.map((row) => String(row.id))
  return filter === 'upcoming' ? ids : ids.reverse()
}

type Query = { filter: string; search?: string; page?: number; zone?: string }

async function list(
  { filter, search = '', page = 1, zone = 'Europe/London' }: Query,
  by: TestOwner = owner,
): Promise<{ total: number; ids: string[] }> {
  const query = new URLSearchParams({ filter, search, page: String(page), time_zone: zone })
  const response = await by.get(`/api/appointments?${query}`)
  expect(response.statusCode, response.body).toBe(200)
  const { total, appointments } = response.json()
  return { total, ids: appointments.map((row: AppointmentRow) => row.id) }
}

async function addFailedMessage(calendar_id: string, appointment_id: string): Promise<void> {
  const now = new Date(meridian.clock.ms)
  await meridian.database.db
    .insertInto('appointment_messages')
    .values({
      calendar_id,
      appointment_id,
      kind: 'booking_confirmation',
      recipient: 'customer',
      occasion: 'booked',
      sequence: 0,
      state: 'given_up',
      changed_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute()
}
