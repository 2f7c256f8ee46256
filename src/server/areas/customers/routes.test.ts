import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { makeCalendar, TEST_MONDAY } from '#tests/support/meridian.ts'
import { addAppointments } from '#tests/support/stored-rows.ts'

const PEOPLE: readonly (readonly [name: string, email: string | null, phone: string | null])[] = [
  ['Grace Hopper', 'grace@example.com', '+44 (20) 7946-0958'],
  ['Margrace Field', null, null],
  ['Ada Lovelace', 'countess_100%@example.com', null],
  ['Back\\slash', null, '555'],
]

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' }, calendar: 'file' })
beforeAll(async () => {
  const other = await makeCalendar(meridian, owner)
  await addCustomers(calendar, PEOPLE)
  await addCustomers(other, [['Grace Elsewhere', null, null]])
})

test.each([
  ['a part of the name, those that begin with it first', 'GRACE', ['Grace Hopper', 'Margrace Field']],
  ['a part of the email address', '@example', ['Ada Lovelace', 'Grace Hopper']],
  ['the digits of the phone number, as they are dialled at home', '020 7946', ['Grace Hopper']],
  ['both names in whatever order', 'hopper GRACE', ['Grace Hopper']],
  ['the client number', '#cx3', ['Ada Lovelace']],
  ['digits that are not in this order', '0207964', []],
  ['the digits, however they are written', '44 20 7946 0958', ['Grace Hopper']],
  ['spaces around', '  ada ', ['Ada Lovelace']],
  ['an underscore for itself', 'ss_1', ['Ada Lovelace']],
  ['a per cent sign for itself', '0%@', ['Ada Lovelace']],
  ['no pattern', '%', ['Ada Lovelace']],
  ['a backslash for itself', 'k\\s', ['Back\\slash']],
  ['a quote', "q'", []],
  ['nothing', '', []],
])('finds by %s: %j', async (_case, search, names) => {
  expect((await find(search)).map((customer) => customer.name)).toEqual(names)
  // The search in the list of appointments finds the same people; with an empty search it lists everybody.
  if (search !== '') expect((await findInAppointments(search)).sort()).toEqual([...names].sort())
})

test('says what is needed to choose one, and no more than 10', async () => {
  expect(await find('grace h')).toEqual([
    {
      id: expect.any(String),
      client_id: expect.stringMatching(/^CX\d+$/),
      name: 'Grace Hopper',
      email: 'grace@example.com',
      phone: '+44 (20) 7946-0958',
    },
  ])
  const many = await makeCalendar(meridian, owner)
  await addCustomers(
    many,
    Array.from({ length: 12 }, (_, i) => [`Namesake ${i}`, null, null] as const),
  )
  expect(await find('namesake', many)).toHaveLength(10)
})

test('a text that is too long is refused', async () => {
  const url = `/api/calendars/${calendar.id}/customers?search=${'x'.repeat(101)}`
  const answer = await owner.get(url)
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'request.invalid'])
})

type Found = { name: string }

async function find(search: string, { id } = calendar): Promise<Found[]> {
  const url = `/api/calendars/${id}/customers?${new URLSearchParams({ search })}`
  return (await owner.get(url)).json().customers
}

async function findInAppointments(search: string): Promise<string[]> {
  const url = `/api/calendars/${calendar.id}/appointments?${new URLSearchParams({ filter: 'all', search })}`
  const { appointments } = (await owner.get(url)).json()
  return appointments.map((row: AppointmentRow) => row.customers.name)
}

let clientIds = 0

async function addCustomers({ id }: Calendar, people: typeof PEOPLE): Promise<void> {
  const rows = people.map(([name, email, phone]) => ({
    calendar_id: id,
    id: randomUUID(),
    client_id: `CX${++clientIds}`,
    name,
    email,
    phone,
  }))
  await meridian.database.db.insertInto('customers').values(rows).execute()
  const appointments = rows.map(({ id: customer_id, name, phone }, i) => ({
    startsAt: new Date(TEST_MONDAY + i * 3_600_000).toISOString(),
    customer_id,
    customer_name: name,
    customer_phone: phone,
  }))
  await addAppointments(meridian, id, appointments)
  // Deletes the default customer that `addAppointments` creates.
  await meridian.database.execute(`delete from customers where name = 'Stored Customer'`)
}
