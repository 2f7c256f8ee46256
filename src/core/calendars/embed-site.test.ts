import { expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { toEmbedSite, toEmbedSites } from './embed-site.ts'

test.each([
  ['https://www.example.com', 'https://www.example.com'],
  ['www.example.com', 'https://www.example.com'],
  ['HTTPS://WWW.Example.COM/', 'https://www.example.com'],
  ['https://example.com/about?x=1#y', 'https://example.com'],
  ['https://example.com:443', 'https://example.com'],
  ['https://example.com:8443/', 'https://example.com:8443'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['localhost:8080', 'https://localhost:8080'],
  ['http://192.168.1.10', 'http://192.168.1.10'],
  ['xn--mnchen-3ya.example', 'https://xn--mnchen-3ya.example'],
])('%s is the website %s', (typed, site) => {
  expect(toEmbedSite(typed)).toBe(site)
})

test.each([
  '',
  '*',
  'https://*.example.com',
  'https://',
  'javascript://example.com',
  'ftp://example.com',
  'data://example.com',
  'https://name@example.com',
  'https://name:word@example.com',
  'https://[::1]:3000',
  'https://example.com;script-src',
  "https://example.com'unsafe-inline'",
  'https://exa mple.com',
  'https://example.com,https://other.example',
  'https://example.com.',
  'https://under_score.example',
  'https://münchen.example',
  'https://-a.example',
  'https://a..example',
  'https://example.com:0',
  'https://example.com:70000',
  '.example.com',
])('%j names no website', (typed) => {
  expect(toEmbedSite(typed)).toBeNull()
})

test('a website that is typed twice is listed once', () => {
  expect(toEmbedSites(['example.com', 'https://example.com/', 'no site', 'www.example.com'])).toEqual([
    'https://example.com',
    'https://www.example.com',
  ])
})

test('only origins get into the header, whatever is typed (property)', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain()), (typed) => {
      const site = toEmbedSite(typed)
      if (site !== null) expect(site).toMatch(/^https?:\/\/[a-z0-9.-]+(:\d+)?$/)
    }),
  )
})
