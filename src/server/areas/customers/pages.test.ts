import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { AllCustomersResponse, Customer, CustomerListResponse } from '#contract/customers/customers.ts'
import { matchesPersonSql } from '#server/platform/db/matches-person.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner, TEST_MONDAY } from '#tests/support/meridian.ts'
import { addAppointment, type StoredAppointment } from '#tests/support/stored-rows.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  hours = 0
})

describe('the list of customers', () => {
  test('is by name, page by page, and ends with the last one', async () => {
    for (const name of ['bea', 'Cleo', 'Ada', 'dora', ...Array.from({ length: 8 }, (_, i) => `Zoe ${i}`)])
      await addCustomer({ name })
    const first = await list()
    expect(first.total).toBe(12)
    expect(first.customers.map(({ name }) => name).slice(0, 5)).toEqual([
      'Ada',
      'bea',
      'Cleo',
      'dora',
      'Zoe 0',
    ])
    expect(first.customers).toHaveLength(10)
    expect((await list('?page=2')).customers.map(({ name }) => name)).toEqual(['Zoe 6', 'Zoe 7'])
    expect((await list('?page=3')).customers).toEqual([])
  })

  test('says how many appointments each has, and when the latest is', async () => {
    const { id } = await addCustomer({ name: 'Ada' }, [{ status: 'cancelled' }, {}])
    const [ada] = (await list()).customers
    expect(ada).toMatchObject({ id, name: 'Ada', appointments: 3, latest_at: at(2) })
  })

  test('finds whom the list of appointments finds', async () => {
    await addCustomer({ name: 'Ada Lovelace', email: 'countess@example.com' })
    await addCustomer({ name: 'Grace Hopper', phone: '+44 20 7946 0958' })
    const names = async (search: string) =>
      (await list(`?search=${encodeURIComponent(search)}`)).customers.map(({ name }) => name)
    expect(await names('lovelace ADA')).toEqual(['Ada Lovelace'])
    expect(await names('countess@')).toEqual(['Ada Lovelace'])
    expect(await names('020 7946')).toEqual(['Grace Hopper'])
    expect(await names('%')).toEqual([])
    await addCustomer({ name: 'Edith Clarke', email: 'edith@xn--praxis-mller-klb.de' })
    for (const search of ['praxis-müller.de', 'edith@Praxis-Müller.de', 'xn--praxis-mller-klb.de'])
      expect(await names(search), search).toEqual(['Edith Clarke'])
  })

  test('finds who booked under another name or number with a shared address', async () => {
    const shared = await addCustomer({ name: 'Anna Other', email: 'family@example.com' }, [
      { customer_name: 'Tom O’Typed', customer_phone: '0660 765 432' },
    ])
    await addCustomer({ name: 'Bea Else', email: 'bea@example.com' })
    for (const search of ["tom o'typed", '+43 660 765432', '0660 765432', 'anna other', 'family@'])
      expect(await list(`?search=${encodeURIComponent(search)}`), search).toMatchObject({
        total: 1,
        customers: [{ id: shared.id, name: 'Anna Other', appointments: 2 }],
      })
    const url = `/api/calendars/${calendar.id}/customers?search=tom`
    expect((await owner.get(url)).json()).toMatchObject({
      customers: [{ id: shared.id }],
    })
  })

  test('leaves out whose only hold has ended, and the customers of other calendars', async () => {
    const ended = new Date(TEST_MONDAY)
    await addCustomer({ name: 'Ada' }, [], { hold_expires_at: ended, released_at: ended })
    const other = await makeCalendar(meridian, owner)
    await addCustomer({ name: 'Bea' }, [], {}, other)
    expect(await list()).toEqual({ customers: [], total: 0 })
  })

  test('of all calendars has the customers of this owner by name, each with its calendar', async () => {
    // An owner of their own, because the other tests share theirs.
    const me = await makeOwner(meridian)
    const [first, second] = [await makeCalendar(meridian, me), await makeCalendar(meridian, me)]
    await addCustomer({ name: 'Cleo' }, [], {}, first)
    await addCustomer({ name: 'Bea', email: 'bea@example.com' }, [], {}, second)
    await addCustomer({ name: 'Bea', email: 'bea@example.com' }, [], {}, first)
    await addCustomer({ name: 'Ada' })
    const all = async (query = ''): Promise<AllCustomersResponse> =>
      (await me.get(`/api/customers${query}`)).json()
    const { total, customers } = await all()
    expect(total).toBe(3)
    expect(customers.map(({ name }) => name)).toEqual(['Bea', 'Bea', 'Cleo'])
    expect(new Set(customers.map(({ calendar_id }) => calendar_id))).toEqual(new Set([first.id, second.id]))
    expect((await all('?search=bea%40example.com')).total).toBe(2)
    expect((await all('?search=cleo')).customers).toMatchObject([{ name: 'Cleo', calendar_id: first.id }])
    expect(await all('?page=2')).toEqual({ customers: [], total: 3 })
    const nobody = await makeOwner(meridian)
    expect((await nobody.get('/api/customers')).json()).toEqual({ customers: [], total: 0 })
    expect((await meridian.app.inject('/api/customers')).statusCode).toBe(401)
  })

  test('of 5,000 customers is read from its indexes', { tags: ['slow'] }, async () => {
    const { db, execute } = meridian.database
    await execute(
      `insert into customers (calendar_id, id, client_id, name, email)
       select $1::uuid, gen_random_uuid(), 'CM' || n, 'Person ' || n, 'person' || n || '@example.com'
       from generate_series(1, 5000) as n`,
      [calendar.id],
    )
    await execute(
      `insert into appointments (calendar_id, host_id, id, booking_reference, customer_id, customer_name, starts_at, ends_at, time_zone,
         blocked, title, status, payment_status)
       select calendar_id, (select host_id from calendars where calendars.id = calendar_id), gen_random_uuid(), 'BK-M' || client_id, id, name, starts_at, starts_at + interval '30 minutes', 'UTC',
         tstzrange(starts_at, starts_at + interval '30 minutes'), 'Stored', 'confirmed', 'not_required'
       from customers, lateral (select timestamptz '2020-01-01' + substr(client_id, 3)::integer * interval '1 hour' as starts_at) as times
       where calendar_id = $1`,
      [calendar.id],
    )
    await execute('analyze customers, appointments, appointment_people')
    expect((await list('?page=500')).customers).toHaveLength(10)
    expect(await list('?search=person4321%40')).toMatchObject({
      total: 1,
      customers: [{ name: 'Person 4321' }],
    })
    const plan = await db
      .selectFrom('customers')
      .select('id')
      .where('calendar_id', '=', calendar.id)
      .where(
        matchesPersonSql(sql`person_search_text(name, email, client_id, phone)`, {
          words: ['person4321@'],
          phoneDigits: null,
        }),
      )
      .explain<{ 'QUERY PLAN': string }>()
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('customers_search_idx')
  })
})

