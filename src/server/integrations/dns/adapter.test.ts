import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '#tests/support/dns-server.ts'
import { buildDns, DOMAIN_NAME_LOOKUPS } from './adapter.ts'

let servers: DnsServer[]

beforeAll(async () => {
  servers = [await startDnsServer(), await startDnsServer()]
})
afterAll(() => Promise.all(servers.map((server) => server.close())))
beforeEach(() => {
  for (const server of servers) {
    server.set([])
    server.behave('good')
    server.questions.length = 0
  }
})

const dns = () => buildDns({ servers: servers.map(({ address }) => address) })
const [HOST, TARGET] = ['book.osei.org', 'domains.meridian.example']

test('each server gives an answer of its own', async () => {
  servers[0]?.set([{ type: 'TXT', name: HOST, texts: ['one'] }])
  servers[1]?.set([{ type: 'TXT', name: HOST, texts: ['two'] }])
  expect(await dns().listTexts(HOST)).toEqual([
    { outcome: 'found', found: ['one'] },
    { outcome: 'found', found: ['two'] },
  ])
})

test('the parts of a long text are joined, and several texts stay several', async () => {
  const long = ['a'.repeat(255), 'b'.repeat(45)]
  for (const server of servers) {
    server.set([
      { type: 'TXT', name: HOST, texts: long },
      { type: 'TXT', name: HOST, texts: ['short'] },
    ])
  }
  const [answer] = await dns().listTexts(HOST)
  expect(answer).toEqual({ outcome: 'found', found: [long.join(''), 'short'] })
})

test('a name that is not there, and one without such a record, are nothing', async () => {
  servers[1]?.set([{ type: 'A', name: HOST, value: '192.0.2.1' }])
  expect(await dns().listTexts(HOST)).toEqual([{ outcome: 'none' }, { outcome: 'none' }])
})

test('a chain of names is followed to its addresses', async () => {
  for (const server of servers) {
    server.set([
      { type: 'CNAME', name: HOST, value: 'Edge.Osei.ORG' },
      { type: 'CNAME', name: 'edge.osei.org', value: TARGET },
      { type: 'A', name: TARGET, value: '192.0.2.10' },
      { type: 'AAAA', name: TARGET, value: '2001:db8::10' },
    ])
  }
  const [answer] = await dns().listResolvedNames(HOST)
  expect(answer).toEqual({
    outcome: 'found',
    found: { names: ['edge.osei.org', TARGET], addresses: ['192.0.2.10', '2001:db8::10'] },
  })
})

test('a circle of names comes to an end', async () => {
  for (const server of servers) {
    server.set([
      { type: 'CNAME', name: HOST, value: 'other.osei.org' },
      { type: 'CNAME', name: 'other.osei.org', value: HOST },
    ])
  }
  const [answer] = await dns().listResolvedNames(HOST)
  expect(answer?.outcome).not.toBe('none')
  expect(servers[0]?.questions.length).toBeLessThan(20)
})

test('a server that fails, and one that does not exist, give no answer', async () => {
  servers[0]?.behave('failing')
  servers[1]?.set([{ type: 'TXT', name: HOST, texts: ['one'] }])
  const answers = await dns().listTexts(HOST)
  expect(answers).toEqual([{ outcome: 'unknown' }, { outcome: 'found', found: ['one'] }])
})

test('a server that is silent is waited for a few seconds, beside the others', {
  tags: ['slow'],
}, async () => {
  servers[0]?.behave('silent')
  servers[1]?.set([{ type: 'A', name: HOST, value: '192.0.2.10' }])
  const startMs = performance.now()
  const answers = await dns().listResolvedNames(HOST)
  expect(answers.map(({ outcome }) => outcome)).toEqual(['unknown', 'found'])
  expect(performance.now() - startMs).toBeLessThan(30_000)
})

test('public suffixes are those of countries and of companies, as the list has them', () => {
  expect(DOMAIN_NAME_LOOKUPS.findPublicSuffix('osei.co.uk')).toBe('co.uk')
  expect(DOMAIN_NAME_LOOKUPS.findPublicSuffix('co.uk')).toBe('co.uk')
  expect(DOMAIN_NAME_LOOKUPS.findPublicSuffix('me.github.io')).toBe('github.io')
  expect(DOMAIN_NAME_LOOKUPS.findPublicSuffix('a.book.osei.org')).toBe('org')
})
