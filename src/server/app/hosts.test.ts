import { beforeAll, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { makeFakeProviders, makePaidCalendar, startFirstCheckout } from '#tests/support/checkouts.ts'
import { fillOperationAddress } from '#tests/support/fill-address.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { waitUntilHostsCached } from '#tests/support/known-hosts.ts'
import {
  bookAppointment,
  makeBookingBody,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { readOpenApiDocument } from '#tests/support/open-api.ts'
import { addHost } from '#tests/support/stored-rows.ts'
import { joinWaitingListAndConfirm } from '#tests/support/waiting.ts'
import { registerPages } from './pages.ts'

/** Rules J: the pages and operations that a calendar's host serves, and the targets of its links. */
const providers = makeFakeProviders()
let owner: TestOwner
let calendar: Calendar
let host: string
let hosts = 0

setUpMeridian({
  providers,
  env: { OPERATOR_NAME: 'Harbour Software', OPERATOR_EMAIL: 'desk@harbour.example' },
  extend: async (app, deps) =>
    registerPages(app, {
      ...deps,
      templates: async () => ({
        html: '<head><!--page-head--><link rel="manifest" href="/site.webmanifest" /></head><!--page-body--><!--page-data-->',
        elements: [],
      }),
    }),
})
async function makePractice() {
  owner = await makeOwner(meridian, { tier: 'professional' })
  calendar = await makeCalendar(meridian, owner)
  hosts += 1
  host = `termine-${hosts}.example`
}

/** Sends a request to a host. */
function at(name: string, url: string, { cookie }: { cookie?: string } = {}) {
  return meridian.request({ url, cookie, headers: { host: name } })
}

/** Creates another practice whose calendar has its own host. */
async function serveAt(kind: 'custom' | 'subdomain' = 'custom', state: 'live' | 'retired' = 'live') {
  await makePractice()
  await addHost(meridian, calendar.id, { host, kind, state })
  await waitUntilHostsCached(meridian, calendar)
}

async function setState(state: 'live' | 'failing' | 'released' | 'retired') {
  await meridian.database.db.updateTable('calendar_hosts').set({ state }).where('host', '=', host).execute()
  await waitUntilHostsCached(meridian, calendar)
}

type Flaw = { failing_since: Date | null } | { certificate: 'pending' | 'failed' | 'ready' }

async function writeHost(flaw: Flaw) {
  await meridian.database.db.updateTable('calendar_hosts').set(flaw).where('host', '=', host).execute()
}

/** Operations whose URL identifies an appointment or waiting-list request. */
const NAMES_A_RECORD = /^\/api\/public\/(appointments|manage|waiting-list)\/\{/

/** Creates an appointment and a waiting-list request of a calendar without its own host. */
async function makeRecords() {
  const practice = await makeOwner(meridian, { tier: 'professional' })
  const { slug } = await makeCalendar(meridian, practice)
  const made = (await bookAppointment(meridian, slug)).json()
  const email = `waits-${slug}@example.com`
  const waiting = await joinWaitingListAndConfirm(meridian, slug, { email })
  return { slug, id: made.id, token: made.manage_token, waiting }
}

async function endPlan() {
  await meridian.database.db
    .updateTable('subscriptions')
    .set({ ends_at: new Date(TEST_MONDAY - 1) })
    .where('user_id', '=', owner.id)
    .execute()
}

describe('a host of a calendar', () => {
  beforeAll(() => serveAt())

  test('serves its booking page at the root, and says that this is its address', async () => {
    const page = await at(host, '/')
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(`<link rel="canonical" href="http://${host}:3000" />`)
    expect(page.body).toContain(`<meta property="og:url" content="http://${host}:3000" />`)
    expect(page.body).toContain(calendar.name)
    expect(page.body).not.toContain('rel="manifest"')
  })

  test.each(['/confirmation', '/cancel/a', '/payment-success', '/payment-cancelled'])(
    'serves %s',
    async (url) => {
      expect((await at(host, url)).statusCode).toBe(200)
    },
  )

  test.each([
    ['/book/anything', '/'],
    ['/book/anything?type=1', '/?type=1'],
    ['/book/anything/confirmation?appointment_id=1', '/confirmation?appointment_id=1'],
    ['/privacy', 'http://localhost:3000/privacy'],
    ['/sandbox/mail', 'http://localhost:3000/sandbox/mail'],
  ])('leads %s to %s', async (url, location) => {
    const answer = await at(host, url)
    expect([answer.statusCode, answer.headers.location]).toEqual([302, location])
  })

  test.each([
    '/login',
    '/register',
    '/dashboard',
    '/today',
    '/profile',
    '/calendar/1/settings',
    '/pricing',
    '/healthz',
    '/metrics',
    '/sitemap.xml',
    '/site.webmanifest',
    '/day-worker.js',
    '/api/docs',
    '/api/openapi.json',
    '/nothing',
  ])('has nothing at %s', async (url) => {
    const answer = await at(host, url, { cookie: owner.cookie })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.headers['content-security-policy']).toBeDefined()
  })

  test.each(['/nothing', '/cancel/', '/assets/nothing.js', '/login?next=/dashboard'])(
    'says so at %s, with the path and the way to its booking page (rule J3)',
    async (url) => {
      const { body, statusCode } = await at(host, url)
      expect(statusCode).toBe(404)
      expect(body).toContain('<h1>Page Not Found</h1>')
      expect(body).toContain(`<p>There is no page at ${url.split('?')[0]}</p>`)
      expect(body).toContain('<p><a href="/">Go to the booking page</a></p>')
      expect(body).not.toContain('There is no booking page')
    },
  )

  test('shows a path as text, and a long one by its beginning', async () => {
    const { body } = await at(host, `/'&<b>${'x'.repeat(500)}?<script>`)
    expect(body).toContain(`<p>There is no page at /&#39;&amp;%3Cb%3E${'x'.repeat(90)}…</p>`)
    expect(body).not.toMatch(/<b>|<script/)
  })

  test('answers the operations of its own calendar, and not those of another', async () => {
    const other = await makeCalendar(meridian, owner)
    expect((await at(host, `/api/public/calendars/${calendar.slug}`)).statusCode).toBe(200)
    expect((await at(host, `/api/public/calendars/${other.slug}`)).statusCode).toBe(404)
  })

  test('takes a booking whose mail leads back to it', async () => {
    const made = await bookAppointment(meridian, calendar.slug, {}, { host })
    expect(made.statusCode).toBe(201)
    expect(made.json().public_url).toBe(`http://${host}:3000`)
    const mail = await meridian.waitForMail(({ to }) => to.address === 'grace@example.com')
    expect(mail.text).toContain(`http://${host}:3000/cancel/${made.json().id}`)
    expect(mail.text).toContain(`http://${host}:3000/manage/`)
    expect(mail.text).not.toContain('http://localhost:3000')
  })

  test('is what the owner copies, and what the API says', async () => {
    const own = await owner.get(`/api/calendars/${calendar.id}`)
    expect(own.json().public_url).toBe(`http://${host}:3000`)
  })

  test('names no session: whoever is logged in at the installation is a visitor there', async () => {
    const session = await at(host, '/api/auth/session', { cookie: owner.cookie })
    expect(session.statusCode).toBe(404)
    const booked = await meridian.request({
      method: 'POST',
      url: `/api/public/calendars/${calendar.slug}/appointments`,
      cookie: owner.cookie,
      headers: { host },
      // The owner, who may book at shorter notice, gets past the first check; the missing name is then refused.
      payload: makeBookingBody({ customer: { name: '', email: 'grace@example.com' } }),
    })
    expect(booked.statusCode).toBe(400)
    expect(booked.headers['set-cookie']).toBeUndefined()
  })
})

test('a payment that begins on a host of a calendar ends there, and so does its cancellation', async () => {
  await makePractice()
  const paid = await makePaidCalendar(meridian, owner)
  await addHost(meridian, paid.id, { host, kind: 'custom', state: 'live' })
  await waitUntilHostsCached(meridian, paid)
  const begun = await startFirstCheckout(meridian, paid, {}, { host })
  expect(begun.statusCode, begun.body).toBe(201)
  const id = begun.json().appointment_id
  const [request] = [...providers.stripe.checkouts.values()]
    .map((checkout) => checkout.request)
    .filter(({ appointmentId }) => appointmentId === id)
  expect(request?.successUrl).toBe(
    `http://${host}:3000/payment-success?session_id={CHECKOUT_SESSION_ID}&appointment_id=${id}`,
  )
  expect(request?.cancelUrl).toContain(`http://${host}:3000/payment-cancelled?appointment_id=${id}&`)
  const given = await meridian.request({
    method: 'DELETE',
    url: `/api/public/appointments/${id}`,
    headers: { host },
  })
  expect(given.statusCode).toBe(204)
  const made = await bookAppointment(meridian, paid.slug, { appointment_type_id: paid.typeId }, { host })
  const asked = await meridian.request({
    method: 'POST',
    url: `/api/public/appointments/${made.json().id}/cancellation-request`,
    headers: { host },
  })
  expect([made.statusCode, asked.statusCode]).toEqual([201, 200])
})

const FLAWS: readonly [string, Flaw, Flaw][] = [
  [
    'was found to lead elsewhere (rule I15)',
    { failing_since: new Date(TEST_MONDAY) },
    { failing_since: null },
  ],
  ['waits for its certificate (rule I16)', { certificate: 'pending' }, { certificate: 'ready' }],
  ['could get no certificate (rule I16)', { certificate: 'failed' }, { certificate: 'ready' }],
]

describe.each(FLAWS)('a domain that %s', (_what, flaw, mended) => {
  const path = () => `http://localhost:3000/book/${calendar.slug}`
  beforeAll(async () => {
    await serveAt()
    await writeHost(flaw)
  })

  test('is led to by no redirect and named by no page', async () => {
    const page = await meridian.get(`/book/${calendar.slug}`)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(`<link rel="canonical" href="${path()}" />`)
    const named = await meridian.get(`/api/public/hosts/${host}`)
    expect(named.json().public_url).toBe(path())
  })

  test('gets no token of a customer, and nobody who has paid', async () => {
    const paid = await makePaidCalendar(meridian, owner)
    const domain = `kasse-${host}`
    await addHost(meridian, paid.id, { host: domain, kind: 'custom', state: 'live', ...flaw })
    const begun = await startFirstCheckout(meridian, paid, {})
    const checkouts = [...providers.stripe.checkouts.values()].map(({ request }) => request)
    const request = checkouts.find(({ appointmentId }) => appointmentId === begun.json().appointment_id)
    expect(request?.successUrl).toMatch(/^http:\/\/localhost:3000\/payment-success/)
    expect(request?.cancelUrl).toMatch(/^http:\/\/localhost:3000\/payment-cancelled/)
    const to = `lapsed@${host}`
    const made = await bookAppointment(
      meridian,
      calendar.slug,
      { customer: { name: 'Grace', email: to } },
      { host },
    )
    expect([made.statusCode, made.json().public_url]).toEqual([201, path()])
    const mail = await meridian.waitForMail((one) => one.to.address === to)
    expect(mail.text).toContain('http://localhost:3000/manage/')
    expect(mail.text).toContain(`http://localhost:3000/cancel/${made.json().id}`)
    expect(mail.text).not.toContain(`//${host}`)
  })

  test('still serves whoever comes there', async () => {
    for (const url of ['/', '/confirmation', '/cancel/a', '/payment-success']) {
      expect([url, (await at(host, url)).statusCode]).toEqual([url, 200])
    }
    const confirmation = await at(host, `/book/${calendar.slug}/confirmation`)
    expect(confirmation.headers.location).toBe('/confirmation')
  })

  test('is the address once that is mended', async () => {
    await writeHost(mended)
    const answer = await meridian.get(`/book/${calendar.slug}`)
    expect([answer.statusCode, answer.headers.location]).toEqual([302, `http://${host}:3000/`])
  })
})

describe('the operation that says whose a host is', () => {
  test('names the calendar and its present address, also for an earlier host and however the name is written', async () => {
    await serveAt('subdomain', 'retired')
    const present = `jetzt-${host}`
    await addHost(meridian, calendar.id, { host: present, kind: 'custom', state: 'live' })
    for (const name of [host, present, `${present.toUpperCase()}.`, `${present}:443`]) {
      const answer = await meridian.get(`/api/public/hosts/${name}`)
      expect(answer.json()).toEqual({
        calendar_slug: calendar.slug,
        public_url: `http://${present}:3000`,
      })
    }
  })

  test.each(['nobody.example', 'localhost', '127.0.0.1', 'a..b', 'x'.repeat(300)])(
    'knows no calendar of %s',
    async (name) => {
      const answer = await meridian.get(`/api/public/hosts/${name}`)
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'calendar.not_found'])
    },
  )
})

