import { expect, test } from 'vitest'
import { findBookingPageRedirect } from './find-redirect.ts'

const BASE = 'https://book.example:8443'
const host = (name: string) => ({ host: name, calendarId: 'c1', slug: 'osei' })

test.each([
  ['the path that is the address', null, '/book/osei', `${BASE}/book/osei`, null],
  ['the slug where there is a path', null, '/book/osei', `${BASE}/book/dr-osei`, `${BASE}/book/dr-osei?a=b`],
  [
    'the path where there is a host',
    null,
    '/book/osei',
    'https://osei.example:8443',
    'https://osei.example:8443/?a=b',
  ],
  ['the host that is the address', host('osei.example'), '/', 'https://osei.example:8443', null],
  [
    'an earlier host',
    host('alt.example'),
    '/',
    'https://osei.example:8443',
    'https://osei.example:8443/?a=b',
  ],
  ['a host whose plan is over', host('osei.example'), '/', `${BASE}/book/osei`, `${BASE}/book/osei?a=b`],
] as const)('who asks at %s is led on as far as needed (rule J5)', (_where, asked, path, address, wayOn) => {
  const isEmbedded = false
  expect(findBookingPageRedirect({ host: asked, path, query: '?a=b', isEmbedded }, address, BASE)).toBe(wayOn)
  // The installation serves frames itself; a calendar's host redirects them.
  const inFrame = findBookingPageRedirect(
    { host: asked, path, query: '?a=b', isEmbedded: true },
    address,
    BASE,
  )
  expect(inFrame).toBe(asked === null ? null : wayOn)
  // The redirect target itself must not redirect again.
  if (wayOn === null) return
  const { hostname, pathname } = new URL(wayOn)
  const there = hostname === 'book.example' ? null : host(hostname)
  expect(
    findBookingPageRedirect({ host: there, path: pathname, query: '', isEmbedded }, address, BASE),
  ).toBeNull()
})
