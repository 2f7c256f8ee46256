import { afterAll, describe, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { makeSampleValue } from '#tests/support/json-schema-sample.ts'
import { makeCalendar, makeOwner, startMeridian } from '#tests/support/meridian.ts'
import { makeOneRecordOfEachKind, readStoredRowsOfOwner } from '#tests/support/one-of-each.ts'
import { type OpenApiOperation, type OpenApiParameter, readOpenApiDocument } from '#tests/support/open-api.ts'

type Answer = Awaited<ReturnType<typeof meridian.request>>

/** Valid bodies for operations where the schema alone is not enough to build one. */
const BODIES: Readonly<Record<string, object>> = {
  chooseHolidays: { choice: 'close', dates: ['2027-03-26'] },
  connectCaldav: { url: 'https://dav.example.org', username: 'grace', password: 'app password' },
  connectIcs: { url: 'https://calendar.example.org/grace.ics' },
  copyAvailability: { from_day: 1, to_days: [6] },
  changeQuestions: {
    questions: [
      {
        id: '0b6fb7f2-58b5-4b0c-9d3e-2a4b7a7f1c55',
        appointment_type_id: null,
        kind: 'text',
        label: 'What brings you here?',
        help: null,
        is_required: false,
        is_private: false,
        choices: [],
        shown_if: null,
      },
    ],
  },
  createOwnAppointment: {
    starts_at: '2027-01-05T15:00:00Z',
    duration: 30,
    customer: { name: 'Grace Hopper' },
  },
  createSeries: {
    date: '2027-01-05',
    time: '15:00',
    every_weeks: 1,
    duration: 30,
    is_standing: false,
    planned: 2,
    dates: [{ number: 1 }, { number: 2 }],
    customer: { name: 'Grace Hopper' },
  },
  endSeries: { cancel_from: 1 },
  makeLogo: { logo_url: 'https://logos.example.org/grace.png' },
}
/** Query strings for operations where one of several optional parameters is required. */
const QUERIES: Readonly<Record<string, string>> = {
  judgeAppointmentTime: '?starts_at=2027-01-05T15:00:00Z',
  planPublicSeries:
    '?starts_at=2027-01-05T15:00:00Z&every_weeks=1&count=2&appointment_type_id=7f0c6d1e-1f7b-4a4e-9a53-0f5a4f9c2b10',
  explainPastTime: '?date=2027-01-05&time=15:00&moment_date=2027-01-04&moment_time=08:00',
  planSeries: '?date=2027-01-05&time=15:00&every_weeks=1&duration=30&count=2',
  judgeMove: '?starts_at=2027-01-05T15:00:00Z',
  listOverlapsWithPerson: '?name=Grace',
  listExternalEvents: '?from=2027-01-04T00:00:00Z&until=2027-01-11T00:00:00Z',
  listAllExternalEvents: '?from=2027-01-04T00:00:00Z&until=2027-01-11T00:00:00Z',
}

// The operations are read from the routes themselves, so that every new operation is tested.
const meridian = await startMeridian({ env: { DEFAULT_PLAN: 'enterprise' } })
afterAll(() => meridian.stop())
const { operations, schemas } = readOpenApiDocument(meridian.app)
const forOwners = operations.filter(({ security }) => security !== undefined)

const { owner, calendar, other, ids } = await makeOneRecordOfEachKind(meridian)
const stranger = await makeOwner(meridian)
const strangersCalendar = await makeCalendar(meridian, stranger)
const storedBefore = await readStoredRowsOfOwner(meridian, { owner, ids })
const SAMPLES = { properties: 'required', ids, schemas } as const
const SECRETS = [owner.id, owner.email, calendar.slug, ...Object.values(ids), 'Confidential', 'Secret Lane']

test('every operation is named once, and everything outside public booking, sessions, webhooks and feeds is for owners', () => {
  const names = operations.map(({ operationId }) => operationId)
  expect(new Set(names).size).toBe(names.length)
  expect(forOwners.length).toBeGreaterThan(18)
  for (const { path, security } of operations) {
    // The callback needs no session: a calendar provider redirects the browser to it, and the session may have ended.
    const open = /^\/api\/(public|auth|webhooks|feeds|calendar-connections\/callback)\//.test(path)
    expect([path, security === undefined]).toEqual([path, open])
  }
})

describe.each(forOwners)('$operationId ($method $path)', (operation) => {
  const bodies = bodiesFor(operation)
  const names = pathParameters(operation).map(({ name }) => name)

  test('is refused to whoever is not signed in', async () => {
    for (const cookie of [undefined, 'meridian.session_token=made.up']) {
      for (const answer of await askWithEach(operation, bodies, { cookie })) {
        expect(answer.statusCode, answer.body).toBe(401)
        expect(answer.json()).toMatchObject({
          code: 'auth.required',
          title: PROBLEMS['auth.required'].title,
        })
      }
    }
  })

  test('gives a stranger nothing of somebody else’s', async () => {
    for (const answer of await askWithEach(operation, bodies, { cookie: stranger.cookie })) {
      expectNothing(answer)
      if (names.includes('id')) expect(answer.json()).toMatchObject({ code: 'calendar.forbidden' })
      else if (names.length > 0) expect([403, 404], answer.body).toContain(answer.statusCode)
    }
  })

  if (names.includes('id') && (namesOfRecords(operation).length > 1 || bodies.some(namesRecord))) {
    test('does not reach somebody else’s records through a calendar of one’s own', async () => {
      const cookie = stranger.cookie
      for (const body of bodies) {
        const answer = await ask(operation, strangersCalendar.id, { cookie, body })
        expectNothing(answer)
        if (namesOfRecords(operation).length > 1)
          expect([400, 403, 404], answer.body).toContain(answer.statusCode)
      }
    })
  }

  if (operation.method === 'GET') {
    test('is there for its owner, so that the ids above are real', async () => {
      const answer = await ask(operation, calendar.id, { cookie: owner.cookie })
      expect(answer.statusCode, answer.body).toBe(200)
    })
  }
})

test('after all that, what is stored about the owner is as it was', async () => {
  expect(storedBefore.length).toBeGreaterThan(10)
  expect(await readStoredRowsOfOwner(meridian, { owner, ids })).toEqual(storedBefore)
  expect((await owner.get('/api/calendars')).json()).toEqual({
    calendars: [calendar, other],
  })
})

test('no response of the API names a field that is only the owner’s, outside the owner’s operations', () => {
  const publicAnswers = operations.filter(({ path }) => path.startsWith('/api/public/'))
  expect(
    namesIn(publicAnswers, /client_id|customer_id|"customers"|"email"|"phone"|stripe_p|secret/g),
  ).toEqual({
    // These are the customer's own phone number and record, for holders of the signed link from an email.
    getManagedAppointment: ['"phone"'],
    changeManagedDetails: ['"phone"'],
    cancelManagedAppointment: ['"phone"'],
    cancelManagedDates: ['"phone"'],
    exportOwnRecord: ['"email"', '"phone"', 'client_id'],
    // This is the kind of a question, and no number.
    getPublicCalendarBySlug: ['"phone"'],
    // This is the outcome of the email about the move (queued, failed or none), and no address.
    moveManagedAppointment: ['"email"'],
    // This is the address that the request contained.
    joinWaitingList: ['"email"'],
  })
})

test('no answer anywhere names a session’s key', () => {
  // These are signed links of the customer's own appointments, as in emails.
  expect(namesIn(operations, /"token"/g)).toEqual({ listManagedAppointments: ['"token"'] })
})

/** Lists the distinct matches in the documented responses of each operation. */
function namesIn(among: readonly OpenApiOperation[], pattern: RegExp): Record<string, string[]> {
  const found = among.map(({ operationId, responses }) => {
    const names = JSON.stringify(responses).match(pattern) ?? []
    return [operationId, [...new Set(names)].sort()] as const
  })
  return Object.fromEntries(found.filter(([, names]) => names.length > 0))
}

/** Lists bodies of valid requests, using the owner's records wherever one is referenced. */
function bodiesFor({ operationId, requestBody }: OpenApiOperation): readonly (object | undefined)[] {
  const schema = requestBody?.content['application/json'].schema
  if (schema === undefined) return [undefined]
  const known = BODIES[operationId]
  if (known !== undefined) return [known]
  return (['required', 'all'] as const).map(
    (properties) => makeSampleValue(schema, { properties, ids, schemas }) as object, // Bodies are objects.
  )
}

/**
 * Returns the responses to each possible body. A malformed body is refused before authentication and proves nothing, so
 * if all responses are such refusals, add a valid body to BODIES.
 */
async function askWithEach(
  operation: OpenApiOperation,
  bodies: readonly (object | undefined)[],
  { cookie }: { cookie: string | undefined },
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const body of bodies) answers.push(await ask(operation, calendar.id, { cookie, body }))
  const understood = answers.filter(({ statusCode }) => statusCode !== 400)
  expect(
    understood.length,
    `no valid body for ${operation.operationId}: ${answers[0]?.body}`,
  ).toBeGreaterThan(0)
  return understood
}

