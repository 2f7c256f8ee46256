import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSite } from '#tests/support/make-site.ts'
import { makeCalendar, makeOwner, startMeridian, type TestMeridian } from '#tests/support/meridian.ts'
import { addType } from '#tests/support/stored-rows.ts'
import { ensureWebBuild } from '#tools/web-build.ts'
import { builtRenderer, type PageRenderer } from './page-renderer.ts'
import { builtPages } from './page-templates.ts'
import { registerPages } from './pages.ts'
import { WEB_DIR } from './serve.ts'

const SITE = makeSite()

let meridian: TestMeridian
let renderer: PageRenderer

beforeAll(async () => {
  await ensureWebBuild()
  const built = builtRenderer(WEB_DIR)
  renderer = built
  meridian = await startMeridian({
    extend: async (app, deps) =>
      registerPages(app, {
        ...deps,
        templates: builtPages(WEB_DIR),
        renderer: (...asked) => renderer(...asked),
      }),
  })
}, 120_000)
afterAll(() => meridian.stop())

test('a booking page can be read before any script runs: whom, which services, how long, at what price', async () => {
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner, { name: 'Studio <b>' })
  await addType(meridian, calendar.id, { name: 'Yoga & tea', duration: 45, price_cents: 4000 })
  const page = await meridian.request({ url: `/book/${calendar.slug}` })
  const root = page.body.slice(page.body.indexOf('<div id="root">'))
  expect(root).toMatch(/<h1[^>]*>Ada Lovelace<\/h1>/)
  for (const text of ['Studio &lt;b&gt;', 'Yoga &amp; tea', '€40.00', '45 min']) expect(root).toContain(text)
  expect(page.body).not.toContain(' style=')
  const css = /<style>(.*)<\/style>/.exec(page.body)?.[1]
  expect(css).toContain('--accent:light-dark(')
  expect(page.headers['content-security-policy']).toMatch(/style-src 'self' 'sha256-[A-Za-z0-9+/]{43}=';/)
})

test.each(['/', '/login'])('%s brings the theme with it, and no other script is let in', async (url) => {
  const { body, headers } = await meridian.request({ url })
  const script = /<script>([^<]+)<\/script>/.exec(body)?.[1] ?? ''
  expect(script).toContain('dataset.theme')
  const hash = createHash('sha256').update(script).digest('base64')
  expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`)
})

test.each([
  ['/', 'Let your customers find the time.'],
  ['/pricing', 'Pricing'],
  ['/book/nobody', 'Calendar Not Found'],
])('%s says "%s" before any script runs', async (url, heading) => {
  const { body } = await meridian.request({ url })
  expect(/<h1[^>]*>([^<]*)/.exec(body.slice(body.indexOf('<div id="root">')))?.[1]).toBe(heading)
})

test('the same page with the same data is drawn once', async () => {
  const first = await renderer('site', '/pricing', SITE)
  expect(await renderer('site', '/pricing', SITE)).toBe(first)
  expect(await renderer('site', '/', SITE)).not.toBe(first)
})

test('a page that cannot be drawn is served without, for the browser to draw', async () => {
  const drawn = renderer
  renderer = async () => Promise.reject(new Error('no such bundle'))
  const page = await meridian.request({ url: '/pricing' })
  renderer = drawn
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('<div id="root"></div>')
  expect(meridian.logLines.some((line) => line.includes('page not drawn'))).toBe(true)
})
