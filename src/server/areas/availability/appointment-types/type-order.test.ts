import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { LIMITS } from '#contract/shared/limits.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

let yoga: string
let massage: string
let talk: string

beforeEach(async () => {
  yoga = await addType('Yoga')
  massage = await addType('massage')
  talk = await addType('Talk')
})

test('types are listed in the order that the owner chose, for owners and customers', async () => {
  expect(await listNames()).toEqual(['Yoga', 'massage', 'Talk'])
  expect((await order([talk, yoga, massage])).statusCode).toBe(204)
  expect(await listNames()).toEqual(['Talk', 'Yoga', 'massage'])
  const page = await meridian.get(`/api/public/calendars/${calendar.slug}/appointment-types`)
  expect(namesIn(page.json())).toEqual(['Talk', 'Yoga', 'massage'])
  const week = await owner.get(`/api/calendars/${calendar.id}/availability`)
  expect(namesIn(week.json())).toEqual(['Talk', 'Yoga', 'massage'])
})

test('a new type comes last, also after a deletion', async () => {
  await order([talk, yoga, massage])
  await owner.delete(typeUrl(yoga))
  await addType('Art')
  expect(await listNames()).toEqual(['Talk', 'massage', 'Art'])
})

test('a changed type keeps its place', async () => {
  await order([talk, yoga, massage])
  const changed = await owner.patch(typeUrl(yoga), { name: 'Aerobics' })
  expect(changed.json()).not.toHaveProperty('position')
  expect(await listNames()).toEqual(['Talk', 'Aerobics', 'massage'])
})

test('types that the request does not name follow in their present order', async () => {
  await order([massage])
  expect(await listNames()).toEqual(['massage', 'Yoga', 'Talk'])
  await order([])
  expect(await listNames()).toEqual(['massage', 'Yoga', 'Talk'])
})

test('deleted types, types of other calendars and repeated ids are ignored', async () => {
  const other = await makeCalendar(meridian, owner)
  const foreign = await addAppointmentType(meridian, other.id, { name: 'Foreign' })
  await addAppointmentType(meridian, other.id, { name: 'Second' })
  await owner.delete(typeUrl(massage))
  expect((await order([foreign, talk, massage, randomUUID(), yoga, talk])).statusCode).toBe(204)
  expect(await listNames()).toEqual(['Talk', 'Yoga'])
  expect(await listNames(other.id)).toEqual(['Foreign', 'Second'])
})

test('a duplicate of the calendar has the same order', async () => {
  await order([talk, yoga, massage])
  const copy = await owner.post(`/api/calendars/${calendar.id}/copies`, { name: 'Copy' })
  expect(await listNames(copy.json().id)).toEqual(['Talk', 'Yoga', 'massage'])
})

test('only the owner of the calendar can change the order', async () => {
  const stranger = await makeOwner(meridian)
  const body = { appointment_type_ids: [talk, yoga, massage] }
  expectRefusal(await stranger.put(orderUrl(), body), 'calendar.forbidden')
  expectRefusal(await meridian.put(orderUrl(), body), 'auth.required')
  expectRefusal(await owner.put(orderUrl(randomUUID()), body), 'calendar.not_found')
  expect(await listNames()).toEqual(['Yoga', 'massage', 'Talk'])
})

test('a request names at most as many types as a calendar can have', async () => {
  const ids = Array.from({ length: LIMITS.typesPerCalendar + 1 }, () => randomUUID())
  expectRefusal(await order(ids), 'request.invalid')
  expect((await order(ids.slice(1))).statusCode).toBe(204)
  expectRefusal(await order(['first']), 'request.invalid')
})

test('types from before there was an order stay in the order of their names', {
  tags: ['slow'],
}, async () => {
  const database = await openDatabase({ dataDir: 'memory://', poolSize: 1 })
  await migrate(database.db, undefined, (name) => name < '0045')
  const calendars = [await addOldCalendar(database), await addOldCalendar(database)]
  for (const calendarId of calendars) {
    for (const name of ['massage', 'Yoga', 'Consultation']) {
      await database.execute('insert into appointment_types (calendar_id, id, name) values ($1, $2, $3)', [
        calendarId,
        randomUUID(),
        name,
      ])
    }
  }
  await migrate(database.db)
  const { rows } = await database.execute(
    'select name, position from appointment_types order by calendar_id, position',
  )
  const inOrder = ['Consultation', 'massage', 'Yoga'].map((name, position) => ({ name, position }))
  expect(rows).toEqual([...inOrder, ...inOrder])
  await database.close()
})

async function addType(name: string): Promise<string> {
  const added = await owner.post(`/api/calendars/${calendar.id}/appointment-types`, { name })
  return added.json().id
}

function order(appointment_type_ids: string[]) {
  return owner.put(orderUrl(), { appointment_type_ids })
}

function orderUrl(calendarId = calendar.id): string {
  return `/api/calendars/${calendarId}/appointment-types/order`
}

function typeUrl(id: string): string {
  return `/api/calendars/${calendar.id}/appointment-types/${id}`
}

async function listNames(calendarId = calendar.id): Promise<string[]> {
  return namesIn((await owner.get(`/api/calendars/${calendarId}/appointment-types`)).json())
}

function namesIn({ appointment_types }: { appointment_types: { name: string }[] }): string[] {
  return appointment_types.map(({ name }) => name)
}

/** Adds a calendar, and its owner, to a database without the latest migrations. */
async function addOldCalendar(database: Database): Promise<string> {
  const id = randomUUID()
  const profile = 'insert into profiles (id, email, full_name) values ($1, $2, $3)'
  await database.execute(profile, [id, `${id}@example.com`, 'Ada Lovelace'])
  await database.execute('insert into public_calendars (slug) values ($1)', [id])
  await database.execute(
    'insert into calendars (id, user_id, host_id, slug, name) values ($1, $1, $1, $2, $3)',
    [id, id, 'Practice'],
  )
  return id
}