describe('a customer’s page', () => {
  test('has the phone number as it was typed, and what its link dials', async () => {
    const { id } = await addCustomer({ name: 'Ada', phone: '(020) 7946 0958' })
    expect((await get(id)).json()).toMatchObject({
      phone: '(020) 7946 0958',
      phone_numbers: [{ typed: '(020) 7946 0958', dials: '+442079460958' }],
    })
  })

  test('has what they paid, by currency, and sandbox money apart', async () => {
    const { id, appointmentIds } = await addCustomer({ name: 'Ada' }, [{}])
    const [first = '', second = ''] = appointmentIds
    await addPayment(first, { amount_cents: 4_500, refunded_cents: 1_500 })
    await addPayment(second, { amount_cents: 2_000 })
    await addPayment(second, { amount_cents: 900, is_sandbox: true })
    await addPayment(second, { amount_cents: 700, status: 'failed' })
    expect((await get(id)).json()).toMatchObject({
      name: 'Ada',
      notes: null,
      erased_at: null,
      money: [
        { currency: 'EUR', sandbox: false, paid: 65, refunded: 15 },
        { currency: 'EUR', sandbox: true, paid: 9, refunded: 0 },
      ],
    })
  })

  test('keeps notes that no other window overwrites unseen', async () => {
    const { id } = await addCustomer({ name: 'Ada' })
    expect((await note(id, '  Comes with a dog. ')).json().notes).toBe('Comes with a dog.')
    const stale = await note(id, 'Comes alone.', '')
    expect([stale.statusCode, stale.json().code]).toEqual([409, 'request.changed_meanwhile'])
    expect((await note(id, '', 'Comes with a dog.')).json().notes).toBeNull()
    expect((await note(id, 'x'.repeat(10_000))).statusCode).toBe(200)
    expect((await note(id, 'x'.repeat(10_001))).json().code).toBe('request.invalid')
  })

  test('the notes are in the owner’s export of the customer, and in nothing that the customer reads', async () => {
    const { id, appointmentIds } = await addCustomer({ name: 'Ada', email: 'ada@example.com' })
    await note(id, 'SECRET-NOTE')
    const file = await ask('GET', `/customers/${id}/record`)
    expect(file.headers['content-disposition']).toBe('attachment; filename="customer.json"')
    expect(file.json()).toMatchObject({
      notes: 'SECRET-NOTE',
      customer: { name: 'Ada', email: 'ada@example.com' },
      appointments: [{ id: appointmentIds[0] }],
    })
    const seen = await meridian.get(`/api/public/appointments/${appointmentIds[0]}`)
    expect(seen.statusCode).toBe(200)
    expect(seen.body).not.toContain('SECRET-NOTE')
    const rows = await owner.get(`/api/calendars/${calendar.id}/appointments?filter=all`)
    expect(rows.body).not.toContain('SECRET-NOTE')
  })

  test.each(['GET', 'PATCH', 'POST', 'DELETE'] as const)(
    '%s is refused to everybody else',
    async (method) => {
      const { id } = await addCustomer({ name: 'Ada' })
      const [path, payload] = {
        GET: [`/customers/${id}`, undefined],
        PATCH: [`/customers/${id}`, { notes: 'x' }],
        POST: [`/customers/${id}/merge`, { other_id: randomUUID() }],
        DELETE: [`/customers/${id}/record`, undefined],
      }[method] as [string, object | undefined]
      const stranger = await makeOwner(meridian)
      const url = `/api/calendars/${calendar.id}${path}`
      expect((await meridian.request({ method, url, ...(payload && { payload }) })).statusCode).toBe(401)
      const refused = await meridian.request({
        method,
        url,
        cookie: stranger.cookie,
        ...(payload && { payload }),
      })
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'calendar.forbidden'])
      expect((await get(id)).json()).toMatchObject({ name: 'Ada', notes: null })
    },
  )

  test('of a customer of another calendar of the same owner is not found', async () => {
    const other = await makeCalendar(meridian, owner)
    const { id } = await addCustomer({ name: 'Bea' }, [], {}, other)
    expect((await get(id)).json().code).toBe('customer.not_found')
    expect((await note(id, 'x')).json().code).toBe('customer.not_found')
    const ada = await addCustomer({ name: 'Ada' })
    expect((await merge(ada.id, id)).json().code).toBe('customer.not_found')
    expect((await ask('DELETE', `/customers/${id}/record`)).json().code).toBe('customer.not_found')
  })
})

