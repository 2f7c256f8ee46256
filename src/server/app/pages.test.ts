import { createHash, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { APP_PAGES, LOGIN_AND_REGISTRATION_PAGES, toDocumentTitle } from '#contract/pages/app-pages.ts'
import type { BookingPageData, SitePageData } from '#contract/pages/page-data.ts'
import { PUBLIC_PAGES } from '#contract/pages/site-pages.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import {
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { addAppointmentType, connectStripe } from '#tests/support/stored-rows.ts'
import { DEMO_LOGIN } from './demo-account.ts'
import { toPageTemplate } from './page-templates.ts'
import { registerAssets, registerPages } from './pages.ts'
import { registerRoutes } from './routes.ts'

let meridian: TestMeridian
let owner: TestOwner
let webDir: string

/** Each template reveals which entry serves a page. */
const templates = async (entry: string) =>
  toPageTemplate(
    `<html data-entry="${entry}"><head><!--page-head--></head><body><!--page-notice--><!--page-plain--><!--page-data--></body></html>`,
  )

beforeAll(async () => {
  webDir = await mkdtemp(join(tmpdir(), 'meridian-web-'))
  await mkdir(join(webDir, 'assets'))
  await writeFile(join(webDir, 'assets/app-1a2b.js'), 'plain')
  await writeFile(join(webDir, 'assets/app-1a2b.js.br'), 'brotli')
  await writeFile(join(webDir, 'favicon.svg'), '<svg/>')
  await writeFile(join(webDir, '.secret'), 'hidden')
  meridian = await startMeridian({
    env: { DEFAULT_PLAN: 'enterprise', BASE_URL: 'https://localhost', OPERATOR_NAME: 'A </script> B' },
    extend: async (app, deps) => {
      await registerAssets(app, webDir)
      registerPages(app, { ...deps, templates })
    },
  })
  owner = await makeOwner(meridian)
})
afterAll(async () => {
  await meridian.stop()
  await rm(webDir, { recursive: true })
})

describe('the booking page', () => {
  test('comes with its first data, a title, a description and a link preview', async () => {
    const calendar = await makeCalendar(meridian, owner, { name: 'Studio', description: 'Yoga by the sea' })
    await addAppointmentType(meridian, calendar.id, { name: 'Yoga' })
    await connectStripe(meridian, calendar.id)
    const page = await meridian.get(`/book/${calendar.slug}`)
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['cache-control']).toBe('no-cache')
    expect(page.body).toContain('data-entry="booking"')
    for (const tag of [
      '<title>Book an appointment · Studio</title>',
      '<meta name="description" content="Yoga by the sea" />',
      '<meta property="og:title" content="Book an appointment · Studio" />',
      '<meta property="og:description" content="Yoga by the sea" />',
      `<meta property="og:url" content="https://localhost/book/${calendar.slug}" />`,
      `<link rel="canonical" href="https://localhost/book/${calendar.slug}" />`,
    ]) {
      expect(page.body).toContain(tag)
    }
    const path = `/api/public/calendars/${calendar.slug}`
    const types = await meridian.get(`${path}/appointment-types`)
    expect(dataIn(page.body)).toEqual({
      calendar: (await meridian.get(path)).json(),
      appointment_types: types.json().appointment_types,
      payment_providers: {
        stripe_connected: true,
        paypal_connected: false,
        note: 'Sandbox: no real money moves',
      },
      branding: (await meridian.get(`${path}/branding`)).json(),
      sandbox: true,
    })
  })

  test('shows the type of a link by link only, and says when a link names no type. Source: rule T66', async () => {
    const calendar = await makeCalendar(meridian, owner, { name: 'Studio' })
    const listed = await addAppointmentType(meridian, calendar.id, { name: 'Yoga' })
    const byLink = await addAppointmentType(meridian, calendar.id, { name: 'Friends', is_listed: false })
    const open = async (query: string) => {
      const { body } = await meridian.get(`/book/${calendar.slug}${query}`)
      const names = dataIn(body).appointment_types.map(({ name }) => name)
      return {
        names,
        isNotFound: body.includes('We can’t find the appointment type in this link.'),
        isForSearch: !body.includes('noindex'),
        isChosen: body.includes('/chosen-time.js'),
        namesOther: body.includes('Friends'),
      }
    }
    const plain = {
      names: ['Yoga'],
      isNotFound: false,
      isForSearch: true,
      isChosen: false,
      namesOther: false,
    }
    expect(await open('')).toEqual(plain)
    expect(await open('?type=')).toEqual(plain)
    expect(await open(`?type=${listed}`)).toEqual({ ...plain, isChosen: true })
    for (const id of [randomUUID(), 'x', '%00', 'x'.repeat(2_000), '%F0%9F', '<script>'])
      expect(await open(`?type=${id}`), id).toEqual({ ...plain, isNotFound: true })
    expect(await open(`?type=${byLink}`)).toEqual({
      names: ['Friends'],
      isNotFound: false,
      isForSearch: false,
      isChosen: false,
      namesOther: true,
    })
    expect(await open('')).toEqual(plain)
  })

  test('brings its own look, and shows itself without custom CSS to whoever asks. Source: rule K8', async () => {
    const calendar = await makeCalendar(meridian, owner, { name: 'Studio' })
    const path = `/api/calendars/${calendar.id}/branding`
    const file = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="20" height="8"/>').toString(
      'base64',
    )
    const { cookie } = owner
    const logo = await meridian.as({ cookie }).post(`${path}/logo`, { file })
    const payload = {
      logo_hash: logo.json().hash,
      custom_css: 'h1 { color: red }',
      welcome_message: '**Hi**',
    }
    await meridian.as({ cookie }).patch(path, payload)

    const page = await meridian.get(`/book/${calendar.slug}`)
    const { stylesheet } = dataIn(page.body).branding ?? {}
    expect(stylesheet).toMatch(new RegExp(`^/branding/${calendar.id}/[0-9a-f]{64}[.]css$`))
    expect(page.body).toContain(`<link rel="stylesheet" href="${stylesheet}" />`)
    expect(page.body).toContain('<a href="?plain"')
    expect(page.body).toContain(
      `<meta property="og:image" content="https://localhost/branding/${calendar.id}/${logo.json().hash}.png" />`,
    )
    expect(inlineStylesOf(page)).toEqual({ allowed: 1, refused: 0 })
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")

    const plain = await meridian.get(`/book/${calendar.slug}?plain`)
    expect(plain.body).not.toContain('.css')
    expect(plain.body).not.toContain('?plain')
    expect(dataIn(plain.body).branding?.welcome_html).toBe('<p><strong>Hi</strong></p>')
    // Request the page without and then with custom CSS: a page rendered for one case must not be sent in the other.
    expect((await meridian.get(`/book/${calendar.slug}`)).body).toContain(stylesheet)
  })

  test('can be put into a frame by our own pages alone, and only beside the form of its look. Source: rule K9', async () => {
    const calendar = await makeCalendar(meridian, owner, { name: 'Studio' })
    const preview = await meridian.get(`/book/${calendar.slug}?preview`)
    expect(preview.headers['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(preview.headers['x-frame-options']).toBe('SAMEORIGIN')
  })

  test('beside the form of its look may ask for times alone, and send no forms. Source: rule K9', async () => {
    const { slug } = await makeCalendar(meridian, owner, { name: 'Studio' })
    const directivesOf = async (url: string) => {
      const { headers } = await meridian.request({ url, headers: { host: 'localhost:8443' } })
      return String(headers['content-security-policy']).split(';')
    }
    const times = ['slots', 'days', 'first-times'].map(
      (what) => `localhost:8443/api/public/calendars/${slug}/${what}`,
    )
    expect(await directivesOf(`/book/${slug}?preview`)).toEqual(
      expect.arrayContaining([`connect-src ${times.join(' ')}`, "form-action 'none'"]),
    )
    expect(await directivesOf('/book/nobody-has-this?preview')).toContain("connect-src 'none'")
    expect(await directivesOf(`/book/${slug}`)).toContain("connect-src 'self'")
  })

  test.each(['/book/nobody/confirmation', '/payment-success', '/login', '/cancel/x'])(
    '%s never has custom CSS. Source: rule K8',
    async (url) => {
      expect((await meridian.get(url)).body).not.toContain('/branding/')
    },
  )

  test('without a description names what can be booked, in the owner’s order', async () => {
    const calendar = await makeCalendar(meridian, owner, { name: 'Studio' })
    for (const name of ['Yoga', 'Massage']) await addAppointmentType(meridian, calendar.id, { name })
    const page = await meridian.get(`/book/${calendar.slug}`)
    expect(page.body).toContain('content="Choose a date and a time with Studio. Yoga, Massage."')
  })

  test('keeps what an owner wrote from becoming code', async () => {
    const name = '</title></script><script>alert(1)</script>'
    const description = '"><img src=x onerror=alert(1)> <!--page-data--> $& $1'
    const calendar = await makeCalendar(meridian, owner, { name, description })
    const page = await meridian.get(`/book/${calendar.slug}`)
    expect(page.body.match(/<script/g)).toHaveLength(1)
    expect(page.body).not.toContain('<img')
    expect(dataIn(page.body).calendar).toMatchObject({
      calendar_name: name,
      calendar_description: description,
    })
  })

  test.each(['nobody', 'x'.repeat(150), '%00', 'No%20Body', '<script>'])(
    'of %s says that there is no such calendar, and is not indexed',
    async (slug) => {
      const page = await meridian.get(`/book/${encodeURI(slug).replaceAll('%25', '%')}`)
      expect(page.statusCode).toBe(404)
      expect(page.body).toContain('data-entry="booking"')
      expect(page.body).toContain('<title>Calendar Not Found · Meridian</title>')
      expect(page.body).toContain('<meta name="robots" content="noindex" />')
      expect(dataIn(page.body)).toMatchObject({ calendar: null, appointment_types: [] })
    },
  )
})

test.each([
  ['/', 'site', 'Meridian · Appointment booking for professionals'],
  ['/pricing', 'site', 'Pricing · Meridian'],
  ['/about', 'site', 'About · Meridian'],
  ['/contact', 'site', 'Contact · Meridian'],
  ['/privacy', 'site', 'Privacy · Meridian'],
  ['/terms', 'site', 'Terms · Meridian'],
  ['/cookies', 'site', 'Cookies · Meridian'],
  ['/login', 'site', 'Log in · Meridian'],
  ['/register', 'site', 'Create your account · Meridian'],
  ['/forgot-password', 'site', 'Forgot password · Meridian'],
  ['/reset-password?token=x', 'site', 'Choose a new password · Meridian'],
  ['/auth/callback?token=x', 'site', 'Confirm your email · Meridian'],
  ['/dashboard', 'app', 'Dashboard · Meridian'],
  ['/calendar/1/settings?tab=types', 'app', 'Calendar · Meridian'],
  ['/book/studio/confirmation?appointment_id=x', 'booking', 'Your appointment · Meridian'],
  ['/cancel/2c5ea4c0-4067-4f3b-8f4e-3d2f4f0f7a11', 'booking', 'Your appointment · Meridian'],
  ['/payment-success?appointment_id=x', 'booking', 'Your appointment · Meridian'],
  ['/payment-cancelled?appointment_id=x&calendar_slug=studio', 'booking', 'Your appointment · Meridian'],
])('%s is served by %s with the title %s', async (url, entry, title) => {
  const page = await meridian.get(url)
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain(`data-entry="${entry}"`)
  expect(page.body).toContain(`<title>${title}</title>`)
  if (url in PUBLIC_PAGES) return
  expect(page.body).not.toContain('og:')
  expect(page.headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
})

test('/confirmation is a page of the hosts of calendars alone. Source: rule J3', async () => {
  const page = await meridian.get('/confirmation?appointment_id=x')
  expect(page.statusCode).toBe(404)
  expect(page.body).toContain('data-entry="site"')
})

test.each(Object.entries({ ...LOGIN_AND_REGISTRATION_PAGES, ...APP_PAGES }))(
  '%s is called %s, as its script calls it',
  async (path, name) => {
    const { body } = await meridian.get(path.replace(':id', '1'))
    expect(body).toContain(`<title>${toDocumentTitle(name)}</title>`)
  },
)

test('every page of the site and of owners says who runs the installation, whatever characters that has', async () => {
  for (const url of ['/', '/privacy', '/dashboard', '/nothing']) {
    const { body } = await meridian.get(url)
    expect(body.match(/<\/script>/g), url).toHaveLength(1)
    expect(dataIn(body), url).toMatchObject({ operator: { name: 'A </script> B' }, contact_form: true })
  }
})

test('the way into the demo practice is told to the browser only where there is one', async () => {
  const demoIn = async (url: string) =>
    (dataIn((await meridian.get(url)).body) as Partial<SitePageData>).demo_login
  expect(await demoIn('/login')).toBeUndefined()
  await meridian.database.execute(
    "insert into profiles (id, email, full_name) values (gen_random_uuid(), $1, 'Amara Osei')",
    [DEMO_LOGIN.email],
  )
  // The public page and the page behind the login navigate to the form without loading another document.
  for (const url of ['/login', '/', '/dashboard']) expect(await demoIn(url), url).toEqual(DEMO_LOGIN)
  await meridian.database.execute('delete from profiles where email = $1', [DEMO_LOGIN.email])
})

test('an unknown page is a page, and an unknown operation is a problem', async () => {
  for (const url of [
    '/nothing',
    '/book',
    '/calendar',
    '/assets/nothing.js',
    '/.secret',
    '/assets/../.secret',
  ]) {
    const page = await meridian.get(url)
    expect([url, page.statusCode]).toEqual([url, 404])
    expect(page.body).toContain('data-entry="site"')
    expect(page.body).toContain('<title>Page Not Found · Meridian</title>')
  }
  for (const [method, url] of [
    ['GET', '/api/nothing'],
    ['POST', '/api/public/calendars'],
    ['POST', '/nothing'],
    ['DELETE', '/'],
  ] as const) {
    const answer = await meridian.request({ method, url })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({ code: 'request.not_found' })
  }
})

test.each([
  ['/pricing/', '/pricing'],
  ['/dashboard/?subscription=success', '/dashboard?subscription=success'],
  ['/calendar/1/settings/?tab=types', '/calendar/1/settings?tab=types'],
  ['/cancel/1/', '/cancel/1'],
  ['/book/studio/', '/book/studio'],
  ['/book/STUDIO?type=1', '/book/studio?type=1'],
])('%s leads to the one address of the page, %s', async (url, address) => {
  const answer = await meridian.get(url)
  expect([answer.statusCode, answer.headers.location]).toEqual([308, address])
})

test.each([
  '/calendar/',
  '/calendar//settings',
  '/cancel/',
  '/book/',
  '/calendar/x/y/z',
  '/%E0%A4%A',
  '/nothing/',
])('%s is no page, and says so to a browser', async (url) => {
  for (const method of ['GET', 'HEAD'] as const) {
    const page = await meridian.request({ method, url })
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.headers['content-security-policy']).toBeDefined()
    if (method === 'GET') expect(page.body).toContain('<title>Page Not Found · Meridian</title>')
  }
})

test('no page has inline code that its policy would refuse', async () => {
  const calendar = await makeCalendar(meridian, owner)
  for (const url of ['/', `/book/${calendar.slug}`, '/dashboard', '/nothing']) {
    const page = await meridian.get(url)
    expect(page.headers['content-security-policy']).toMatch(
      /script-src 'self';style-src 'self'( 'sha256-[^']*')?;/,
    )
    expect(inlineStylesOf(page).refused, url).toBe(0)
    expect(page.body.replace(/<script type="application\/json"[^>]*>/, '')).not.toMatch(
      /<script|\sstyle=|\son\w+=/,
    )
  }
})

test('what is built is kept for a year, packed when the browser can unpack it, and icons for an hour', async () => {
  const script = await meridian.get('/assets/app-1a2b.js')
  expect([script.body, script.headers['cache-control']]).toEqual([
    'plain',
    'public, max-age=31536000, immutable',
  ])
  const packed = await meridian.request({
    url: '/assets/app-1a2b.js',
    headers: { 'accept-encoding': 'br, gzip' },
  })
  expect([packed.body, packed.headers['content-encoding']]).toEqual(['brotli', 'br'])
  const icon = await meridian.get('/favicon.svg')
  expect(icon.headers).toMatchObject({
    'cache-control': 'public, max-age=3600',
    'content-type': expect.stringContaining('image/svg+xml'),
  })
})

test('a page is packed for browsers that can unpack it', async () => {
  // The plan prices are fetched in the background and appear on the page once available.
  await waitUntil(async () => {
    return (await meridian.get('/pricing')).body.includes('"tier":"business"')
  })
  const page = await meridian.request({ url: '/pricing', headers: { 'accept-encoding': 'gzip, br' } })
  expect(page.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(gunzipSync(page.rawPayload).toString()).toBe((await meridian.get('/pricing')).body)
})

test('search engines are led to public pages only, each of which is there and may be shown', async () => {
  const robots = await meridian.get('/robots.txt')
  expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(robots.body).toContain('Disallow: /api/')
  expect(robots.body).toContain('Sitemap: https://localhost/sitemap.xml')
  const sitemap = await meridian.get('/sitemap.xml')
  expect(sitemap.headers['content-type']).toBe('application/xml; charset=utf-8')
  const addresses = [...sitemap.body.matchAll(/<loc>https:\/\/localhost(.*)<\/loc>/g)].map(([, path]) => path)
  expect(addresses).toEqual(expect.arrayContaining(['/', '/pricing']))
  for (const url of addresses) {
    const page = await meridian.get(url ?? '')
    expect([url, page.statusCode]).toEqual([url, 200])
    expect(page.body).toContain(`<link rel="canonical" href="https://localhost${url}" />`)
    expect(page.body).toContain('<meta property="og:image" content="https://localhost/preview.png" />')
    expect(page.body).not.toContain('noindex')
  }
})

test('in production there is no mailbox, no sandbox and nothing that says so', async () => {
  const app = await buildApp({
    log: meridian.app.log,
    baseUrl: 'https://localhost',
    allowInline: false,
    loopbackOnly: false,
    trustProxy: 0,
    publicRequestsPerMinute: 1_000,
    now: () => 0,
    addRequestCounts: null,
    metrics: new Registry(),
    metricsOpen: false,
    metricsToken: undefined,
    overloadDelayMs: 0,
    isReady: async () => true,
  })
  const site = () => ({ ...meridian.deps.site(), sandbox: false })
  const deps = { ...meridian.deps, site, sandbox: false }
  await registerRoutes(app, deps)
  registerPages(app, { ...deps, templates })
  const calendar = await makeCalendar(meridian, owner)
  const sandboxOnly = ['/api/sandbox/mails', '/sandbox/mail', '/sandbox/mail/gallery']
  for (const url of [...sandboxOnly, '/metrics']) {
    expect((await app.inject(url)).statusCode, url).toBe(404)
    expect((await meridian.get(url)).statusCode, url).toBe(200)
  }
  const page = await app.inject({ url: `/book/${calendar.slug}`, headers: { host: 'anything.example' } })
  expect(dataIn(page.body)).toMatchObject({ sandbox: false, calendar: { slug: calendar.slug } })
  await app.close()
})

test('a booking page without a database is still a page, which asks again by itself', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const path = `/api/public/calendars/${calendar.slug}`
  await meridian.database.close()
  const page = await meridian.get(`/book/${calendar.slug}`)
  expect(page.statusCode).toBe(503)
  expect(page.headers).toMatchObject({ 'retry-after': '2', 'content-type': 'text/html; charset=utf-8' })
  expect(page.body).not.toContain('page-data')
  const answer = await meridian.get(path)
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'server.unavailable'])
  expect((await meridian.get('/readyz')).statusCode).toBe(503)
  expect((await meridian.get('/healthz')).statusCode).toBe(200)
})

/** Lists a page's style elements and whether its policy allows their hash. */
function inlineStylesOf({ body, headers }: { body: string; headers: Record<string, unknown> }) {
  const styles = [...body.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, css = '']) => css)
  const isAllowed = (css: string) => {
    const hash = createHash('sha256').update(css).digest('base64')
    return String(headers['content-security-policy']).includes(`'sha256-${hash}'`)
  }
  const allowed = styles.filter(isAllowed).length
  return { allowed, refused: styles.length - allowed }
}

function dataIn(html: string): BookingPageData {
  const text = html.match(/<script type="application\/json" id="page-data">(.*)<\/script>/)?.[1]
  return JSON.parse(text ?? 'null')
}
