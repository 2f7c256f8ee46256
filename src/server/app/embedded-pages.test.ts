import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import {
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { toPageTemplate } from './page-templates.ts'
import { registerAssets, registerPages } from './pages.ts'

let meridian: TestMeridian
let owner: TestOwner
let webDir: string

const templates = async () =>
  toPageTemplate('<html><head><!--page-head--></head><body><!--page-body--><!--page-data--></body></html>')

beforeAll(async () => {
  webDir = await mkdtemp(join(tmpdir(), 'meridian-embedded-'))
  await writeFile(join(webDir, 'embed.js'), 'embed()')
  await writeFile(join(webDir, 'theme.js'), 'theme()')
  meridian = await startMeridian({
    env: { DEFAULT_PLAN: 'enterprise', BASE_URL: 'https://localhost' },
    extend: async (app, deps) => {
      await registerAssets(app, webDir)
      const renderer = async () => ({ html: '<main>drawn</main>', css: '' })
      registerPages(app, { ...deps, templates, renderer })
    },
  })
  owner = await makeOwner(meridian)
})
afterAll(async () => {
  await meridian.stop()
  await rm(webDir, { recursive: true })
})

const FRAME_SCRIPT = '<script src="/embed-frame.js"></script>'

test('any website may show the booking page until its owner names some', async () => {
  const calendar = await makeCalendar(meridian, owner)
  expect(calendar.embed_sites).toBeNull()
  const page = await show(`/book/${calendar.slug}?embed`)
  expect(page).toMatchObject({ ancestors: '*', frameOptions: undefined })
  expect(page.body).toContain(FRAME_SCRIPT)
  expect(page.body).toContain('<main>drawn</main>')
})

test('only the named websites and the owner’s own pages may then', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const saved = await save(calendar, [
    'WWW.Example.com/about',
    'https://www.example.com',
    'http://localhost:81',
  ])
  const sites = ['https://www.example.com', 'http://localhost:81']
  expect(saved.json()).toMatchObject({ embed_sites: sites })
  const expected = { ancestors: `'self' ${sites.join(' ')}`, frameOptions: undefined }
  expect(await show(`/book/${calendar.slug}?embed`)).toMatchObject(expected)
  const confirmation = `/book/${calendar.slug}/confirmation?appointment_id=${randomUUID()}&embed`
  expect(await show(confirmation)).toMatchObject(expected)

  await save(calendar, [])
  expect(await show(`/book/${calendar.slug}?embed`)).toMatchObject({ ancestors: "'self'" })
  await save(calendar, null)
  expect(await show(`/book/${calendar.slug}?embed`)).toMatchObject({ ancestors: '*' })
})

test('the booking page as such is not for frames, and has no part for them', async () => {
  const { slug } = await makeCalendar(meridian, owner)
  // The order matters: a page rendered for one case must not be sent in another case.
  for (const url of [`/book/${slug}`, `/book/${slug}?embed`, `/book/${slug}?from=embed`]) {
    const page = await show(url)
    const isEmbedded = url.endsWith('?embed')
    expect(page.ancestors).toBe(isEmbedded ? '*' : "'none'")
    expect(page.frameOptions).toBe(isEmbedded ? undefined : 'DENY')
    expect(page.body.includes(FRAME_SCRIPT)).toBe(isEmbedded)
  }
})

test('only a booking page whose address names a time has the script that chooses it', async () => {
  const { slug } = await makeCalendar(meridian, owner)
  const start = 'start=2027-01-05T09%3A00%3A00Z'
  for (const query of ['', `?${start}`, '', `?${start}&type=t`, '?embed', `?embed&${start}`, '?embed']) {
    const { body } = await show(`/book/${slug}${query}`)
    expect(body.includes('<script src="/chosen-time.js"></script>'), query).toBe(query.includes(start))
    expect(body.includes(FRAME_SCRIPT), query).toBe(query.includes('embed'))
  }
})

test.each([
  '/?embed',
  '/login?embed',
  '/dashboard?embed',
  '/book/nobody-has-this?embed',
  '/book/%00?embed',
  '/book/nobody-has-this/confirmation?embed',
  '/book/%00/confirmation?embed',
  `/confirmation?appointment_id=${randomUUID()}&embed`,
  `/cancel/${randomUUID()}?embed`,
  '/payment-success?embed',
  '/payment-cancelled?embed',
  '/unknown?embed',
  '/api/calendars?embed',
])('%s stays out of every other site’s frames', async (url) => {
  const { ancestors } = await show(url)
  expect(["'none'", "'self'"]).toContain(ancestors)
})

test('the script can be loaded by any site, and no other file', async () => {
  const policies = ['/embed.js', '/theme.js'].map(async (url) => {
    const { headers } = await meridian.get(url)
    return headers['cross-origin-resource-policy']
  })
  expect(await Promise.all(policies)).toEqual(['cross-origin', 'same-origin'])
})

test.each([
  ['no address', ['https://www.example.com', 'not an address'], 'calendar.embed_site_invalid'],
  ['a wildcard', ['https://*.example.com'], 'calendar.embed_site_invalid'],
  ['what would add to the header', ["https://example.com;script-src'"], 'calendar.embed_site_invalid'],
  ['an empty line', [''], 'calendar.embed_site_invalid'],
  ['a very long one', [`https://${'a'.repeat(300)}.example`], 'request.invalid'],
  [
    'too many',
    Array.from({ length: 21 }, (_, i) => `https://site${i}.example`),
    'calendar.embed_sites_too_many',
  ],
])('a list with %s is refused and the old one stays', async (_what, sites, code) => {
  const calendar = await makeCalendar(meridian, owner)
  await save(calendar, ['https://www.example.com'])
  const refused = await save(calendar, sites)
  expect([refused.statusCode, refused.json().code]).toEqual([400, code])
  expect(await show(`/book/${calendar.slug}?embed`)).toMatchObject({
    ancestors: "'self' https://www.example.com",
  })
})

test('a list that was changed in another window is not overwritten unseen', async () => {
  const calendar = await makeCalendar(meridian, owner)
  await save(calendar, ['https://www.example.com'])
  const refused = await owner.patch(`/api/calendars/${calendar.id}`, {
    embed_sites: [],
    was: { embed_sites: null },
  })
  expect(refused.json().code).toBe('request.changed_meanwhile')
})

function save({ id }: Calendar, embed_sites: readonly string[] | null) {
  return owner.patch(`/api/calendars/${id}`, { embed_sites })
}

async function show(url: string) {
  const { headers, body } = await meridian.get(url)
  const policy = String(headers['content-security-policy'])
  const [, ancestors] = /frame-ancestors ([^;]*)/.exec(policy) ?? []
  return { ancestors, frameOptions: headers['x-frame-options'], body }
}
