import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { addManyAppointments } from '#tests/support/many-appointments.ts'
import { makeCalendar, TEST_MONDAY } from '#tests/support/meridian.ts'
import { recordQueries } from '#tests/support/record-queries.ts'
import { addAppointment, addAppointments } from '#tests/support/stored-rows.ts'
import { findAppointmentPage } from './find-appointment-page.ts'

let big: Calendar

const PEOPLE = [
  { name: 'Ada Lovelace', email: 'ada@example.org', phone: '+44 20 7946 0958' },
  { name: 'ÄRZTIN Müller', email: 'm.uller_1@example.org', phone: '0171/123' },
  { name: '100% Wool', email: null, phone: null },
  { name: 'Back\\slash', email: 'back@slash.example', phone: null },
] as const

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' }, calendar: 'file' })
beforeAll(async () => {
  const neighbour = await makeCalendar(meridian, owner)
  for (const [i, person] of PEOPLE.entries()) {
    await addBookings(calendar.id, person, i, 14)
    await addBookings(neighbour.id, person, i, 3)
  }
  big = await makeCalendar(meridian, owner)
  await addManyAppointments(meridian.database, big.id, 300)
})

describe.each([
  ['ada', 'Ada Lovelace'],
  ['LOVELACE', 'Ada Lovelace'],
  ['lovelace  Ada', 'Ada Lovelace'],
  ['org ada', 'Ada Lovelace'],
  ['ada müller'],
  ['example.org', 'Ada Lovelace', 'ÄRZTIN Müller'],
  ['ärztin', 'ÄRZTIN Müller'],
  ['müLLER', 'ÄRZTIN Müller'],
  ['arztin MULLER', 'ÄRZTIN Müller'],
  ['mùller', 'ÄRZTIN Müller'],
  ['mueller'],
  ['r_1', 'ÄRZTIN Müller'],
  ['a_a'],
  ['0%', '100% Wool'],
  ['a%a'],
  ['%'.repeat(2)],
  ['back\\s', 'Back\\slash'],
  ['020 7946', 'Ada Lovelace'],
  ['+44 20 79', 'Ada Lovelace'],
  ['0171-123', 'ÄRZTIN Müller'],
  ['client #cx2', '100% Wool'],
  ['lovelaceada'],
  ['nobody'],
])('a search for %j', (search, ...names) => {
  test.each(['upcoming', 'past', 'all'] as const)(
    'finds the same pages of %s as reading everything',
    async (filter) => {
      const { rows } = await meridian.database.execute(
        `select id from appointments
       where calendar_id = $1 and ($2 = 'all' or (starts_at < '2027-01-04') = ($2 = 'past')) and customer_name = any($3)
       order by starts_at, id`,
        [calendar.id, filter, names],
      )
      const plain = rows.map((row) => row.id)
      if (filter !== 'upcoming') plain.reverse()
      const last = Math.ceil(plain.length / 10)
      for (const page of new Set([1, Math.max(1, last), last + 1])) {
        const answer = await list({ filter, search, page })
        expect(answer).toMatchObject({ total: plain.length, page })
        expect(answer.ids).toEqual(plain.slice((page - 1) * 10, page * 10))
      }
    },
  )
})

test('a booking reference is found by its beginning, with or without BK-, and whole', async () => {
  const ids = await addAppointments(meridian, calendar.id, [
    { startsAt: '2027-02-01T09:00:00Z', booking_reference: 'BK-1764000000001' },
    { startsAt: '2027-02-01T10:00:00Z', booking_reference: 'BK-1764000000002' },
  ])
  expect((await list({ filter: 'upcoming', search: 'BK-17640' })).ids).toEqual(ids)
  expect((await list({ search: 'bk1764000000002' })).ids).toEqual([ids[1]])
  expect((await list({ search: '1764000000001' })).ids).toEqual([ids[0]])
  expect((await list({ search: '640000' })).total).toBe(0)
  await meridian.database.execute('delete from appointments where id = any($1)', [ids])
})

