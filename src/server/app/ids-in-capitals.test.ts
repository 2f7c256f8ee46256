import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { fillOperationAddress, recordNameOf } from '#tests/support/fill-address.ts'
import { makeSampleValue } from '#tests/support/json-schema-sample.ts'
import { bookAppointment, startMeridian } from '#tests/support/meridian.ts'
import { makeOneRecordOfEachKind } from '#tests/support/one-of-each.ts'
import { type OpenApiOperation, readOpenApiDocument } from '#tests/support/open-api.ts'

const meridian = await startMeridian({ env: { DEFAULT_PLAN: 'enterprise' } })
afterAll(() => meridian.stop())
const { operations, schemas } = readOpenApiDocument(meridian.app)
const { owner, calendar, ids } = await makeOneRecordOfEachKind(meridian)
await ask('PATCH', `/api/calendars/${calendar.id}/appointment-types/${ids.type_id}`, {
  series_rule: { every_weeks: [1, 2, 4], most_dates: 52 },
})
const readings = operations.filter(
  ({ method, parameters = [] }) =>
    method === 'GET' && parameters.some(({ name, schema }) => name === 'slug' || schema.format === 'uuid'),
)

/** Values for the two ends of a range, and for a moment of the past, because sample values would not form one. */
const GIVEN: Readonly<Record<string, string>> = {
  from: '2027-01-04T00:00:00Z',
  until: '2027-01-11T00:00:00Z',
  moment_date: '2027-01-04',
  moment_time: '08:00',
}

describe.each(readings)('$operationId ($path)', (operation) => {
  test('answers for an id in capitals what it answers for the id', async () => {
    const usual = await read(operation, (id) => id)
    expect(usual.statusCode, usual.body).toBe(200)
    expect((await read(operation, (id) => id.toUpperCase())).body).toBe(usual.body)
  })
})

test('a secret that was saved under an id in capitals opens again', async () => {
  const settings = {
    paypal_client_id: 'an app',
    paypal_client_secret: 'its secret',
    paypal_redirect_uri: 'http://localhost:3000/paypal-connect-callback',
    paypal_mode: 'sandbox',
  }
  const saved = await ask('PATCH', `/api/calendars/${calendar.id.toUpperCase()}/payment-settings`, settings)
  expect(saved.statusCode, saved.body).toBe(200)
  const connection = await ask('POST', `/api/calendars/${calendar.id}/payment-providers/paypal/connection`)
  expect([connection.statusCode, connection.json()]).toEqual([200, { url: expect.stringContaining('http') }])
})

test('a key that was used with an id in capitals answers the same request with the id', async () => {
  const { type_id = '' } = ids
  const headers = { 'idempotency-key': randomUUID() }
  const first = await bookAppointment(
    meridian,
    calendar.slug,
    { appointment_type_id: type_id.toUpperCase() },
    headers,
  )
  expect(first.statusCode, first.body).toBe(201)
  const again = await bookAppointment(meridian, calendar.slug, { appointment_type_id: type_id }, headers)
  expect([again.statusCode, again.json().id]).toEqual([201, first.json().id])
})

test('a place that is named by its id in capitals is the place', async () => {
  const { location_id = '' } = ids
  const changes = { location_id: location_id.toUpperCase() }
  const path = `/api/calendars/${calendar.id}/appointment-types/${ids.type_id?.toUpperCase()}`
  const changed = await ask('PATCH', path, changes)
  expect([changed.statusCode, changed.json().location_id]).toEqual([200, location_id])
})

function ask(method: 'PATCH' | 'POST', url: string, payload?: object) {
  return meridian.request({
    method,
    url,
    cookie: owner.cookie,
    ...(payload === undefined ? {} : { payload }),
  })
}

function read(operation: OpenApiOperation, spell: (id: string) => string) {
  const url = fillOperationAddress(operation, (parameter) => {
    const { name, schema, required } = parameter
    if (name === 'slug') return calendar.slug
    if ((schema.format === 'date-time' || name.startsWith('moment_')) && GIVEN[name] !== undefined)
      return encodeURIComponent(GIVEN[name])
    if (schema.format === 'uuid') return spell(ids[recordNameOf(operation, parameter)] ?? '')
    // One of several parameters is required, which the schema cannot express.
    const isNeeded = required || name === 'starts_at'
    return isNeeded
      ? encodeURIComponent(String(makeSampleValue(schema, { properties: 'all', ids, schemas }, name)))
      : null
  })
  return owner.get(url)
}
