import { afterEach, expect, test, vi } from 'vitest'
import { ApiProblem, getJson, sendJson } from './api-client.ts'

afterEach(() => vi.unstubAllGlobals())

test('an answer is the body of the resource', async () => {
  answerWith(Response.json({ user: null }))
  expect(await getJson('/api/auth/session')).toEqual({ user: null })
})

test('a refusal is thrown with its code, its sentence and its fields', async () => {
  const errors = [{ path: 'customer.email', message: 'Please enter a valid email address' }]
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
  expect(await problemOf(getJson('/api/x'))).toMatchObject({
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
  expect(await problemOf(getJson('/api/x'))).toMatchObject({
    code,
    status: response.status,
    message: 'Something went wrong. Please try again.',
  })
})

test('no connection is a problem with the sentence for it', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await problemOf(sendJson('POST', '/api/x', {}))).toMatchObject({
    code: 'network',
    status: 0,
    message: 'You appear to be offline. Please check your connection and try again.',
  })
})

test('a request that its caller gave up is not reported as a lost connection', async () => {
  const leaving = new AbortController()
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    leaving.abort()
    init.signal?.throwIfAborted()
  })
  await expect(getJson('/api/x', leaving.signal)).rejects.toMatchObject({ name: 'AbortError' })
})

test('a command is sent as JSON with its headers, and 204 resolves to nothing', async () => {
  const sent = answerWith(new Response(null, { status: 204 }))
  expect(await sendJson('POST', '/api/x', { name: 'Ada' }, { 'idempotency-key': 'k1' })).toBeUndefined()
  expect(sent).toEqual([
    {
      path: '/api/x',
      method: 'POST',
      body: '{"name":"Ada"}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
    },
  ])
})

test('a command without a body does not claim to carry JSON', async () => {
  const sent = answerWith(Response.json({ ok: true }))
  await sendJson('POST', '/api/auth/sign-out')
  expect(sent).toEqual([{ path: '/api/auth/sign-out', method: 'POST', body: undefined, headers: {} }])
})

/** Lets the next requests be answered with `response`, and returns what was sent. */
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
