import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AvailabilityResponse } from '#contract/availability.ts'
import type { Calendar } from '#contract/calendars.ts'
import {
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { addAppointment, addLocation, addType, setPrimaryLocation } from '#tests/support/stored-rows.ts'

let meridian: TestMeridian
let owner: TestOwner
let stranger: TestOwner
let calendar: Calendar
let typeId: string
let locationId: string
let availabilityId: string

beforeAll(async () => {
  meridian = await startMeridian()
  owner = await makeOwner(meridian)
  stranger = await makeOwner(meridian)
  calendar = await makeCalendar(meridian, owner)
  typeId = await addType(meridian, calendar.id)
  locationId = await addLocation(meridian, owner, { shareable: true })
  await setPrimaryLocation(meridian, calendar.id, locationId)
  availabilityId = (await getWeek()).availability[0]?.id ?? ''
  await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T09:00:00Z' })
})
afterAll(() => meridian.stop())

type Operation = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  operationId: string
  security?: unknown[]
}

/** From the committed document, which a check of its own keeps equal to the routes. */
const operations = readOperations()
const forOwners = operations.filter((operation) => operation.security !== undefined)
const BODIES: Readonly<Record<string, object>> = {
  createCalendar: { name: 'Practice' },
  updateCalendar: { category: 'Coach' },
  createAppointmentType: { name: 'Massage' },
  updateAppointmentType: { name: 'Massage' },
  updateProfile: {},
  updateNotifications: {},
  deleteAccount: { password: 'not the password' },
  addCalendarLocation: { name: 'Room' },
  updateLocation: { name: 'Room' },
  addAvailability: { day_of_week: 6, start_time: '09:00', end_time: '10:00' },
  copyAvailability: { from_day: 1, to_days: [6] },
  updateSlotSettings: { buffer_time_minutes: 60 },
}
/** Whose id is in the path, where it is not a calendar's: places are private, so a stranger's are not even there. */
const REFUSALS: readonly (readonly [path: string, status: number, code: string])[] = [
  ['/api/locations/', 404, 'location.not_found'],
  ['', 403, 'calendar.forbidden'],
]

test('every operation is named once, and everything outside public booking and sessions is for owners', () => {
  const names = operations.map((operation) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
  expect(forOwners.length).toBeGreaterThan(8)
  for (const { path, security } of operations) {
    const open = path.startsWith('/api/public/') || path.startsWith('/api/auth/')
    expect([path, security === undefined]).toEqual([path, open])
  }
})

describe.each(forOwners)('$operationId ($method $path)', (operation) => {
  test('is refused to whoever is not signed in', async () => {
    for (const cookie of [undefined, 'meridian.session_token=made.up']) {
      const answer = await ask(operation, cookie)
      expect(answer.statusCode, answer.body).toBe(401)
      expect(answer.json()).toMatchObject({
        code: 'auth.required',
        title: 'Please log in to manage your calendars',
      })
    }
  })

  test('gives a stranger nothing of somebody else’s', async () => {
    const answer = await ask(operation, stranger.cookie)
    if (operation.path.includes('{')) {
      const [, status, code] = REFUSALS.find(([path]) => operation.path.startsWith(path)) ?? []
      expect(answer.statusCode, answer.body).toBe(status)
      expect(answer.json()).toMatchObject({ code })
    }
    for (const own of [calendar.id, calendar.slug, typeId, locationId, owner.id, owner.email]) {
      expect(answer.body).not.toContain(own)
    }
  })
})

test('after all that, what the owner has is as it was', async () => {
  const list = await meridian.request({ url: '/api/calendars', cookie: owner.cookie })
  expect(list.json()).toEqual({ calendars: [calendar] })
  const types = await meridian.request({
    url: `/api/calendars/${calendar.id}/appointment-types`,
    cookie: owner.cookie,
  })
  expect(types.json()).toMatchObject({ appointment_types: [{ id: typeId, name: 'Consultation' }] })
  const places = await meridian.request({
    url: `/api/calendars/${calendar.id}/locations`,
    cookie: owner.cookie,
  })
  expect(places.json().calendar_locations).toMatchObject([
    { location_id: locationId, is_primary: true, location: { name: 'Harley Street' } },
  ])
  expect(await getWeek()).toMatchObject({ buffer_time_minutes: 0, availability: { length: 5 } })
})

test('no response of the API names a field that is only the owner’s, outside the owner’s operations', () => {
  const publicAnswers = JSON.stringify(
    operations
      .filter((operation) => operation.path.startsWith('/api/public/'))
      .map((operation) => (operation as Operation & { responses: unknown }).responses),
  )
  expect(publicAnswers).not.toMatch(/client_id|customer_id|"customers"|"email"|"phone"|stripe_p|secret/)
})

function readOperations(): Operation[] {
  const file = join(import.meta.dirname, '../../../openapi.json')
  const document: { paths: Record<string, Record<string, object>> } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...(operation as Operation),
      method: method.toUpperCase() as Operation['method'],
      path,
    })),
  )
}

async function getWeek(): Promise<AvailabilityResponse> {
  const url = `/api/calendars/${calendar.id}/availability`
  return (await meridian.request({ url, cookie: owner.cookie })).json()
}

function ask({ method, path, operationId }: Operation, cookie?: string) {
  const payload = BODIES[operationId]
  return meridian.request({
    method,
    url: path
      .replace(/\{(calendar_)?id\}/, calendar.id)
      .replace('{type_id}', typeId)
      .replace('{location_id}', locationId)
      // An id of its own, which a stranger's is refused before.
      .replace('{calendar_location_id}', locationId),
      .replace('{id}', calendar.id)
      .replace('{type_id}', typeId)
      .replace('{availability_id}', availabilityId),
    cookie,
    ...(payload === undefined ? {} : { payload }),
  })
}
