import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { waitUntilHostsCached } from '#tests/support/known-hosts.ts'
import { makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { addHost } from '#tests/support/stored-rows.ts'
import { toPageTemplate } from './page-templates.ts'
import { registerPages } from './pages.ts'

const MOST = 3
const HOST = 'termine.example'
const ID = randomUUID()
const SIGNED = 'a'.repeat(40)

let visitors = 0

setUpMeridian({
  env: { PUBLIC_REQUESTS_PER_MINUTE: String(MOST) },
  extend: async (app, deps) => {
    const template = toPageTemplate('<head><!--page-head--></head><!--page-body--><!--page-data-->')
    registerPages(app, { ...deps, templates: async () => template })
  },
})
beforeAll(async () => {
  const calendar = await makeCalendar(meridian, await makeOwner(meridian))
  await addHost(meridian, calendar.id, { host: HOST, kind: 'custom', state: 'live' })
  await waitUntilHostsCached(meridian, calendar)
})

/** Sends, as a new visitor, one request more than a visitor may send, and returns whether it is limited. */
async function isLimited(urls: readonly string[], host = 'localhost:3000'): Promise<boolean> {
  visitors += 1
  const remoteAddress = `198.51.100.${visitors}`
  const statuses: number[] = []
  for (let i = 0; i <= MOST; i += 1) {
    const url = urls[i % urls.length] ?? ''
    statuses.push((await meridian.app.inject({ url, remoteAddress, headers: { host } })).statusCode)
  }
  expect(statuses.slice(0, MOST)).not.toContain(429)
  return statuses.at(-1) === 429
}

describe('what a stranger asks the database for is limited (rule X6)', () => {
  const PAGES = [
    '/confirmation',
    `/cancel/${ID}`,
    `/manage/${SIGNED}`,
    `/waiting/${SIGNED}`,
    '/payment-success',
    '/payment-cancelled',
    `/branding/${ID}/${'a'.repeat(64)}.css`,
  ]

  test.each(['/book/nobody', '/book/nobody/confirmation', ...PAGES])(
    '%s of the installation',
    async (url) => {
      expect(await isLimited([url])).toBe(true)
    },
  )

  test.each(['/', ...PAGES])('%s of a host of a calendar', async (url) => {
    expect(await isLimited([url], HOST)).toBe(true)
  })

  test('all of it counts together, with the public operations', async () => {
    const urls = [`/cancel/${ID}`, '/book/nobody', '/api/public/calendars/nobody', '/payment-success']
    expect(await isLimited(urls)).toBe(true)
  })
})

test.each(['/', '/pricing', '/login', '/robots.txt'])('%s, which asks nothing, has no limit', async (url) => {
  expect(await isLimited([url])).toBe(false)
})