describe('the path of a calendar', () => {
  test('leads to its host, with the query', async () => {
    await serveAt()
    const answer = await meridian.get(`/book/${calendar.slug}?type=1`)
    expect([answer.statusCode, answer.headers.location]).toEqual([302, `http://${host}:3000/?type=1`])
  })

  test('is the address again when the plan is over, and the host leads there', async () => {
    await serveAt()
    await endPlan()
    const path = `http://localhost:3000/book/${calendar.slug}`
    expect((await meridian.get(`/book/${calendar.slug}`)).statusCode).toBe(200)
    expect((await at(host, '/')).headers.location).toBe(path)
    expect((await at(host, '/cancel/a')).headers.location).toBe('http://localhost:3000/cancel/a')
    const own = await owner.get(`/api/calendars/${calendar.id}`)
    expect(own.json().public_url).toBe(path)
    const made = await bookAppointment(meridian, calendar.slug, {}, { host })
    expect([made.statusCode, made.json().public_url]).toEqual([201, path])
  })

  test('stays the address of a subdomain without a plan', async () => {
    await serveAt('subdomain')
    await endPlan()
    expect((await at(host, '/')).statusCode).toBe(200)
  })

  test('leads from the slug and from earlier paths to the present one', async () => {
    await makePractice()
    const { db } = meridian.database
    const [before, now] = [`a-${calendar.slug}`, `b-${calendar.slug}`]
    await db
      .insertInto('public_calendars')
      .values(
        [before, now].map((slug) => ({ slug, calendar_id: null, public_url: null, path_of: calendar.id })),
      )
      .execute()
    await db
      .updateTable('calendars')
      .set({ domain_settings: JSON.stringify({ type: 'path', path: now }) })
      .where('id', '=', calendar.id)
      .execute()
    for (const earlier of [calendar.slug, before]) {
      const answer = await meridian.get(`/book/${earlier}?a=b`)
      expect([answer.statusCode, answer.headers.location]).toEqual([
        302,
        `http://localhost:3000/book/${now}?a=b`,
      ])
    }
    const page = await meridian.get(`/book/${now}`)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(calendar.name)
  })
})

