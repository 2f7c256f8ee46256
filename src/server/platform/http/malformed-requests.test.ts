import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { retryUntilPasses } from '#tests/support/eventually.ts'
import { shortestTimeMs } from '#tests/support/least-time.ts'
import { makeBareApp } from '#tests/support/plain-app.ts'
import { disconnectAfter, type RawResponse, sendRawRequest } from '#tests/support/raw-request.ts'

/** Time limit for a request. It is short, so that the tests need not wait half a minute. */
const REQUEST_TIMEOUT_MS = 2_000
const HOST = 'Host: book.example'
const CLOSE = 'Connection: close'
const END = ['', '']

let app: FastifyInstance
let port: number
const logLines: string[] = []

beforeAll(async () => {
  app = await makeBareApp({ logLines, requestTimeoutMs: REQUEST_TIMEOUT_MS })
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => app.close())

describe('however its address is written', () => {
  const OF_API = [
    '/api/thing',
    '/%61pi/thing',
    '/%61%70%69/nothing',
    '/%61pi/%zz/nothing',
    '/%61pi/%c0%ae%c0%ae/nothing',
    'http://book.example/api/thing',
    'HTTP://book.example/api/nothing',
    'http://book.example/%61pi/public/things/1?a=b',
  ]
  test.each(OF_API)('%s is kept by nobody and may load nothing, as an answer of the API', async (target) => {
    const { status, headers } = await sendRawRequest(port, [`GET ${target} HTTP/1.1`, HOST, CLOSE, ...END])
    expect(status).toBe(target.endsWith('nothing') ? 404 : 200)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    })
  })

  test.each(['/%61pi/problems', 'http://book.example/api/docs/', '/page', 'http://book.example/page'])(
    '%s is a page, which may load its own files',
    async (target) => {
      const { status, headers } = await sendRawRequest(port, [`GET ${target} HTTP/1.1`, HOST, CLOSE, ...END])
      expect(status).toBe(200)
      expect(headers['content-security-policy']).toContain("script-src 'self'")
    },
  )

  test('the host of an absolute address is the one that was asked, not that of the header', async () => {
    const local = await makeBareApp({ loopbackOnly: true })
    const { port: localPort } = new URL(await local.listen({ host: '127.0.0.1', port: 0 }))
    const ask = async (target: string, host: string) =>
      (await sendRawRequest(Number(localPort), [`GET ${target} HTTP/1.1`, `Host: ${host}`, CLOSE, ...END]))
        .status
    expect(await ask('http://evil.example/api/thing', 'localhost')).toBe(404)
    expect(await ask('http://localhost:3000/api/thing', 'evil.example')).toBe(200)
    await local.close()
  })
})

describe('a request is refused as malformed', () => {
  test.each([
    ['with two hosts', [HOST, 'Host: evil.example']],
    ['with the same host twice', [HOST, HOST]],
    ['without a host', []],
    ['with a host that is a path', ['Host: book.example/api?a=b']],
    ['with a host that is two words', ['Host: book example']],
    ['with a host that names a person', ['Host: somebody@book.example']],
  ])('%s', async (_case, hosts) => {
    expectProblem(await sendRawRequest(port, ['GET /api/thing HTTP/1.1', ...hosts, CLOSE, ...END]), {
      status: 400,
      code: 'request.invalid',
    })
  })

  test('but not without a host in the older protocol, which has none', async () => {
    expect((await sendRawRequest(port, ['GET /api/thing HTTP/1.0', ...END])).status).toBe(200)
  })
})

test('an expectation that nobody here can meet is told so in a problem, and the usual one is met', async () => {
  const refused = await sendRawRequest(port, ['GET /api/thing HTTP/1.1', HOST, 'Expect: x', CLOSE, ...END])
  expectProblem(refused, { status: 417, code: 'request.expectation_unknown' })
  const body = ['Expect: 100-continue', 'Content-Type: application/json', 'Content-Length: 2']
  const met = await sendRawRequest(port, ['POST /api/public/things HTTP/1.1', HOST, CLOSE, ...body, '', '{}'])
  expect(met.status).toBe(100)
  expect(met.body).toContain('HTTP/1.1 200 OK')
})

test('who asks for a tunnel is told that there is none', async () => {
  const refused = await sendRawRequest(port, ['CONNECT evil.example:443 HTTP/1.1', HOST, ...END])
  expectProblem(refused, { status: 501, code: 'request.method_unknown' })
})

