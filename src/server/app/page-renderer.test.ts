import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSitePageData } from '#tests/support/make-site.ts'
import { makeCalendar, makeOwner, startMeridian, type TestMeridian } from '#tests/support/meridian.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'
import { ensureWebBuild } from '#tools/web-build.ts'
import { buildPageRenderer, type PageRenderer } from './page-renderer.ts'
import { buildPageTemplates } from './page-templates.ts'
import { registerPages } from './pages.ts'
import { WEB_DIR } from './start-server.ts'

const SITE = makeSitePageData()

let meridian: TestMeridian
let renderer: PageRenderer

beforeAll(async () => {
  await ensureWebBuild()
  const built = buildPageRenderer(WEB_DIR)
  renderer = built
  meridian = await startMeridian({
    extend: async (app, deps) =>
      registerPages(app, {
        ...deps,
        templates: buildPageTemplates(WEB_DIR),
        renderer: (...asked) => renderer(...asked),
      }),
  })
})
afterAll(() => meridian.stop())

test('a booking page can be read before any script runs: whom, which services, how long, at what price', async () => {
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner, { name: 'Studio <b>' })
  await addAppointmentType(meridian, calendar.id, { name: 'Yoga & tea', duration: 45, price_cents: 4000 })
  const page = await meridian.get(`/book/${calendar.slug}`)
  const root = page.body.slice(page.body.indexOf('<div id="root">'))
  expect(root).toMatch(/<h1[^>]*>Ada Lovelace<\/h1>/)
  for (const text of ['Studio &lt;b&gt;', 'Yoga &amp; tea', '€40.00', '45 min']) expect(root).toContain(text)
  expect(page.body).not.toContain(' style=')
  const styles = textsOf(page.body, 'style')
  expect(styles.join('')).toContain('--accent:light-dark(')
  expect(sourcesOf(page.headers, 'style')).toEqual(onlyThese(styles))
})

test.each(['/', '/login', '/book/nobody'])(
  '%s brings the theme with it, and no script is let in that the build did not put there',
  async (url) => {
    const { body, headers } = await meridian.get(url)
    const scripts = textsOf(body, 'script')
    expect(scripts[0]).toContain('dataset.theme')
    expect(sourcesOf(headers, 'script')).toEqual(onlyThese(scripts))
  },
)

test.each(['/', '/pricing', '/about', '/book/nobody'])(
  '%s needs no other file to be read: its styles are in it, its scripts wait for the first paint',
  async (url) => {
    const { body } = await meridian.get(url)
    expect(body).not.toMatch(/<link rel="(stylesheet|modulepreload)"/)
    expect(body).not.toContain('<script type="module"')
    expect(textsOf(body, 'script').at(-1)).toContain('requestAnimationFrame')
  },
)

test.each([
  ['/', 'Let your customers find the time.'],
  ['/pricing', 'Pricing'],
  ['/about', 'About Meridian'],
  ['/contact', 'Contact'],
  ['/privacy', 'Privacy'],
  ['/terms', 'Terms'],
  ['/cookies', 'Cookies'],
  ['/book/nobody', 'Calendar Not Found'],
])('%s says "%s" before any script runs', async (url, heading) => {
  const { body } = await meridian.get(url)
  expect(/<h1[^>]*>([^<]*)/.exec(body.slice(body.indexOf('<div id="root">')))?.[1]).toBe(heading)
})

test('the same page with the same data is drawn once', async () => {
  const first = await renderer('site', '/pricing', SITE)
  expect(await renderer('site', '/pricing', SITE)).toBe(first)
  expect(await renderer('site', '/', SITE)).not.toBe(first)
})

test('pages with the longest texts push earlier ones out of memory, however few they are (rule K12)', async () => {
  // The longest HTML that a text of 20,000 characters can produce: it consists of links only.
  const welcome_html = `<p>${'<a href="http://a">http://a</a> '.repeat(5_400)}</p>`
  const draw = (i: number) => renderer('site', `/pricing?${i}`, { ...SITE, welcome_html })
  const first = await draw(0)
  expect(await draw(0)).toBe(first)
  for (let i = 1; i < 150; i += 1) await draw(i)
  expect(await draw(0)).not.toBe(first)
})

test('a page that cannot be drawn is served without, for the browser to draw', async () => {
  const drawn = renderer
  renderer = async () => Promise.reject(new Error('no such bundle'))
  const page = await meridian.get('/pricing')
  renderer = drawn
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('<div id="root"></div>')
  expect(meridian.logLines.some((line) => line.includes('page not drawn'))).toBe(true)
})

function textsOf(html: string, element: 'script' | 'style'): string[] {
  return [...html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(([, text = '']) => text)
}

/** The sources of a policy that allows only the product's own files and these inline elements. */
function onlyThese(texts: readonly string[]): string[] {
  const hashes = texts.map((text) => createHash('sha256').update(text).digest('base64'))
  return ["'self'", ...hashes.map((hash) => `'sha256-${hash}'`)].sort()
}

/** Returns the sources that the Content-Security-Policy allows. */
function sourcesOf(headers: OutgoingHttpHeaders, element: 'script' | 'style'): string[] {
  const directive = new RegExp(`${element}-src ([^;]+)`).exec(String(headers['content-security-policy']))
  return (directive?.[1] ?? '').split(' ').sort()
}
