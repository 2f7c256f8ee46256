import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CalendarLocation } from '#contract/availability/locations.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import { addAppointmentType, addLocation } from '#tests/support/stored-rows.ts'

let stranger: TestOwner
let calendar: Calendar

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeAll(async () => {
  stranger = await makeOwner(meridian)
  calendar = await makeCalendar(meridian, owner)
})

describe('the places of a calendar', () => {
  test('a place needs no more than a name, and the first one is primary', async () => {
    const response = await add({ name: '  Loft ' })
    expect(response.statusCode, response.body).toBe(201)
    const first: CalendarLocation = response.json()
    expect(first).toEqual({
      id: expect.any(String),
      calendar_id: calendar.id,
      location_id: first.location.id,
      is_primary: true,
      location: {
        id: expect.any(String),
        name: 'Loft',
        address: null,
        type: 'physical',
        shareable: false,
        sharing_code: null,
        exclusive: true,
        user_id: owner.id,
        used_by_others: 0,
      },
    })
    expect((await add({ name: 'Cellar', address: '1 Low Road', type: 'online' })).json()).toMatchObject({
      is_primary: false,
      location: { address: '1 Low Road', type: 'online' },
    })
    expect(await namesOf(calendar)).toEqual(['Loft (primary)', 'Cellar'])
  })

  test.each([
    ['location.name_required', 'name', {}],
    ['location.name_required', 'name', { name: '  ' }],
    ['request.invalid', 'name', { name: 'x'.repeat(LIMITS.locationName + 1) }],
    ['request.invalid', 'address', { name: 'A', address: 'x'.repeat(LIMITS.locationAddress + 1) }],
    ['request.invalid', 'address', { name: 'A', address: 'two\nlines' }],
    ['request.invalid', 'type', { name: 'A', type: 'nowhere' }],
  ] as const)('%s: the %s of %j is refused', async (code, path, body) => {
    const response = await add(body)
    expectRefusal(response, code)
    expect(response.json().errors).toContainEqual({ path, message: expect.any(String) })
  })

  test('one with the same name and address is used again, whatever its capitals, and never added twice', async () => {
    const [here, there] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    const place = { name: 'Harley Street', address: '10 Harley Street' }
    const first = (await add(place, here)).json()
    const again = { name: 'HARLEY street ', address: ' 10 harley street' }
    expect((await add(again, there)).json().location_id).toBe(first.location_id)
    expectRefusal(await add(again, here), 'location.already_added')
    expectRefusal(await add({ location_id: first.location_id }, there), 'location.already_added')
    const elsewhere = (await add({ ...place, address: '12 Harley Street' }, here)).json()
    expect(elsewhere.location_id).not.toBe(first.location_id)
  })

  test('the primary place is set anew, and removed it leaves its part to the next by name', async () => {
    const shop = await makeCalendar(meridian, owner)
    const [b, a, c] = [await addNamed('B', shop), await addNamed('A', shop), await addNamed('C', shop)]
    expect(await namesOf(shop)).toEqual(['B (primary)', 'A', 'C'])
    const response = await ask('POST', `${uses(shop)}/${c.id}/primary`)
    expect([response.statusCode, response.json().is_primary]).toEqual([200, true])
    expect((await ask('POST', `${uses(shop)}/${c.id}/primary`)).statusCode).toBe(200)
    expect(await namesOf(shop)).toEqual(['C (primary)', 'A', 'B'])
    expect((await ask('DELETE', `${uses(shop)}/${c.id}`)).statusCode).toBe(204)
    expect(await namesOf(shop)).toEqual(['A (primary)', 'B'])
    expectRefusal(await ask('DELETE', `${uses(shop)}/${c.id}`), 'location.not_found')
    expectRefusal(await ask('POST', `${uses(shop)}/${c.id}/primary`), 'location.not_found')
    for (const { id } of [b, a]) expect((await ask('DELETE', `${uses(shop)}/${id}`)).statusCode).toBe(204)
    expect(await namesOf(shop)).toEqual([])
    expect((await addNamed('C', shop)).is_primary).toBe(true)
  })

  test('a type loses the place that its calendar loses, and keeps it on another one', async () => {
    const [here, there] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    const { id, location_id } = await addNamed('Room', here)
    await add({ location_id }, there)
    for (const { id: calendarId } of [here, there])
      await addAppointmentType(meridian, calendarId, { location_id })
    await ask('DELETE', `${uses(here)}/${id}`)
    expect(await typePlaces(here)).toEqual([null])
    expect(await typePlaces(there)).toEqual([location_id])
  })
})

