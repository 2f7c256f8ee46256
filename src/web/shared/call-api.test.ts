import { afterEach, expect, test, vi } from 'vitest'
import * as at from '#contract/operations/addresses.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { ApiProblem } from './api-client.ts'
import { apiPath, callApi, callApiForFile } from './call-api.ts'

afterEach(() => vi.unstubAllGlobals())

test('an answer is the body of the resource', async () => {
  answerWith(Response.json({ user: null }))
  expect(await callApi(at.getSession)).toEqual({ user: null })
})

test('a refusal is thrown with its code, its sentence and its fields', async () => {
  const errors = [{ path: 'customer.email', message: PROBLEMS['auth.invalid_email'].title }]
  answerWith(
    Response.json(
      {
        type: 'about:blank',
        title: 'Some of the values are not valid.',
        status: 400,
        code: 'request.invalid',
        errors,
      },
      { status: 400, headers: { 'content-type': 'application/problem+json' } },
    ),
  )
  expect(await problemOf(callApi(at.getSession))).toMatchObject({
    code: 'request.invalid',
    status: 400,
    message: 'Some of the values are not valid.',
    errors,
  })
})

test.each([
  ['a page of a proxy', new Response('<h1>Bad Gateway</h1>', { status: 502 }), 'server.unexpected'],
  ['no body at all', new Response(null, { status: 500 }), 'server.unexpected'],
  ['JSON of something else', Response.json('no', { status: 503 }), 'server.unavailable'],
])('%s instead of a problem becomes the general sentence', async (_, response, code) => {
  answerWith(response)
  expect(await problemOf(callApi(at.getSession))).toMatchObject({
    code,
    status: response.status,
    message: PROBLEMS['server.unexpected'].title,
  })
})

test('no connection is a problem with the sentence for it', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await problemOf(callApi(at.signOut))).toMatchObject({
    code: 'network',
    status: 0,
    message: 'You’re offline. Check your connection and try again.',
  })
})

test('a request that its caller gave up is not reported as a lost connection', async () => {
  const leaving = new AbortController()
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    leaving.abort()
    init.signal?.throwIfAborted()
  })
  await expect(callApi(at.getSession, { signal: leaving.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('a command is sent as JSON with its headers, and 204 resolves to nothing', async () => {
  const sent = answerWith(new Response(null, { status: 204 }))
  const body = { starts_at: '2027-01-05T09:00:00Z', customer: { name: 'Ada', email: 'ada@example.com' } }
  const call = { params: { slug: 'dr-grey' }, body, headers: { 'idempotency-key': 'k1' } }
  expect(await callApi(at.createAppointment, call)).toBeUndefined()
  expect(sent).toEqual([
    {
      path: '/api/public/calendars/dr-grey/appointments',
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
    },
  ])
})

test('a command without a body does not claim to carry JSON', async () => {
  const sent = answerWith(Response.json({ ok: true }))
  await callApi(at.signOut)
  expect(sent).toEqual([{ path: '/api/auth/sign-out', method: 'POST', body: undefined, headers: {} }])
})

test('a file is what came, as it came', async () => {
  const sent = answerWith(new Response('PK'))
  const file = await callApiForFile(at.exportAccount, { body: { password: 'secret' } })
  expect(await file.text()).toBe('PK')
  expect(sent).toMatchObject([{ path: '/api/profile/export', method: 'POST', body: '{"password":"secret"}' }])
})

test('a path has its values in their places, encoded, and of the query what was given', () => {
  const params = { id: 'a/b?c' }
  expect(apiPath(at.getCalendar, { params })).toBe('/api/calendars/a%2Fb%3Fc')
  const query = { date: '2027-01-05', appointment_type_id: null, time_zone: 'Asia/Kathmandu' }
  expect(apiPath(at.getPublicAvailableTimeSlotsWithGoogle, { params: { slug: 'dr-grey' }, query })).toBe(
    '/api/public/calendars/dr-grey/slots?date=2027-01-05&time_zone=Asia%2FKathmandu',
  )
})

test('what an operation does not take, or does not answer with, does not compile', () => {
  const calls = () => [
    // @ts-expect-error: no operation has this address
    callApi('GET /api/calendar/:id', { params: { id: '1' } }),
    // @ts-expect-error: the id is missing
    callApi(at.getCalendar),
    // @ts-expect-error: the path parameter has another name
    callApi(at.getCalendar, { params: { slug: 'dr-grey' } }),
    // @ts-expect-error: the operation has no query
    callApi(at.getCalendar, { params: { id: '1' }, query: { page: 2 } }),
    // @ts-expect-error: the date is missing
    callApi(at.getPublicAvailableTimeSlotsWithGoogle, { params: { slug: 'dr-grey' }, query: {} }),
    // @ts-expect-error: a name must be a string
    callApi(at.createCalendar, { body: { name: 1 } }),
    // @ts-expect-error: the operation takes no body
    callApi(at.deleteCalendar, { params: { id: '1' }, body: {} }),
    // @ts-expect-error: a calendar has no price
    callApi(at.getCalendar, { params: { id: '1' } }).then(({ price }) => price),
    // @ts-expect-error: a 204 response has no body
    callApi(at.deleteCalendar, { params: { id: '1' } }).then(({ id }) => id),
    // @ts-expect-error: `apiPath` takes no body
    apiPath(at.createCalendar, { body: { name: 'Practice' } }),
  ]
  // `npm run types` fails as soon as one of these lines compiles. The calls themselves are never run.
  expect(calls).toBeTypeOf('function')
})

/** Makes the next requests receive `response`, and returns the requests that were sent. */
function answerWith(response: Response): object[] {
  const sent: object[] = []
  vi.stubGlobal('fetch', async (path: string, { method, body, headers }: RequestInit) => {
    sent.push({ path, method, body, headers })
    return response
  })
  return sent
}

async function problemOf(request: Promise<unknown>): Promise<ApiProblem> {
  const error = await request.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiProblem) return error
  throw new Error('the request was not refused')
}