test('whoever booked under another name with the same address is found by the name that was typed', async () => {
  const [id] = await addAppointments(meridian, calendar.id, [
    { startsAt: '2027-02-02T09:00:00Z', customer_name: 'Tom Typed' },
    { startsAt: '2027-02-02T10:00:00Z', customer_name: 'Anna Other' },
  ])
  expect((await list({ search: 'tom typed' })).ids).toEqual([id])
})

test('an address that changes is found by what it is now', async () => {
  const id = await addAppointment(meridian, calendar.id, {
    startsAt: '2027-02-03T09:00:00Z',
    customer_name: 'Mover',
  })
  await meridian.database.execute(
    `update customers set email = 'moved@example.net'
     where id = (select customer_id from appointments where id = $1)`,
    [id],
  )
  expect((await list({ search: 'moved@example' })).ids).toEqual([id])
})

test('an address at an international domain is found by either form of the domain', async () => {
  const id = await addAppointment(meridian, calendar.id, {
    startsAt: '2027-02-03T11:00:00Z',
    customer_name: 'Edith Clarke',
  })
  await meridian.database.execute(
    `update customers set email = 'edith@xn--mller-kva.de'
     where id = (select customer_id from appointments where id = $1)`,
    [id],
  )
  for (const search of [
    'müller.de',
    'MÜLLER.DE',
    '@müller',
    'edith@müller.de',
    'mu\u0308ller.de',
    'xn--mller-kva.de',
    'edith müller.de',
  ]) {
    expect((await list({ search })).ids, search).toEqual([id])
  }
})

test('a name that was composed otherwise is the same name', async () => {
  const id = await addAppointment(meridian, calendar.id, {
    startsAt: '2027-02-04T09:00:00Z',
    customer_name: 'Zo\u00eb'.normalize('NFD'),
  })
  expect((await list({ search: 'zo\u00eb' })).ids).toEqual([id])
})

test.each([
  ['jose nunez', 'José Núñez'],
  ['José', 'Jose Perez'],
  ['strasse', 'Paul Straße'],
  ['Søren', 'Soren Lund'],
  ['lukasz', 'Łukasz Dąbrowski'],
  ['oeuvre', 'Œuvre Æble'],
  ['ŒUVRE', 'Oeuvre Aeble'],
  ['østen', 'Ole Østen'],
  ['nguyen duc', 'Nguyễn Đức'],
  ['Ισιδωρα', 'Ισιδώρα Αθανασίου'],
  ['ישראל', 'ישראל כהן'],
  ["O'Dea", 'Pat O’Dea'],
  ['o’dea', "Pat O'Dea"],
  ['o´dea', 'Pat Oʼ\u200bDea'],
  ['odea', 'Pat O’Dea'],
  ['Anne-Marie', 'Anne\u2011Marie Duff'],
  ['Anne–Marie', 'Anne Marie Duff'],
  ['anne marie', 'Anne\u2010Marie Duff'],
  ['annemarie', 'Anne-Marie Duff'],
  ['Müller-Lüdenscheidt', 'Muller Ludenscheidt'],
  ['st john', 'St. John, Jr.'],
  ['ＦＵＬＬ', 'Eve Full-Width'],
  ['wide', 'Ａｄａ　Ｗｉｄｅ'],
  ['fiona', 'ﬁona Ligature'],
  ['STRASSE', 'Paul STRAẞE'],
  ['isik', 'IŞIK Turk'],
  ['ışık', 'Isik Turk'],
  ['istanbul', 'İstanbul Turk'],
  ['иван', 'ИВАН Петров'],
  ['ёлка', 'ЕЛКА Петрова'],
  ['ΣΟΦΙΑΣ', 'Σοφίας Παππά'],
  ['محمد', 'مُحَمَّد'],
  ['علی', 'علي'],
  ['שלום', 'שָׁלוֹם'],
  ['þórr', 'THORR Odinson'],
  ['50％', '50% Linen'],
])('%j finds %j', async (search, customer_name) => {
  const id = await addAppointment(meridian, calendar.id, { startsAt: '2027-02-06T09:00:00Z', customer_name })
  expect((await list({ search })).ids).toEqual([id])
  await meridian.database.execute('delete from appointments where id = $1', [id])
})