test('a link of a calendar that had the domain before leads on to its own address (rule J3)', async () => {
  const other = await makeRecords()
  await serveAt()
  const site = 'http://localhost:3000'
  for (const [asked, wayOn] of [
    [`/manage/${other.token}`, `/manage/${other.token}`],
    [`/cancel/${other.id}?a=b`, `/cancel/${other.id}?a=b`],
    [`/waiting/${other.waiting}`, `/waiting/${other.waiting}`],
    [`/payment-success?appointment_id=${other.id}`, `/payment-success?appointment_id=${other.id}`],
    [
      `/confirmation?appointment_id=${other.id}`,
      `/book/${other.slug}/confirmation?appointment_id=${other.id}`,
    ],
  ] as const) {
    const answer = await at(host, asked)
    expect([asked, answer.statusCode, answer.headers.location]).toEqual([asked, 302, site + wayOn])
  }
  const own = (await bookAppointment(meridian, calendar.slug, {}, { host })).json()
  for (const url of [`/manage/${own.manage_token}`, `/cancel/${own.id}`]) {
    expect([url, (await at(host, url)).statusCode]).toEqual([url, 200])
  }
  expect((await at(host, `/api/public/manage/${own.manage_token}`)).statusCode).toBe(200)
})

test('an earlier host leads to the present one', async () => {
  await serveAt('subdomain', 'retired')
  const present = `jetzt-${host}`
  await addHost(meridian, calendar.id, { host: present, kind: 'custom', state: 'live' })
  await waitUntilHostsCached(meridian, calendar)
  expect((await at(host, '/?x=1')).headers.location).toBe(`http://${present}:3000/?x=1`)
  expect((await at(host, '/confirmation?appointment_id=1')).headers.location).toBe(
    `http://${present}:3000/confirmation?appointment_id=1`,
  )
})

