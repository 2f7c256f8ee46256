import { afterAll, describe, expect, test } from 'vitest'
import { buildCertificateCheckListener } from './certificate-check-listener.ts'

const known = new Set(['termine.example'])
let isAway = false
const asks = buildCertificateCheckListener(async (host) => {
  if (isAway) throw new Error('the database is away')
  return known.has(host)
})
afterAll(() => asks.close())

async function ask(domain: string | null, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') {
  const query = domain === null ? '' : `?domain=${encodeURIComponent(domain)}`
  return asks.inject({ url: `/ask${query}`, headers, remoteAddress })
}

describe('a proxy that asks whether it may get a certificate (rule J6)', () => {
  test.each(['termine.example', 'TERMINE.example', 'termine.example.'])('may for %s', async (name) => {
    expect((await ask(name)).statusCode).toBe(200)
  })

  test.each(['nobody.example', 'a.termine.example', '', '127.0.0.1', '..', 'x'.repeat(5_000)])(
    'may not for %s',
    async (name) => {
      const answer = await ask(name)
      expect([answer.statusCode, answer.body]).toEqual([404, ''])
    },
  )

  test('may not without a name, nor with several', async () => {
    expect((await ask(null)).statusCode).toBe(404)
    const several = await asks.inject('/ask?domain=termine.example&domain=nobody.example')
    expect(several.statusCode).toBe(404)
  })

  test.each(['127.0.0.1', '::1', '10.0.0.7', '172.18.0.3', '::ffff:172.18.0.3', 'fd00::7'])(
    'is inside at %s',
    async (address) => {
      expect((await ask('termine.example', {}, address)).statusCode).toBe(200)
    },
  )

  test.each(['203.0.113.7', '8.8.8.8', '2001:4860:4860::8888', '::ffff:8.8.8.8'])(
    'is refused at %s, which is outside',
    async (address) => {
      expect((await ask('termine.example', {}, address)).statusCode).toBe(403)
    },
  )

  test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
    'is refused when it passes somebody else on (%s)',
    async (name) => {
      expect((await ask('termine.example', { [name]: '203.0.113.7' })).statusCode).toBe(403)
    },
  )

  test('is told to come again while nothing is known', async () => {
    isAway = true
    const answer = await ask('termine.example')
    isAway = false
    expect([answer.statusCode, answer.body]).toEqual([503, ''])
  })

  test('has ten seconds for its question', () => {
    expect(asks.server.requestTimeout).toBe(10_000)
    expect(asks.server.headersTimeout).toBe(10_000)
  })

  test('finds nothing else there', async () => {
    for (const url of ['/', '/login', '/api/calendars', '/healthz']) {
      expect((await asks.inject(url)).statusCode).toBe(404)
    }
  })
})
