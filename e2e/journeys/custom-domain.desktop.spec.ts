import { connect } from 'node:tls'
import { type Browser, test as base, chromium, expect, type Page } from '@playwright/test'
import type { CalendarDomain, DomainVerification } from '#contract/addresses/domains.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { connectStripe } from '#e2e/support/connect.ts'
import { BROWSER_PATH_VARIABLE, SERVER_URL_VARIABLE } from '#e2e/support/environment.ts'
import { enlargeText, expectReadable } from '#e2e/support/large-text.ts'
import { findLink, waitForMail } from '#e2e/support/mailbox.ts'
import {
  chooseDate,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  postToApi,
  signUp,
} from '#e2e/support/people.ts'
import { startServer } from '#e2e/support/product.ts'
import { type Caddy, startCaddy } from '#tests/support/caddy.ts'
import { type DnsServer, startDnsServer, toServedRecord } from '#tests/support/dns-server.ts'
import { findFreePort } from '#tests/support/free-port.ts'

const DOMAIN = 'termine.praxis-osei.example'
const TARGET = 'pages.meridian.example'

/** An installation behind Caddy with its own DNS server, and a browser that resolves every name of that DNS to this machine. */
type World = {
  readonly url: string
  /** The port on which Caddy serves TLS for every host. */
  readonly port: number
  readonly dns: DnsServer
  readonly caddy: Caddy
  readonly browser: Browser
}

const test = base.extend<{ world: World }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright sets up the fixtures named in the pattern; this one needs none
    async ({}, use) => {
      const https = await findFreePort()
      const http = await findFreePort()
      const ask = await findFreePort()
      const product = await findFreePort()
      const dns = await startDnsServer()
      const url = `https://localhost:${https}`
      const meridian = await startServer('tools/start.ts', {
        PORT: String(product),
        BASE_URL: url,
        DEFAULT_PLAN: 'professional',
        CUSTOM_DOMAIN_CNAME: TARGET,
        DNS_SERVERS: dns.address,
        ASK_PORT: String(ask),
        TLS_PROXY: `127.0.0.1:${https}`,
        DEMO: 'false',
      })
      const caddy = await startCaddy({ https, http, product, ask })
      const browser = await chromium.launch({
        executablePath: process.env[BROWSER_PATH_VARIABLE] ?? '',
        args: ['--no-sandbox', '--host-resolver-rules=MAP *.example 127.0.0.1'],
      })
      // The helpers read the mailbox of Meridian that this variable names.
      const earlier = process.env[SERVER_URL_VARIABLE]
      process.env[SERVER_URL_VARIABLE] = `http://localhost:${product}`
      await use({ url, port: https, dns, caddy, browser })
      process.env[SERVER_URL_VARIABLE] = earlier
      await browser.close()
      await caddy.stop()
      await meridian.stop()
      await dns.close()
    },
    // The fixture starts a second product beside the one of the other journeys, which takes time.
    { timeout: 180_000 },
  ],
})