describe('an unknown host', () => {
  beforeAll(makePractice)

  test.each(['nobody.example', 'nobody.localhost:3000', 'müller.example', 'a..b'])(
    'as %s gets a plain page with 421',
    async (name) => {
      const answer = await at(name, '/', { cookie: owner.cookie })
      expect(answer.statusCode).toBe(421)
      expect(answer.headers['content-type']).toContain('text/html')
      expect(answer.body).toContain(PROBLEMS['host.unknown'].title)
      expect(answer.body).not.toContain('<script')
      expect(answer.headers['content-security-policy']).toBeDefined()
    },
  )

  test('gets a problem from the API', async () => {
    const answer = await at('nobody.example', '/api/calendars', { cookie: owner.cookie })
    expect([answer.statusCode, answer.json().code]).toEqual([421, 'host.unknown'])
  })

  test.each(['failing', 'released'] as const)('is one that is %s', async (state) => {
    await serveAt()
    expect((await at(host, '/')).statusCode).toBe(200)
    await setState(state)
    expect((await at(host, '/')).statusCode).toBe(421)
  })

  test('is one that was not proven', async () => {
    await makePractice()
    await addHost(meridian, calendar.id, { host, kind: 'custom', state: 'pending' })
    await waitUntilHostsCached(meridian, calendar)
    expect((await at(host, '/')).statusCode).toBe(421)
  })
})

