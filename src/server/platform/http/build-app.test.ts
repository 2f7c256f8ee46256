import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { buildLog } from '#server/platform/log.ts'
import { retryUntilPasses } from '#tests/support/eventually.ts'
import packageJson from '../../../../package.json' with { type: 'json' }
import { type AppOptions, buildApp } from './build-app.ts'
import { clientOfRequest } from './client-of-request.ts'
import { sendProblem } from './error-handler.ts'

let app: FastifyInstance
let ready = true
const logLines: string[] = []

beforeAll(async () => {
  app = await build({ metricsToken: 'a token for the figures' })
})
afterAll(() => app.close())

describe('every answer', () => {
  const ANSWERS = ['/api/thing', '/api/broken', '/api/nothing']
  const addresses = [
    '/page',
    '/api/thing',
    '/api/broken',
    '/api/nothing',
    '/healthz',
    '/api/docs/',
    '/api/problems',
  ]

  test.each(addresses)('%s carries the security headers', async (url) => {
    const { headers } = await app.inject(url)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'strict-transport-security': 'max-age=31536000',
    })
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(String(headers['content-security-policy'])).not.toContain('unsafe')
  })

  test.each(addresses.filter((url) => !ANSWERS.includes(url)))(
    '%s may load its own files only',
    async (url) => {
      const { headers } = await app.inject(url)
      const policy = String(headers['content-security-policy'])
      for (const directive of [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ]) {
        expect(policy.split(';')).toContain(directive)
      }
    },
  )

  test.each(ANSWERS)('%s may load nothing, should a browser show it', async (url) => {
    const { headers } = await app.inject(url)
    expect(headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'")
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  test.each(addresses)('%s has a request id of its own, never the client’s', async (url) => {
    const headers = { 'x-request-id': 'mine', 'request-id': 'mine' }
    const ids = [await app.inject({ url, headers }), await app.inject({ url, headers })].map(
      (answer) => answer.headers['x-request-id'],
    )
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)])
    expect(ids[0]).not.toBe(ids[1])
  })
})

test('a request refused at the door has its id too, and is in the log', async () => {
  const other = await build({ loopbackOnly: true })
  const answer = await other.inject({ url: '/api/thing', headers: { host: 'evil.example' } })
  const { request_id } = answer.json()
  expect([answer.statusCode, answer.headers['x-request-id']]).toEqual([404, request_id])
  expect(logLines.some((line) => line.includes(request_id) && line.includes('"status":404'))).toBe(true)
  await other.close()
})

test('HTTPS is only demanded where the address is https, and inline code only allowed in development', async () => {
  const other = await build({ baseUrl: 'http://localhost:3000', allowInline: true })
  const { headers } = await other.inject('/page')
  expect(headers).not.toHaveProperty('strict-transport-security')
  expect(headers['content-security-policy']).toContain("script-src 'self' 'unsafe-inline'")
  await other.close()
})

