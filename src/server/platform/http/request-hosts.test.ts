import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { makeBareApp } from '#tests/support/plain-app.ts'
import { sendRawRequest } from '#tests/support/raw-request.ts'
import { findCalendarHost, type RequestHostOptions } from './request-hosts.ts'

const HOSTS: RequestHostOptions = {
  isOwnHost: (host) => host === 'book.example',
  findCalendarHost: async (host) => {
    if (host === 'away.example') throw new Error('the database is away')
    return host === 'termine.example' ? { host, calendarId: 'c1', slug: 'osei' } : null
  },
  isCustomerCookie: (name) => name === 'customer',
  isCalendarHostRoute: (route) => route === '/page' || route.startsWith('/api/public/'),
}

let app: FastifyInstance | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

async function start(trustProxy = 0): Promise<FastifyInstance> {
  app = await makeBareApp({
    hosts: HOSTS,
    trustProxy,
    extend: (plain) => {
      plain.get('/api/public/seen', async (request) => ({
        host: findCalendarHost(request)?.host ?? null,
        cookie: request.headers.cookie ?? null,
      }))
    },
  })
  return app
}

describe('the host of a request (rule J2)', () => {
  test.each([
    [0, 'book.example', 'termine.example', null],
    [1, 'book.example', 'termine.example', 'termine.example'],
    [1, 'termine.example', 'book.example', null],
    [1, 'book.example', 'book.example, TERMINE.example.:443', 'termine.example'],
    [0, 'termine.example', 'book.example', 'termine.example'],
  ])(
    'behind %i proxies, asked as %s and forwarded for %s, is %s',
    async (proxies, host, forwarded, found) => {
      const plain = await start(proxies)
      const headers = { host, 'x-forwarded-host': forwarded }
      const answer = await plain.inject({ url: '/api/public/seen', headers })
      expect(answer.json()).toMatchObject({ host: found })
    },
  )

  test('that a proxy forwards and nobody has is unknown', async () => {
    const plain = await start(1)
    const headers = { host: 'book.example', 'x-forwarded-host': 'nobody.example' }
    expect((await plain.inject({ url: '/api/thing', headers })).json()).toMatchObject({
      status: 421,
      code: 'host.unknown',
    })
    expect((await plain.inject({ url: '/page', headers })).statusCode).toBe(421)
  })

  test.each([
    ['two, also when one is the installation', ['Host: book.example', 'Host: termine.example'], 400],
    ['two that are the same', ['Host: termine.example', 'Host: termine.example'], 400],
    ['none', [], 400],
    ['an empty one', ['Host:'], 400],
    ['one in capitals, with a dot and a port', ['Host: TERMINE.EXAMPLE.:8443'], 200],
    ['one that is a list', ['Host: termine.example,book.example'], 421],
  ])('may not be %s', async (_what, lines, status) => {
    const plain = await start()
    const { port } = new URL(await plain.listen({ host: '127.0.0.1', port: 0 }))
    const answer = await sendRawRequest(Number(port), [
      'GET /page HTTP/1.1',
      ...lines,
      'Connection: close',
      '',
      '',
    ])
    expect(answer.status).toBe(status)
  })
})

test('a request of HTTP 1.0 without a host is for the installation (rule J2)', async () => {
  const plain = await start()
  const { port } = new URL(await plain.listen({ host: '127.0.0.1', port: 0 }))
  const answer = await sendRawRequest(Number(port), ['GET /api/public/seen HTTP/1.0', '', ''])
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { host: null, cookie: null }])
})

test('the cookie of a login reaches nothing on a host of a calendar, and the one of a customer does (rule J3)', async () => {
  const plain = await start()
  const cookie = 'meridian.session_token=abc; customer=a=b; other=1'
  const seen = async (host: string) =>
    (await plain.inject({ url: '/api/public/seen', headers: { host, cookie } })).json().cookie
  expect(await seen('book.example')).toBe(cookie)
  expect(await seen('termine.example')).toBe('customer=a=b')
})

test('a route that nobody has named is not on a host of a calendar, and the refusal has the security headers (rule J3)', async () => {
  const plain = await start()
  const headers = { host: 'termine.example' }
  const refused = await plain.inject({ url: '/api/thing', headers })
  expect([refused.statusCode, refused.json().code]).toEqual([404, 'request.not_found'])
  expect(refused.headers['content-security-policy']).toBeDefined()
  const page = await plain.inject({ url: '/page', headers })
  expect(page.statusCode).toBe(200)
})

describe('encryption for a year (rule J7)', () => {
  const promises = async (headers: Record<string, string>, method: 'GET' | 'POST' = 'GET') => {
    const answer = await (app ?? (await start())).inject({ method, url: '/page', headers })
    return [answer.statusCode, answer.headers['strict-transport-security'] !== undefined]
  }
  const FOREIGN = { 'sec-fetch-site': 'cross-site' }

  test('is promised on the installation, also by refusals', async () => {
    const host = 'book.example'
    expect(await promises({ host })).toEqual([200, true])
    expect(await promises({ host, ...FOREIGN }, 'POST')).toEqual([403, true])
    expect(await promises({ host, expect: 'something' })).toEqual([417, true])
  })

  test('is promised on no other host, whoever refuses there', async () => {
    const host = 'termine.example'
    expect(await promises({ host })).toEqual([200, false])
    expect(await promises({ host, ...FOREIGN }, 'POST')).toEqual([403, false])
    expect(await promises({ host, expect: 'something' })).toEqual([417, false])
    expect(await promises({ host: 'nobody.example' })).toEqual([421, false])
    expect(await promises({ host: 'nobody.example', ...FOREIGN }, 'POST')).toEqual([403, false])
  })

  test('is not promised while nobody knows whose the host is', async () => {
    expect(await promises({ host: 'away.example' })).toEqual([500, false])
  })
})