test.each([
  ['020 7946 0123', '+44 20 7946 0123'],
  ['+44 20 7946 0123', '020 7946 0123'],
  ['+44 20 7946 0123', '(020) 7946-0123'],
  ['0044 20 7946 0123', '020 7946 0123'],
  ['+44 (0)20 7946 0123', '+44 20 7946 0123'],
  ['+44 20 7946 0123', '+44 (0)20 7946 0123'],
  ['+44 20 7946 01', '+44 (0)20 7946 0123'],
  ['020–7946–0123', '+442079460123'],
  ['０２０ ７９４６ ０１２３', '+44 20 7946 0123'],
  ['020 7946 0123', '０２０ ７９４６ ０１２３'],
  ['+43 660 765 432', '0660 765 432'],
  ['0660 765 432', '+43 660 765432'],
])('the phone number %j finds %j', async (search, customer_phone) => {
  const id = await addAppointment(meridian, calendar.id, {
    startsAt: '2027-02-06T09:00:00Z',
    customer_name: 'Phone Booker',
    customer_phone,
  })
  expect((await list({ search })).ids).toEqual([id])
  await meridian.database.execute('delete from appointments where id = $1', [id])
})

test('a search compares a text in the same way in every locale', async () => {
  const { rows } = await meridian.database.execute(
    `select letter, lower(letter) as lowered, search_letters(letter) as letters, search_letters(lower(letter)) as of_lowered
     from (select chr(code) as letter from generate_series(65, 1414) as code) as every`,
  )
  const different = rows.filter(({ letters, of_lowered }) => letters !== of_lowered)
  expect(different.map(({ letter }) => letter).join('')).toBe('')
})

test('ended holds are not found', async () => {
  const now = new Date(TEST_MONDAY)
  await addAppointment(meridian, calendar.id, {
    startsAt: '2027-02-05T09:00:00Z',
    customer_name: 'Gone Hold',
    status: 'pending_payment',
    hold_expires_at: now,
    released_at: now,
  })
  expect((await list({ search: 'gone hold' })).total).toBe(0)
})

test('what is longer than 100 characters is refused', async () => {
  const response = await ask({ search: 'a'.repeat(101) })
  expect(response.statusCode).toBe(400)
  expect((await ask({ search: ` ${'a'.repeat(100)} ` })).statusCode).toBe(200)
})

test('searches that find much read the same pages as those that find little', async () => {
  const { db } = meridian.database
  const scope = {
    ownerId: owner.id as OwnerId,
    calendarIds: [big.id],
    todayStartsAt: new Date('2027-01-04'),
    phoneTimeZone: 'Europe/London',
  }
  for (const filter of ['upcoming', 'past', 'all'] as const) {
    const { rows } = await meridian.database.execute(
      `select id from appointments where calendar_id = $1 and customer_name like 'Many%'
       and ($2 = 'all' or (starts_at < '2027-01-04') = ($2 = 'past')) order by starts_at, id`,
      [big.id, filter],
    )
    const plain = rows.map((row) => row.id)
    if (filter !== 'upcoming') plain.reverse()
    const pages = Math.ceil(plain.length / 10)
    for (const page of [1, 2, Math.ceil(pages / 3), Math.ceil(pages / 2) + 1, pages, pages + 1]) {
      const found = await findAppointmentPage(db, scope, {
        filter,
        search: 'many',
        page,
        size: 10,
        maxSorted: 20,
      })
      expect(found, `${filter} ${page}`).toEqual({
        total: plain.length,
        ids: plain.slice((page - 1) * 10, page * 10),
      })
    }
  }
})