describe('a problem', () => {
  test('names its request, so that the log can be searched for it', async () => {
    const answer = await app.inject('/api/nothing')
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toEqual({
      type: '/api/problems#request.not_found',
      title: PROBLEMS['request.not_found'].title,
      status: 404,
      code: 'request.not_found',
      request_id: answer.headers['x-request-id'],
    })
    const page = await app.inject('/api/problems')
    expect(page.body).toContain('id="request.not_found"')
  })

  test('that nobody foresaw tells the person nothing of its cause, and the log everything', async () => {
    const answer = await app.inject('/api/broken')
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toMatchObject({
      code: 'server.unexpected',
      title: PROBLEMS['server.unexpected'].title,
    })
    expect(answer.body).not.toContain('cause')
    const lines = logLines.map((line) => JSON.parse(line))
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 50,
        reqId: answer.headers['x-request-id'],
        err: expect.objectContaining({ message: 'the cause' }),
      }),
    )
  })

  test.each([
    ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'],
    ['57P01', 'terminating connection due to administrator command'],
    ['57014', 'canceling statement due to statement timeout'],
    ['08006', 'connection failure'],
    ['53300', 'sorry, too many clients already'],
    [undefined, 'timeout exceeded when trying to connect'],
    [undefined, 'Connection terminated unexpectedly'],
    [undefined, 'Cannot use a pool after calling end on the pool'],
  ])('of a database that is away (%s) asks to come back', async (code, message) => {
    const answer = await app.inject({ url: '/api/database', query: { message, ...(code ? { code } : {}) } })
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('2')
    expect(answer.json()).toMatchObject({
      code: 'server.unavailable',
      title: PROBLEMS['server.unavailable'].title,
    })
  })

  test.each(['23505', '42601', '22P02'])('of a statement that was refused (%s) is ours', async (code) => {
    const answer = await app.inject({ url: '/api/database', query: { code, message: 'refused' } })
    expect(answer.json()).toMatchObject({ code: 'server.unexpected', status: 500 })
  })

  test('of an address that is very long is one of its route, with the security headers', async () => {
    const answer = await app.inject(`/api/public/things/${'x'.repeat(10_000)}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-security-policy']).toBeDefined()
  })

  test('of an address that cannot be read is the one of an unknown address', async () => {
    const answer = await app.inject('/api/%zz?date=%zz')
    expect(answer.json()).toMatchObject({ code: 'request.not_found', status: 404 })
    expect(answer.headers['content-security-policy']).toBeDefined()
  })
})

test('an unknown kind of request is told so, also where Node cannot read it', async () => {
  const other = await build()
  const { port } = new URL(await other.listen({ host: '127.0.0.1', port: 0 }))
  for (const method of ['TRACE', 'FETCH']) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`${method} /api/thing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 501 .*content-type: application\/problem\+json/is)
    expect(answer).toContain('"title":"This HTTP method is not supported."')
  }
  await other.close()
})

test('the process is alive without a database, and ready only with one', async () => {
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok', version: packageJson.version })
  expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready' })
  ready = false
  expect((await app.inject('/healthz')).statusCode).toBe(200)
  expect((await app.inject('/readyz')).statusCode).toBe(503)
  ready = true
})

describe('the figures', () => {
  test.each([
    ['nobody in particular', {}, 404],
    ['a wrong token', { authorization: 'Bearer a token' }, 404],
    ['the token without its scheme', { authorization: 'a token for the figures' }, 404],
    ['the token', { authorization: 'Bearer a token for the figures' }, 200],
  ])('are shown to %s with %j: %i', async (_who, headers, status) => {
    const answer = await app.inject({ url: '/metrics', headers })
    expect(answer.statusCode).toBe(status)
    expect(answer.body.includes('http_request_duration_seconds')).toBe(status === 200)
  })

  test('count by the pattern of a route, not by address', async () => {
    await app.inject('/api/public/things/a-secret-id')
    const headers = { authorization: 'Bearer a token for the figures' }
    const { body } = await app.inject({ url: '/metrics', headers })
    expect(body).toContain('route="/api/public/things/:id",status="200"')
    expect(body).not.toContain('a-secret-id')
  })

  test('are open in a sandbox', async () => {
    const other = await build({ metricsOpen: true })
    expect((await other.inject('/metrics')).statusCode).toBe(200)
    await other.close()
  })
})

test('public operations are throttled by client, however their address is written; pages and owners are not', async () => {
  const other = await build({ publicRequestsPerMinute: 3 })
  const statuses: number[] = []
  for (const url of ['/api/public/things/1', '/api/%70ublic/things/2', '/api/public/things/3?a=b']) {
    statuses.push((await other.inject(url)).statusCode)
  }
  expect(statuses).toEqual([200, 200, 200])
  for (const url of ['/api/public/things/4', '/api/%70ublic/things/5']) {
    const refused = await other.inject({ url, headers: { 'x-forwarded-for': '203.0.113.1' } })
    expect(refused.json()).toMatchObject({
      code: 'request.too_many',
      status: 429,
      title: PROBLEMS['request.too_many'].title,
    })
  }
  expect((await other.inject('/api/thing')).statusCode).toBe(200)
  expect((await other.inject('/page')).statusCode).toBe(200)
  const elsewhere = { url: '/api/public/things/1', remoteAddress: '198.51.100.2' }
  expect((await other.inject(elsewhere)).statusCode).toBe(200)
  await other.close()
})

