import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars.ts'
import {
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { addAppointment, addType } from '#tests/support/stored-rows.ts'

let meridian: TestMeridian
let owner: TestOwner
let stranger: TestOwner
let calendar: Calendar
let typeId: string

beforeAll(async () => {
  meridian = await startMeridian()
  owner = await makeOwner(meridian)
  stranger = await makeOwner(meridian)
  calendar = await makeCalendar(meridian, owner)
  typeId = await addType(meridian, calendar.id)
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
  createAppointmentType: { name: 'Massage' },
  updateAppointmentType: { name: 'Massage' },
  createOwnAppointment: { starts_at: '2027-01-05T10:00:00Z', customer: { name: 'Grace Hopper' } },
}
const QUERIES: Readonly<Record<string, string>> = {
  judgeAppointmentTime: '?starts_at=2027-01-05T10:00:00Z',
}

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
      expect(answer.statusCode, answer.body).toBe(403)
      expect(answer.json()).toMatchObject({ code: 'calendar.forbidden' })
    }
    for (const own of [calendar.id, calendar.slug, typeId, owner.id, owner.email]) {
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

function ask({ method, path, operationId }: Operation, cookie?: string) {
  const payload = BODIES[operationId]
  return meridian.request({
    method,
    url: path.replace('{id}', calendar.id).replace('{type_id}', typeId) + (QUERIES[operationId] ?? ''),
    cookie,
    ...(payload === undefined ? {} : { payload }),
  })
}