describe('a request that arrives slowly is cut off in time, and told why:', () => {
  const drops = { bytes: 'x'.repeat(1_000), everyMs: 50 }
  test.each([
    ['nothing but a connection', [], undefined],
    ['a head that never ends', ['GET /api/thing HTTP/1.1', HOST, 'X-Slow: '], drops],
    [
      'a body that never ends',
      [
        'POST /api/public/things HTTP/1.1',
        HOST,
        'Content-Type: application/json',
        'Content-Length: 1000',
        '',
        '"',
      ],
      drops,
    ],
  ])('%s', async (_case, lines, slowly) => {
    const limitMs = REQUEST_TIMEOUT_MS * 1.25
    const tookMs = await shortestTimeMs(limitMs, async () => {
      const answer = await sendRawRequest(port, lines, slowly)
      expectProblem(answer, { status: 408, code: 'request.too_slow' })
    })
    expect(tookMs).toBeLessThan(limitMs)
  })

  test('half a minute after it began, unless a test waits less', async () => {
    const usual = await makeBareApp()
    expect(usual.server.requestTimeout).toBeLessThanOrEqual(30_000)
    expect(usual.server.headersTimeout).toBeLessThanOrEqual(30_000)
    await usual.close()
  })
})

describe('a client that hangs up early is nobody’s mistake:', () => {
  const post = ['POST /api/public/things HTTP/1.1', HOST, 'Content-Type: application/json']
  test.each([
    ['in the head', ['GET /api/thing HTTP/1.1', 'Ho']],
    ['in the body', [...post, 'Content-Length: 200', '', '{"name"']],
    ['in a piece of the body', [...post, 'Transfer-Encoding: chunked', '', 'ff', '{"name"']],
    ['before the answer', ['GET /api/slow HTTP/1.1', HOST, ...END]],
    ['in the answer', ['GET /api/endless HTTP/1.1', HOST, ...END]],
  ])('%s', async (_case, lines) => {
    const other = await makeSlowApp()
    await disconnectAfter(other.port, lines, 100)
    await retryUntilPasses(async () => expect(await countConnections(other.app)).toBe(0))
    await setTimeout(100)
    expect(other.logLines.filter((line) => JSON.parse(line).level >= 40)).toEqual([])
    await other.app.close()
  })

  test('but what breaks in an answer is logged, although it breaks the connection as well', async () => {
    const other = await makeSlowApp()
    await sendRawRequest(other.port, ['GET /api/breaking HTTP/1.1', HOST, CLOSE, ...END])
    await retryUntilPasses(() =>
      expect(other.logLines.map((line) => JSON.parse(line))).toContainEqual(
        expect.objectContaining({ level: 50, err: expect.objectContaining({ message: 'the cause' }) }),
      ),
    )
    await other.app.close()
  })
})

describe('a request that changes something, from a page of', () => {
  test.each([
    ['the product', 'https://book.example', 200],
    ['the product, with the port that goes without saying', 'https://book.example:443', 200],
    ['the same host without encryption', 'http://book.example', 403],
    ['another port of it', 'https://book.example:8443', 403],
    ['another site', 'https://evil.example', 403],
    ['nowhere that can be named', 'null', 403],
    ['no origin at all', '', 403],
    ['something that is no web page', 'ftp://book.example', 403],
  ])('%s (%s) is answered with %i', async (_whose, origin, status) => {
    const headers = { origin, host: 'book.example' }
    const answer = await app.inject({ method: 'POST', url: '/api/public/things', headers, payload: {} })
    expect(answer.statusCode).toBe(status)
  })

  test('a site without encryption is answered where the product has none either', async () => {
    const other = await makeBareApp({ baseUrl: 'http://localhost:3000' })
    const headers = { origin: 'http://localhost:3000', host: 'localhost:3000' }
    const answer = await other.inject({ method: 'POST', url: '/api/public/things', headers, payload: {} })
    expect(answer.statusCode).toBe(200)
    await other.close()
  })
})

function expectProblem({ headers, body, status }: RawResponse, expected: { status: number; code: string }) {
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    expected.status,
    'application/problem+json; charset=utf-8',
    'no-store',
  ])
  expect(headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'")
  expect(JSON.parse(body)).toMatchObject(expected)
}

/** Builds an app with slow operations, so that a client can disconnect meanwhile. */
async function makeSlowApp() {
  const lines: string[] = []
  const slow = await makeBareApp({
    logLines: lines,
    extend: (built) => {
      built.get('/api/slow', async () => {
        await setTimeout(300)
        return { ok: true }
      })
      built.get('/api/endless', (_request, reply) => reply.send(Readable.from(listForEver())))
      built.get('/api/breaking', (_request, reply) => reply.send(Readable.from(breakOff())))
    },
  })
  const { port: slowPort } = new URL(await slow.listen({ host: '127.0.0.1', port: 0 }))
  return { app: slow, port: Number(slowPort), logLines: lines }
}

async function* listForEver(): AsyncGenerator<string> {
  for (;;) {
    await setTimeout(10)
    yield 'one more line\n'
  }
}

async function* breakOff(): AsyncGenerator<string> {
  yield 'one line\n'
  await setTimeout(50)
  throw new Error('the cause')
}

function countConnections({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}