test('what is written in public has a limit of its own, a tenth of the other, which an address of the same network shares', async () => {
  let nowMs = 0
  const other = await build({ publicRequestsPerMinute: 20, now: () => nowMs })
  const write = (remoteAddress: string) =>
    other.inject({ method: 'POST', url: '/api/public/things', remoteAddress })
  expect((await write('2001:db8:1:2::1')).statusCode).toBe(200)
  expect((await write('2001:db8:1:2:ffff::1')).statusCode).toBe(200)
  nowMs = 20_000
  const refused = await write('2001:db8:1:2::2')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '40'])
  expect((await write('2001:db8:1:3::1')).statusCode).toBe(200)
  const read = await other.inject({ url: '/api/public/things/1', remoteAddress: '2001:db8:1:2::1' })
  expect(read.headers).toMatchObject({ 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '19' })
  nowMs = 60_000
  expect((await write('2001:db8:1:2::1')).statusCode).toBe(200)
  await other.close()
})

test.each([
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n1\r\n--x--',
  ],
  ['application/x-www-form-urlencoded', 'name=Grace'],
  ['text/plain', '{"name":"Grace"}'],
  ['application/octet-stream', 'bytes'],
])('a body of the kind %s is refused', async (type, payload) => {
  const answer = await postThing(payload, type)
  expect(answer.json()).toMatchObject({
    status: 415,
    code: 'request.not_json',
    title: PROBLEMS['request.not_json'].title,
  })
})

test('a body is 32 levels deep at most; what is written within its texts is no level', async () => {
  const text = JSON.stringify(`\\"${'['.repeat(100)}`)
  const deep = (levels: number) => '['.repeat(levels) + text + ']'.repeat(levels)
  expect((await postThing(deep(32))).statusCode).toBe(200)
  expect((await postThing(deep(33))).json()).toMatchObject({ status: 400, code: 'request.invalid' })
  expect((await postThing('['.repeat(60_000))).json()).toMatchObject({ status: 400 })
})

test('a body or a head that is larger than any of ours is refused', async () => {
  expect((await postThing(JSON.stringify('x'.repeat(65_536)))).json()).toMatchObject({ status: 413 })
  const other = await build()
  const address = await other.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`${address}/api/thing`, { headers: { 'x-large': 'x'.repeat(17_000) } })
  expect([answer.status, (await answer.json()).code]).toEqual([413, 'request.too_large'])
  await other.close()
})

test.each([
  [0, '127.0.0.1'],
  [1, '203.0.113.2'],
  [2, '203.0.113.1'],
])('behind %i proxies the client is the address that the outermost of them saw', async (trustProxy, ip) => {
  const other = await build({ trustProxy })
  const headers = { 'x-forwarded-for': '203.0.113.0, 203.0.113.1, 203.0.113.2' }
  expect((await other.inject({ url: '/api/thing', headers })).json()).toEqual({ ip })
  await other.close()
})

test.each([
  ['one IPv4 address with a port of its own each time', (i: number) => `203.0.113.7:${1024 + i}`],
  ['one IPv6 address with a port of its own each time', (i: number) => `[2001:db8::1]:${1024 + i}`],
  ['one IPv6 address with a zone of its own each time', (i: number) => `2001:db8::1%e${i}`],
  ['texts that are no address', (i: number) => `unknown-${i}`],
])('behind a proxy that passes on %s there is one client', async (_what, forwarded) => {
  const other = await build({ trustProxy: 1, publicRequestsPerMinute: 3 })
  const statuses: number[] = []
  for (let i = 0; i < 5; i += 1) {
    const headers = { 'x-forwarded-for': forwarded(i) }
    statuses.push((await other.inject({ url: '/api/public/things/1', headers })).statusCode)
  }
  expect(statuses).toEqual([200, 200, 200, 429, 429])
  await other.close()
})

test.each([
  // The limits are those of production: 300 requests and 30 writes a minute per client.
  ['GET', '/api/public/things/1', 900],
  ['POST', '/api/public/things', 90],
] as const)(
  '1,000 requests %s %s, each from another /64 of one /48: %i get through, as from three clients',
  async (method, url, let_through) => {
    const other = await build({ publicRequestsPerMinute: 300 })
    const ask = async (remoteAddress: string) =>
      (await other.inject({ method, url, remoteAddress })).statusCode
    const statuses: number[] = []
    for (let i = 0; i < 1_000; i += 1) statuses.push(await ask(`2001:db8:1:${i.toString(16)}::1`))
    expect(statuses).toEqual([...Array(let_through).fill(200), ...Array(1_000 - let_through).fill(429)])
    expect(await ask('2001:db8:2::1')).toBe(200)
    expect(await ask('203.0.113.7')).toBe(200)
    await other.close()
  },
)

