import { beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { waitUntilHostsCached } from '#tests/support/known-hosts.ts'
import { makeCalendar, TEST_MONDAY } from '#tests/support/meridian.ts'
import { addHost } from '#tests/support/stored-rows.ts'
import { toPageTemplate } from './page-templates.ts'
import { registerPages } from './pages.ts'

/** Rule W19 on a calendar's host: which pages other sites can show in a frame. */
const BASE = 'http://localhost:3000'
const FRAME_SCRIPT = '<script src="/embed-frame.js"></script>'
const SITE = 'https://www.example.com'

let host: string

setUpCalendar({
  extend: async (app, deps) => {
    const template = toPageTemplate('<head><!--page-head--></head><!--page-body--><!--page-data-->')
    registerPages(app, { ...deps, templates: async () => template })
  },
  owner: { lifetime: 'test', tier: 'professional' },
})
/** Creates a calendar on its own host, which one other site may show. */
beforeEach(async () => {
  host = `${calendar.slug}.example`
  await letShow(calendar, [SITE])
  await addHost(meridian, calendar.id, { host, kind: 'custom', state: 'live' })
  await waitUntilHostsCached(meridian, calendar)
})

test('its booking page and its confirmation are shown by the sites that the owner named', async () => {
  for (const url of ['/?embed', '/confirmation?appointment_id=a&embed']) {
    const page = await show(url)
    expect(page).toMatchObject({ status: 200, ancestors: `'self' ${SITE}`, frameOptions: undefined })
    expect(page.body).toContain(FRAME_SCRIPT)
  }
})

test('no other page of it is, not even when every site may show the calendar', async () => {
  await letShow(calendar, null)
  expect(await show('/?embed')).toMatchObject({ ancestors: '*' })
  for (const path of ['/manage/a', '/cancel/a', '/waiting/a', '/payment-success', '/payment-cancelled']) {
    for (const query of ['?embed', '?embed=1', `?appointment_id=a&calendar_slug=${calendar.slug}&embed`]) {
      const { body, ...page } = await show(`${path}${query}`)
      expect({ path, ...page }).toEqual({
        path,
        status: 200,
        location: undefined,
        ancestors: "'none'",
        frameOptions: 'DENY',
      })
      expect(body).not.toContain(FRAME_SCRIPT)
    }
  }
})

describe('a frame at a host that leads on (rule J5)', () => {
  test('is led to the path with its query when the plan is over, where the same sites may show it (rule I9)', async () => {
    await endPlan()
    const address = `/book/${calendar.slug}?plain&embed`
    expect(await show('/?plain&embed')).toMatchObject({ status: 302, location: `${BASE}${address}` })
    expect(await show(address, 'localhost:3000')).toMatchObject({
      status: 200,
      ancestors: `'self' ${SITE}`,
      frameOptions: undefined,
    })
  })

  test('is led from an earlier address to the present one (rule I7)', async () => {
    const earlier = `earlier-${calendar.slug}.example`
    await addHost(meridian, calendar.id, { host: earlier, kind: 'custom', state: 'retired' })
    await waitUntilHostsCached(meridian, calendar)
    expect(await show('/?embed', earlier)).toMatchObject({
      status: 302,
      location: `http://${host}:3000/?embed`,
    })
    expect(await show('/?embed')).toMatchObject({ status: 200, ancestors: `'self' ${SITE}` })
  })
})

describe('a confirmation that names a calendar', () => {
  const query = '?appointment_id=a&embed'

  test('is led to the one of the host, which that calendar’s sites may show', async () => {
    const other = await makeCalendar(meridian, owner)
    for (const slug of [calendar.slug, other.slug, 'nobody-has-this']) {
      const led = await show(`/book/${slug}/confirmation${query}`)
      expect(led).toMatchObject({ status: 302, location: `/confirmation${query}`, ancestors: "'none'" })
    }
    expect(await show(`/confirmation${query}`)).toMatchObject({ status: 200, ancestors: `'self' ${SITE}` })
  })

  test('is led to the installation when the plan is over, where the same sites may show it', async () => {
    await endPlan()
    const address = `/book/${calendar.slug}/confirmation${query}`
    for (const url of [`/confirmation${query}`, address, `/book/nobody-has-this/confirmation${query}`]) {
      expect(await show(url)).toMatchObject({ status: 302, location: `${BASE}${address}` })
    }
    expect(await show(address, 'localhost:3000')).toMatchObject({
      status: 200,
      ancestors: `'self' ${SITE}`,
      frameOptions: undefined,
    })
  })
})

async function endPlan() {
  await meridian.database.db
    .updateTable('subscriptions')
    .set({ ends_at: new Date(TEST_MONDAY - 1) })
    .where('user_id', '=', owner.id)
    .execute()
}

async function letShow({ id }: Calendar, embed_sites: readonly string[] | null) {
  const saved = await owner.patch(`/api/calendars/${id}`, { embed_sites })
  expect(saved.statusCode).toBe(200)
}

async function show(url: string, name = host) {
  const { statusCode, headers, body } = await meridian.request({ url, headers: { host: name } })
  const [, ancestors] = /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy'])) ?? []
  return {
    status: statusCode,
    location: headers.location,
    ancestors,
    frameOptions: headers['x-frame-options'],
    body,
  }
}