test('an owner brings a domain, which gets its certificate; a customer books, pays and cancels there', async ({
  world,
}) => {
  test.setTimeout(4 * 60_000)
  const { url, port, dns, caddy } = world
  const site = `https://${DOMAIN}:${port}`
  const owner = await open(world)
  const visitor = await open(world)
  const customer = makePerson('Ada Lovelace')
  await signUp(owner, makePerson('Ida Berg'))
  const calendar = await createCalendar(owner)
  await connectStripe(owner, calendar)
  await createAppointmentType(owner, calendar, { name: 'Massage', duration: 45, price: 45 })

  await test.step('before the domain is proven nobody gets a certificate for it', async () => {
    await expect(handshake(port, await caddy.authority())).rejects.toThrow()
    const domain = await choose(owner, calendar)
    expect(domain.state).toBe('pending')
    expect((await verify(owner, calendar)).verified).toBe(false)
    await expect(handshake(port, await caddy.authority())).rejects.toThrow()
  })

  await test.step('with the records it is served, and its certificate is there before the first visitor', async () => {
    const { records } = await choose(owner, calendar)
    const own = records.map(({ type, name, wanted }) => toServedRecord(type, name, wanted[0] ?? ''))
    dns.set([...own, toServedRecord('A', TARGET, '127.0.0.1')])
    expect((await verify(owner, calendar)).verified).toBe(true)
    await expect.poll(() => caddy.hasCertificate(DOMAIN), { timeout: 60_000 }).toBe(true)
    expect(await handshake(port, await caddy.authority())).toContain(DOMAIN)
    // From now on, links use the custom domain (rule I16).
    const url = `/api/calendars/${calendar.id}/domain`
    const read = async () => (await owner.context().request.get(url)).json()
    await expect.poll(read, { timeout: 60_000 }).toMatchObject({ certificate: 'ready', public_url: site })
  })

  await test.step('giving the domain up is asked about, also with large text on a phone', async () => {
    await owner.goto(`${url}/calendar/${calendar.id}/settings?tab=domains`)
    await owner.getByRole('radio', { name: /^Path/ }).check()
    await owner.getByRole('button', { name: 'Save domain settings' }).click()
    const dialog = owner.getByRole('alertdialog', { name: `Stop using ${DOMAIN}?` })
    await expect(dialog).toBeVisible()
    await enlargeText(owner, 320)
    await expectReadable(owner)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('the link that was published before leads there', async () => {
    await visitor.goto(`${url}/book/${calendar.slug}`)
    await expect(visitor).toHaveURL(`${site}/`)
    await expect(visitor.locator('link[rel=canonical]')).toHaveAttribute('href', site)
  })

  await test.step('a customer pays and is back on the domain', async () => {
    await visitor.getByRole('main').getByText('Massage').first().click()
    await chooseDate(visitor, nextTuesday())
    await visitor.getByRole('button', { name: '2:00 PM', exact: true }).click()
    await visitor.getByLabel('Full Name').fill(customer.name)
    await visitor.getByLabel('Email Address').fill(customer.email)
    await visitor.getByRole('button', { name: 'Pay Now' }).click()
    await visitor.getByRole('button', { name: 'Pay €45.00' }).click()
    await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    expect(visitor.url()).toMatch(new RegExp(`^${site}/payment-success\\?session_id=cs_`))
  })

  await test.step('the email leads to the domain, where the customer asks to cancel', async () => {
    const mail = await waitForMail({ to: customer.email, subject: 'confirmed' })
    expect(mail.text).not.toContain('localhost')
    const link = `${site}${findLink(mail, '/cancel/')}`
    expect(mail.text).toContain(link.replace(/#.*$/, ''))
    await visitor.goto(link)
    await visitor.getByRole('button', { name: 'Request cancellation' }).click()
    await expect(visitor.getByRole('heading', { name: 'Cancellation Pending' })).toBeVisible()
    expect(visitor.url().startsWith(`${site}/cancel/`)).toBe(true)
  })

  await test.step('a booking without a payment is confirmed there, also after a reload', async () => {
    await visitor.goto(`${site}/`)
    await visitor.getByRole('main').getByText('Massage').first().click()
    await chooseDate(visitor, nextTuesday())
    await visitor.getByRole('button', { name: '10:00 AM', exact: true }).click()
    await visitor.getByLabel('Full Name').fill(customer.name)
    await visitor.getByLabel('Email Address').fill(customer.email)
    await visitor.getByRole('button', { name: 'Book & Pay Later' }).click()
    await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    await expect(visitor).toHaveURL(new RegExp(`^${site}/confirmation\\?appointment_id=`))
    await visitor.reload()
    await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    expect(visitor.url().startsWith(`${site}/confirmation?`)).toBe(true)
  })

  await test.step('nothing of the owner is there, and no cookie was set', async () => {
    expect(await visitor.context().cookies()).toEqual([])
    for (const path of ['/login', '/dashboard']) {
      expect((await visitor.goto(`${site}${path}`))?.status()).toBe(404)
    }
    await expect(visitor.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
    await expect(visitor.getByText('There is no page at /dashboard')).toBeVisible()
    await visitor.getByRole('link', { name: 'Go to the booking page' }).click()
    await expect(visitor).toHaveURL(`${site}/`)
  })
})

async function open({ browser, url }: World): Promise<Page> {
  // Browsers do not trust Caddy's own certificate authority, so errors are ignored here. `handshake` checks the certificates.
  const context = await browser.newContext({
    baseURL: url,
    ignoreHTTPSErrors: true,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    viewport: { width: 1280, height: 800 },
  })
  return context.newPage()
}

function choose(page: Page, calendar: Calendar): Promise<CalendarDomain> {
  return ask(page, calendar, { type: 'custom', custom_domain: DOMAIN })
}

async function ask(page: Page, calendar: Calendar, data: object): Promise<CalendarDomain> {
  const answer = await page.context().request.put(`/api/calendars/${calendar.id}/domain`, { data })
  expect(answer.status(), await answer.text()).toBe(200)
  return answer.json()
}

function verify(page: Page, calendar: Calendar): Promise<DomainVerification> {
  return postToApi(page.context().request, `/api/calendars/${calendar.id}/domain/verification`, undefined)
}

/** Returns the names in the domain's certificate. Rejects when Caddy's authority has not signed the certificate. */
function handshake(port: number, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername: DOMAIN, ca }, () => {
      resolve(socket.getPeerCertificate().subjectaltname ?? '')
      socket.destroy()
    })
    socket.once('error', reject)
  })
}