test('a client that asks too often uses up no more of its network than its own limit', async () => {
  const other = await build({ publicRequestsPerMinute: 30 })
  const write = async (remoteAddress: string) =>
    (await other.inject({ method: 'POST', url: '/api/public/things', remoteAddress })).statusCode
  for (let i = 0; i < 50; i += 1) await write('2001:db8:1:2::1')
  expect(await write('2001:db8:1:2::1')).toBe(429)
  const neighbours: number[] = []
  for (let i = 0; i < 7; i += 1) neighbours.push(await write(`2001:db8:1:3${i}::1`))
  expect(neighbours).toEqual([200, 200, 200, 200, 200, 200, 429])
  await other.close()
})

test('what an operation answers is kept by nobody unless it says so', async () => {
  expect((await app.inject('/api/thing')).headers['cache-control']).toBe('no-store')
  expect((await app.inject('/api/nothing')).headers['cache-control']).toBe('no-store')
  expect((await app.inject('/api/kept')).headers['cache-control']).toBe('max-age=60')
  expect((await app.inject('/page')).headers).not.toHaveProperty('cache-control')
})

test('who comes while the work has fallen far behind is told to come back', async () => {
  const busy = await build({ overloadDelayMs: 1 })
  await busy.ready()
  // The overload check measures the delay of the event loop once a second.
  await retryUntilPasses(async () => {
    const start = performance.now()
    while (performance.now() - start < 100);
    const answer = await busy.inject('/api/thing')
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('2')
    while (performance.now() - start < 200);
    const page = await busy.inject({ url: '/page', headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '2'])
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain(PROBLEMS['server.unavailable'].title)
    expect(page.body).toContain('<a href="">Try again</a>')
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page.body) ?? []
    expect(style).toContain('color-scheme:light dark')
    const hash = createHash('sha256').update(style).digest('base64')
    expect(page.headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}'`)
  })
  await busy.close()
})

test('the reference and its document are there, without inline code', async () => {
  const docs = await app.inject('/api/docs/')
  expect(docs.statusCode).toBe(200)
  expect(docs.body).toContain('swagger-ui')
  expect(docs.body).not.toMatch(/<style|<script(?![^>]*\ssrc=)[^>]*>\s*\S/)
  const document = (await app.inject('/api/openapi.json')).json()
  expect(document.openapi).toBe('3.1.0')
  expect(document.paths).toHaveProperty('/api/public/things/{id}')
})

function postThing(payload: string, type = 'application/json') {
  return app.inject({ method: 'POST', url: '/api/public/things', headers: { 'content-type': type }, payload })
}

async function build(options: Partial<AppOptions> = {}): Promise<FastifyInstance> {
  const built = await buildApp({
    log: buildLog('info', { write: (line) => logLines.push(line) }),
    baseUrl: 'https://book.example',
    allowInline: false,
    loopbackOnly: false,
    trustProxy: 0,
    publicRequestsPerMinute: 1_000,
    now: () => 0,
    addRequestCounts: null,
    metrics: new Registry(),
    metricsOpen: false,
    metricsToken: undefined,
    overloadDelayMs: 0,
    isReady: async () => ready,
    ...options,
  })
  built.setNotFoundHandler((_request, reply) => sendProblem(reply, 'request.not_found'))
  built.get('/page', async (_request, reply) => reply.type('text/html').send('<!doctype html>'))
  built.get('/api/thing', async (request) => ({ ip: clientOfRequest(request).address }))
  built.get('/api/kept', async (_request, reply) => reply.header('cache-control', 'max-age=60').send({}))
  built.get('/api/public/things/:id', async () => ({ ok: true }))
  built.post('/api/public/things', async () => ({ ok: true }))
  built.get('/api/broken', async () => {
    throw new Error('the cause')
  })
  built.get<{ Querystring: { message: string } }>('/api/database', async ({ query }) => {
    throw Object.assign(new Error(query.message), query)
  })
  await built.ready()
  return built
}