describe('two records that are put together', () => {
  test('have all appointments, messages and payments in the kept one, and the notes of both', async () => {
    const ada = await addCustomer({ name: 'Ada Lovelace', email: 'ada@example.com' })
    const gone = await addCustomer({ name: 'A. Lovelace', email: 'a.d.a@example.com', phone: '555' }, [{}])
    await note(ada.id, 'Comes with a dog.')
    await note(gone.id, 'Pays by card.')
    const [moved = ''] = gone.appointmentIds
    await addPayment(moved, { amount_cents: 4_500 })
    await addMessage(moved)

    const merged = (await merge(ada.id, gone.id)).json<Customer>()
    expect(merged).toMatchObject({
      id: ada.id,
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      phone: '555',
      appointments: 3,
      notes: 'Comes with a dog.\n\nPays by card.',
      money: [{ paid: 45 }],
    })
    expect((await get(gone.id)).json().code).toBe('customer.not_found')
    expect((await list()).customers.map(({ name }) => name)).toEqual(['Ada Lovelace'])
    // The name entered at a booking is kept with the booking, and the search still finds it.
    expect(await foundBy('ada@example.com')).toBe(3)
    const { appointments } = (await ask('GET', `/customers/${ada.id}/record`)).json()
    expect(appointments.flatMap(({ messages }: { messages: object[] }) => messages)).toHaveLength(1)
  })

  test('end the links of emails to the other address, and only those', async () => {
    const ada = await addCustomer({ name: 'Ada', email: 'ada@example.com' })
    const gone = await addCustomer({ name: 'Ada', email: 'ada@work.example' })
    const phoned = await addCustomer({ name: 'Ada', phone: '555' })
    await merge(ada.id, gone.id)
    await merge(ada.id, phoned.id)
    expect(
      await rotationsOf([...ada.appointmentIds, ...gone.appointmentIds, ...phoned.appointmentIds]),
    ).toEqual([0, 1, 0])
  })

  test('have the address of the one that has one, and a booking with it finds them', async () => {
    const phoned = await addCustomer({ name: 'Ada', phone: '555' })
    const gone = await addCustomer({ name: 'Ada', email: 'Ada@Example.com' })
    expect((await merge(phoned.id, gone.id)).json()).toMatchObject({ email: 'Ada@Example.com', phone: '555' })
    expect((await list('?search=ada%40example.com')).total).toBe(1)
  })

  test('with the same address in another spelling are one record from the start', async () => {
    const { id } = await addCustomer({ name: 'Ada', email: ' Ada@Example.com ' })
    await expect(addCustomer({ name: 'Ada', email: 'ada@example.com' })).rejects.toThrow(
      /customers_email_key/,
    )
    expect((await list()).customers.map((customer) => customer.id)).toEqual([id])
  })

  test.each([
    ['itself', 'customer.same_record', 400],
    ['nobody', 'customer.not_found', 404],
    ['somebody who was erased', 'customer.erased', 409],
    ['too many notes', 'customer.notes_too_long', 409],
  ])('%s: nothing changes', async (whom, code, status) => {
    const ada = await addCustomer({ name: 'Ada' })
    const other = await addCustomer({ name: 'Bea' }, [], PAST)
    if (whom === 'somebody who was erased') await ask('DELETE', `/customers/${other.id}/record`)
    if (whom === 'too many notes') for (const { id } of [ada, other]) await note(id, 'x'.repeat(6_000))
    const otherId = { itself: ada.id, nobody: randomUUID() }[whom] ?? other.id
    const refused = await merge(ada.id, otherId)
    expect([refused.statusCode, refused.json().code]).toEqual([status, code])
    expect((await get(ada.id)).json().appointments).toBe(1)
    expect((await get(other.id)).json().appointments).toBe(1)
  })

  test('both ways at once are put together once', async () => {
    const [ada, bea] = [await addCustomer({ name: 'Ada' }), await addCustomer({ name: 'Bea' })]
    const answers = await Promise.all([merge(ada.id, bea.id), merge(bea.id, ada.id), merge(ada.id, bea.id)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404])
    expect(await list()).toMatchObject({ total: 1, customers: [{ appointments: 2 }] })
  })
})