describe('the header Host', () => {
  beforeAll(() => serveAt())

  test.each([
    ['with a port', (name: string) => `${name}:3000`],
    ['in upper case', (name: string) => name.toUpperCase()],
    ['with a dot at its end', (name: string) => `${name}.`],
    ['with all of them', (name: string) => `${name.toUpperCase()}.:8443`],
  ])('means the same %s', async (_how, write) => {
    const page = await at(write(host), '/')
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(`<link rel="canonical" href="http://${host}:3000" />`)
  })
})

describe('the installation itself', () => {
  test.each(['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])('is reached as %s', async (name) => {
    expect((await at(name, '/healthz')).statusCode).toBe(200)
    expect((await at(name, '/login')).statusCode).toBe(200)
  })
})

describe('every operation', () => {
  test('of an owner is refused on a host of a calendar, for a stranger and for its owner', async () => {
    await serveAt()
    const { operations } = readOpenApiDocument(meridian.app)
    const below = operations.filter(({ path }) => !path.startsWith('/api/public/'))
    expect(below.length).toBeGreaterThan(80)
    for (const operation of below) {
      const url = fillOperationAddress(operation, ({ in: place }) => (place === 'path' ? calendar.id : null))
      for (const cookie of [undefined, owner.cookie]) {
        const answer = await meridian.request({ method: operation.method, url, cookie, headers: { host } })
        expect([operation.operationId, answer.statusCode]).toEqual([operation.operationId, 404])
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
    }
  })

  test('of customers that names another calendar is refused on a host of a calendar', async () => {
    await serveAt()
    const other = await makeCalendar(meridian, owner)
    const { operations } = readOpenApiDocument(meridian.app)
    const named = operations.filter(({ path }) => path.startsWith('/api/public/calendars/{slug}'))
    expect(named.length).toBeGreaterThan(8)
    for (const operation of named) {
      const url = fillOperationAddress(operation, ({ in: place }) => (place === 'path' ? other.slug : null))
      const answer = await meridian.request({ method: operation.method, url, headers: { host } })
      expect([operation.operationId, answer.statusCode, answer.json().code]).toEqual([
        operation.operationId,
        404,
        'request.not_found',
      ])
    }
  })

  test('of customers about a record of another calendar is refused on a host of a calendar (rule J3)', async () => {
    const other = await makeRecords()
    await serveAt()
    const { operations } = readOpenApiDocument(meridian.app)
    const named = operations.filter(({ path }) => NAMES_A_RECORD.test(path))
    expect(named.length).toBeGreaterThan(15)
    for (const operation of named) {
      const token = operation.path.includes('/waiting-list/') ? other.waiting : other.token
      const url = fillOperationAddress(operation, ({ in: place, name }) =>
        place === 'path' ? (name === 'id' ? other.id : token) : null,
      )
      const answer = await meridian.request({ method: operation.method, url, headers: { host } })
      expect([operation.operationId, answer.statusCode, answer.json().code]).toEqual([
        operation.operationId,
        404,
        'request.not_found',
      ])
    }
    for (const url of [
      `/api/public/appointments/${other.id}`,
      `/api/public/manage/${other.token}`,
      `/api/public/waiting-list/${other.waiting}`,
    ]) {
      const [here, there] = [await at(host, url), await meridian.get(url)]
      expect([url, here.statusCode, there.statusCode]).toEqual([url, 404, 200])
    }
  })

  test('of visitors of the installation is refused there: the message to its operator', async () => {
    await serveAt()
    const send = (message: string, headers: Record<string, string>) =>
      meridian.request({
        method: 'POST',
        url: '/api/public/contact-messages',
        payload: { name: 'Grace', email: 'grace@example.com', message, website: '' },
        headers,
      })
    const refused = await send('Sent from the host of a calendar', { host })
    expect(refused.statusCode).toBe(404)
    const accepted = await send('Sent from the installation', {})
    expect(accepted.statusCode).toBe(204)
    await meridian.waitForMail(({ text }) => text.includes('Sent from the installation'))
    expect(meridian.mails.filter(({ text }) => text.includes('Sent from the host of a calendar'))).toEqual([])
  })
})