describe('the owner’s places', () => {
  test('are listed by name, and only to their owner', async () => {
    const somebody = await makeOwner(meridian)
    for (const name of ['loft', 'Attic']) await addLocation(meridian, somebody, { name, shareable: true })
    const { locations } = (await ask('GET', '/api/locations', undefined, somebody)).json()
    expect(locations.map((location: { name: string }) => location.name)).toEqual(['Attic', 'loft'])
    expect((await ask('GET', '/api/locations', undefined, await makeOwner(meridian))).json()).toEqual({
      locations: [],
    })
  })

  test('are changed in what is sent; another window’s change is not undone unseen', async () => {
    const { location_id: id } = (await add({ name: 'Before' })).json()
    const url = `/api/locations/${id}`
    const was = { name: 'Before', address: '' }
    const changed = await ask('PATCH', url, { name: 'After', address: '2 Mill Lane', was })
    expect(changed.json()).toMatchObject({ id, name: 'After', address: '2 Mill Lane', exclusive: true })
    const stale = await ask('PATCH', url, { name: 'Third', was })
    expectRefusal(stale, 'request.changed_meanwhile')
    expect(stale.json().errors.map((error: { path: string }) => error.path)).toEqual(['name', 'address'])
    expect((await ask('PATCH', url, { shareable: true, exclusive: false })).json()).toMatchObject({
      name: 'After',
      shareable: true,
      sharing_code: expect.any(String),
      exclusive: false,
    })
    expectRefusal(await ask('PATCH', url, { name: ' ' }), 'location.name_required')
  })

  test('cannot take the name and address of one another', async () => {
    await add({ name: 'Studio', address: '1 Quay' })
    const { location_id } = (await add({ name: 'Studio', address: '2 Quay' })).json()
    expectRefusal(
      await ask('PATCH', `/api/locations/${location_id}`, { address: '1 quay' }),
      'location.taken',
    )
    const cased = await ask('PATCH', `/api/locations/${location_id}`, { name: 'STUDIO' })
    expect(cased.json()).toMatchObject({ name: 'STUDIO' })
  })

  test('deleted, they leave calendars and types, and the next place is primary', async () => {
    const [here, there] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    const { location_id } = await addNamed('Doomed', here)
    await addNamed('Next', here)
    await add({ location_id }, there)
    await addAppointmentType(meridian, there.id, { location_id })
    expect((await ask('DELETE', `/api/locations/${location_id}`)).statusCode).toBe(204)
    expect(await namesOf(here)).toEqual(['Next (primary)'])
    expect([await namesOf(there), await typePlaces(there)]).toEqual([[], [null]])
    expectRefusal(await ask('DELETE', `/api/locations/${location_id}`), 'location.not_found')
  })

  test('are a limited number', async () => {
    const collector = await makeOwner(meridian)
    const shop = await makeCalendar(meridian, collector)
    const rows = Array.from({ length: LIMITS.locationsPerOwner }, (_, i) => ({
      id: randomUUID(),
      user_id: collector.id,
      name: `Place ${i}`,
      address: null,
    }))
    await meridian.database.db.insertInto('locations').values(rows).execute()
    const response = await add({ name: 'One more' }, shop, collector)
    expectRefusal(response, 'request.invalid')
    expect(response.json().errors).toEqual([{ path: 'name', message: 'You can have 200 locations.' }])
    expect((await add({ name: 'Place 7' }, shop, collector)).statusCode).toBe(201)
  })
})

test('somebody else’s calendar and place are neither seen, used nor changed', async () => {
  const shop = await makeCalendar(meridian, owner)
  const theirs = await makeCalendar(meridian, stranger)
  const { id, location_id } = await addNamed('Private', shop)
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['POST', '', { name: 'Yours' }],
    ['DELETE', `/${id}`, undefined],
    ['POST', `/${id}/primary`, undefined],
  ] as const) {
    expectRefusal(await ask(method, `${uses(shop)}${path}`, body, stranger), 'calendar.forbidden')
    const nowhere = `/api/calendars/${randomUUID()}/locations${path}`
    expectRefusal(await ask(method, nowhere, body, stranger), 'calendar.not_found')
  }
  // A location of one calendar cannot be reached through another calendar.
  expectRefusal(await ask('DELETE', `${uses(calendar)}/${id}`), 'location.not_found')
  for (const [method, path, body] of [
    ['PATCH', '', { name: 'Yours' }],
    ['DELETE', '', undefined],
    ['GET', '/usage', undefined],
    ['DELETE', `/calendars/${shop.id}`, undefined],
  ] as const) {
    expectRefusal(
      await ask(method, `/api/locations/${location_id}${path}`, body, stranger),
      'location.not_found',
    )
    expectRefusal(await ask(method, `/api/locations/1${path}`, body), 'location.not_found')
  }
  expectRefusal(await add({ location_id }, theirs, stranger), 'location.not_found')
  expect(await namesOf(shop)).toEqual(['Private (primary)'])
})

function uses({ id }: Calendar): string {
  return `/api/calendars/${id}/locations`
}

function add(body: Record<string, unknown>, to = calendar, asker = owner) {
  return ask('POST', uses(to), body, asker)
}

async function addNamed(name: string, to = calendar): Promise<CalendarLocation> {
  return (await add({ name, address: `${name} ${to.id}` }, to)).json()
}

async function namesOf(shop: Calendar): Promise<string[]> {
  const rows: CalendarLocation[] = (await ask('GET', uses(shop))).json().calendar_locations
  return rows.map((row) => row.location.name + (row.is_primary ? ' (primary)' : ''))
}

async function typePlaces(shop: Calendar): Promise<(string | null)[]> {
  const { appointment_types } = (await ask('GET', `/api/calendars/${shop.id}/appointment-types`)).json()
  return appointment_types.map((type: { location_id: string | null }) => type.location_id)
}

function ask(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: Record<string, unknown>,
  asker = owner,
) {
  return meridian.request({
    method,
    url,
    cookie: asker.cookie,
    ...(payload === undefined ? {} : { payload }),
  })
}