function expectNothing({ statusCode, body }: Answer): void {
  expect(statusCode, body).toBeLessThan(500)
  for (const secret of SECRETS) expect(body).not.toContain(secret)
}

function namesRecord(body: object | undefined): boolean {
  const text = JSON.stringify(body) ?? ''
  return Object.values(ids).some((id) => text.includes(id))
}

function pathParameters({ parameters = [] }: OpenApiOperation): OpenApiParameter[] {
  return parameters.filter((parameter) => parameter.in === 'path')
}

/**
 * Lists the parameters that identify a record. A parameter with an enum, such as a payment provider, identifies none.
 */
function namesOfRecords(operation: OpenApiOperation): OpenApiParameter[] {
  return pathParameters(operation).filter(({ schema }) => schema.enum === undefined)
}

/** Sends a request. `id` in a URL is a calendar's id; every other id is that of the owner's record of that name. */
function ask(
  operation: OpenApiOperation,
  calendarId: string,
  { cookie, body }: { cookie: string | undefined; body?: object | undefined },
) {
  let url = operation.path
  const query = new URLSearchParams()
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in === 'path')
      url = url.replace(`{${parameter.name}}`, recordOf(operation, parameter, calendarId))
    else if (parameter.required)
      query.set(parameter.name, String(makeSampleValue(parameter.schema, SAMPLES, parameter.name)))
  }
  return meridian.request({
    method: operation.method,
    url: url + (QUERIES[operation.operationId] ?? (query.size === 0 ? '' : `?${query}`)),
    cookie,
    ...(body === undefined ? {} : { payload: body }),
  })
}

function recordOf(
  { path }: OpenApiOperation,
  { name, schema }: OpenApiParameter,
  calendarId: string,
): string {
  if (name === 'id' && path.startsWith('/api/calendars/{id}')) return calendarId
  const id = ids[name]
  if (id !== undefined) return id
  if (schema.format !== 'uuid') return String(makeSampleValue(schema, SAMPLES, name))
  throw new Error(`tests/support/one-of-each.ts makes no record for {${name}} of ${path}`)
}