describe('an erased customer', () => {
  test('is refused while an appointment is ahead, and then has no name anywhere', async () => {
    const { id, appointmentIds } = await addCustomer({ name: 'Ada Lovelace', email: 'ada@example.com' })
    const [appointmentId = ''] = appointmentIds
    await addPayment(appointmentId, { amount_cents: 4_500 })
    await note(id, 'Comes with a dog.')
    const refused = await ask('DELETE', `/customers/${id}/record`)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'customer.appointments_ahead'])
    expect((await get(id)).json()).toMatchObject({ name: 'Ada Lovelace', notes: 'Comes with a dog.' })

    await meridian.database.execute(`update appointments set status = 'cancelled' where id = $1`, [
      appointmentId,
    ])
    expect((await ask('DELETE', `/customers/${id}/record`)).statusCode).toBe(204)
    expect((await ask('DELETE', `/customers/${id}/record`)).statusCode).toBe(204)
    const erased = (await get(id)).json()
    expect(erased).toMatchObject({
      email: null,
      phone: null,
      notes: null,
      appointments: 1,
      money: [{ paid: 45 }],
    })
    expect(erased.erased_at).not.toBeNull()
    expect(JSON.stringify([erased, await list()])).not.toMatch(/Lovelace|ada@|dog/)
    expect((await note(id, 'x')).json().code).toBe('customer.erased')
  })
})