test('a search that finds everything shows the pages that there are without it', async () => {
  const scope = {
    ownerId: owner.id as OwnerId,
    calendarIds: [big.id],
    todayStartsAt: new Date('2027-01-04'),
    phoneTimeZone: 'Europe/London',
  }
  const { db } = meridian.database
  for (const filter of ['upcoming', 'past', 'all'] as const) {
    const query = { filter, page: 3, size: 10, maxSorted: 20 }
    const found = await findAppointmentPage(db, scope, { ...query, search: '@EXAMPLE' })
    expect(found).toEqual(await findAppointmentPage(db, scope, { ...query, search: '' }))
    expect(found.ids).toHaveLength(10)
  }
})

describe('the plans', () => {
  test.each([
    ['', 'appointments_starts_at_idx'],
    ['many', 'appointments_starts_at_idx'],
    ['person 77', 'appointments_person_idx'],
    // The trigram index of typed titles only works for searches of three or more letters.
    ['m', 'appointments_typed_idx'],
    // Both indexes find the rows. Which one is cheaper depends on the sample that `analyze` took.
    ['BK-90001', /appointments_(reference_idx|calendar_id_booking_reference_key)/],
  ])(
    'a list searched for %j is read from an index (%s) and never from the whole table',
    async (search, index) => {
      const { database } = meridian
      await database.execute('analyze appointments')
      await database.execute('analyze appointment_people')
      // With so few rows PostgreSQL would otherwise read the whole table.
      await database.execute('set enable_seqscan = off')
      const recorded = recordQueries(database.db)
      const scope = {
        ownerId: owner.id as OwnerId,
        calendarIds: [big.id],
        todayStartsAt: new Date('2027-01-04'),
        phoneTimeZone: 'Europe/London',
      }
      await findAppointmentPage(recorded.db, scope, {
        filter: 'all',
        search,
        page: 10,
        size: 10,
        maxSorted: 20,
      })
      const plans: string[] = []
      for (const { sql, parameters } of recorded.queries) {
        const { rows } = await database.execute(`explain ${sql}`, parameters)
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      }
      await database.execute('reset enable_seqscan')
      expect(plans.length).toBeGreaterThan(1)
      expect(plans.join('\n')).toMatch(index)
      expect(plans.join('\n')).not.toContain('Seq Scan on appointments')
    },
  )
})

async function addBookings(
  calendarId: string,
  person: (typeof PEOPLE)[number],
  number: number,
  count: number,
): Promise<void> {
  const customerId = randomUUID()
  await meridian.database.execute(
    'insert into customers (calendar_id, id, client_id, name, email, phone) values ($1, $2, $3, $4, $5, $6)',
    [calendarId, customerId, `CX${number}`, person.name, person.email, person.phone],
  )
  const firstMs = TEST_MONDAY - 6 * 86_400_000 + number * 1_800_000
  await addAppointments(
    meridian,
    calendarId,
    Array.from({ length: count }, (_, i) => ({
      startsAt: new Date(firstMs + i * 86_400_000).toISOString(),
      customer_id: customerId,
      customer_name: person.name,
      customer_phone: person.phone,
    })),
  )
}

type Query = { filter?: string; search: string; page?: number }

function ask({ filter = 'all', search, page = 1 }: Query) {
  const query = new URLSearchParams({ filter, search, page: String(page) })
  return owner.get(`/api/calendars/${calendar.id}/appointments?${query}`)
}

async function list(query: Query): Promise<{ total: number; page: number; ids: string[] }> {
  const response = await ask(query)
  expect(response.statusCode, response.body).toBe(200)
  const { total, page, appointments } = response.json()
  return { total, page, ids: appointments.map((row: AppointmentRow) => row.id) }
}