const PAST = { startsAt: '2020-01-06T10:00:00Z' }
let hours = 0
let clientIds = 0

/** Returns the start `hour` hours after Monday's first time. */
function at(hour: number): string {
  return new Date(TEST_MONDAY + hour * 3_600_000).toISOString()
}

/** Adds a customer with one appointment, and one more for each item of `more`. */
async function addCustomer(
  person: { name: string; email?: string; phone?: string },
  more: readonly Partial<StoredAppointment>[] = [],
  values: Partial<StoredAppointment> = {},
  { id: calendar_id }: Calendar = calendar,
): Promise<{ id: string; appointmentIds: string[] }> {
  const id = randomUUID()
  const client_id = `CP${++clientIds}`
  const row = { calendar_id, id, client_id, email: null, phone: null, ...person }
  await meridian.database.db.insertInto('customers').values(row).execute()
  const appointmentIds: string[] = []
  for (const one of [values, ...more]) {
    const named = { customer_id: id, customer_name: person.name, customer_phone: person.phone ?? null }
    appointmentIds.push(
      await addAppointment(meridian, calendar_id, { startsAt: at(hours++), ...named, ...one }),
    )
  }
  // Deletes the default customer that `addAppointments` creates.
  await meridian.database.execute(`delete from customers where name = 'Stored Customer'`)
  return { id, appointmentIds }
}

async function addPayment(appointment_id: string, values: object): Promise<void> {
  await meridian.database.db
    .insertInto('payment_transactions')
    .values({
      calendar_id: calendar.id,
      id: randomUUID(),
      appointment_id,
      amount_cents: 0,
      provider: 'manual',
      status: 'completed',
      created_at: new Date(TEST_MONDAY),
      ...values,
    })
    .execute()
}

async function addMessage(appointment_id: string): Promise<void> {
  await meridian.database.db
    .insertInto('appointment_messages')
    .values({
      calendar_id: calendar.id,
      appointment_id,
      kind: 'booking_confirmation',
      recipient: 'customer',
      occasion: 'booked',
      sequence: 0,
      changed_at: new Date(TEST_MONDAY),
      created_at: new Date(TEST_MONDAY),
      updated_at: new Date(TEST_MONDAY),
    })
    .execute()
}

async function rotationsOf(ids: readonly string[]): Promise<number[]> {
  const rows = await meridian.database.db
    .selectFrom('appointments')
    .select(['id', 'link_rotation'])
    .where('id', 'in', ids)
    .execute()
  return ids.map((id) => rows.find((row) => row.id === id)?.link_rotation ?? -1)
}

async function foundBy(search: string): Promise<number> {
  const url = `/api/calendars/${calendar.id}/appointments?${new URLSearchParams({ filter: 'all', search })}`
  return (await owner.get(url)).json().total
}

function ask(method: 'GET' | 'PATCH' | 'POST' | 'DELETE', path: string, payload?: object) {
  const url = `/api/calendars/${calendar.id}${path}`
  return meridian.request({ method, url, cookie: owner.cookie, ...(payload && { payload }) })
}

const get = (id: string) => ask('GET', `/customers/${id}`)
const merge = (id: string, other_id: string) => ask('POST', `/customers/${id}/merge`, { other_id })
const note = (id: string, notes: string, was?: string) =>
  ask('PATCH', `/customers/${id}`, { notes, ...(was !== undefined && { was: { notes: was } }) })

async function list(query = ''): Promise<CustomerListResponse> {
  return (await ask('GET', `/customer-list${query}`)).json()
}
