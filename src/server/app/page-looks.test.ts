import { createHash, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { waitUntilHostsCached } from '#tests/support/known-hosts.ts'
import { bookAppointment, TEST_MONDAY } from '#tests/support/meridian.ts'
import { addHost } from '#tests/support/stored-rows.ts'
import { joinWaitingList, tokenInWaitingListEmail } from '#tests/support/waiting.ts'
import { toPageTemplate } from './page-templates.ts'
import { registerPages } from './pages.ts'

let appointment: { readonly id: string; readonly manage_token: string }

/** Rule K11: the branding of pages that follow a booking. */
setUpCalendar({
  extend: async (app, deps) => {
    const template = toPageTemplate('<head><!--page-head--></head><!--page-body--><!--page-data-->')
    registerPages(app, { ...deps, templates: async () => template })
  },
  owner: { lifetime: 'test', tier: 'professional' },
})
beforeEach(async () => {
  appointment = (await bookAppointment(meridian, calendar.slug)).json()
})

/** Saves complete branding and returns the logo's URL. */
async function setLook(): Promise<string> {
  const url = `/api/calendars/${calendar.id}/branding`
  const { cookie } = owner
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="8"/>'
  const file = Buffer.from(svg).toString('base64')
  const logo = await meridian.as({ cookie }).post(`${url}/logo`, { file })
  const payload = { logo_hash: logo.json().hash, primary_color: '#aa0000', custom_css: 'h1 { color: red }' }
  const saved = await meridian.as({ cookie }).patch(url, payload)
  expect(saved.statusCode, saved.body).toBe(200)
  return logo.json().url
}

/** Returns the branding's CSS rule in a page, and whether the page's policy allows it; null without one. */
async function lookOf(url: string, host = 'localhost') {
  const page = await meridian.request({ url, headers: { host } })
  expect(page.statusCode, url).toBe(200)
  const [, css] = page.body.match(/<style>(.*)<\/style>/) ?? []
  if (css === undefined) return null
  const hash = createHash('sha256').update(css).digest('base64')
  const isAllowed = String(page.headers['content-security-policy']).includes(`'sha256-${hash}'`)
  return { css, isAllowed, hasStyleSheet: page.body.includes('rel="stylesheet"') }
}

/** Lists the pages that follow a booking, on the installation's own host. */
async function listPages(): Promise<string[]> {
  const email = `${randomUUID()}@example.com`
  await joinWaitingList(meridian, calendar.slug, { email })
  const { id, manage_token } = appointment
  return [
    `/book/${calendar.slug}/confirmation?appointment_id=${id}`,
    `/payment-success?session_id=a&appointment_id=${id}`,
    `/payment-cancelled?appointment_id=${id}&calendar_slug=${calendar.slug}`,
    `/cancel/${id}`,
    `/manage/${manage_token}`,
    `/waiting/${tokenInWaitingListEmail(await meridian.waitForMail(({ to }) => to.address === email))}`,
  ]
}

test('each has the colours and the logo from the start, and no custom CSS', async () => {
  const logo = await setLook()
  for (const page of await listPages()) {
    const look = await lookOf(page)
    expect({ page, ...look }).toMatchObject({ page, isAllowed: true, hasStyleSheet: false })
    expect(look?.css).toContain('--noon:#aa0000;')
    expect(look?.css).toContain(`--letterhead:image-set(url("${logo}") 2x)`)
    expect(look?.css).toContain('--letterhead-height:80px')
  }
})

test('the booking page has the colours as a whole, so that what opens over it has them, too', async () => {
  await setLook()
  const look = await lookOf(`/book/${calendar.slug}`)
  expect(look).toMatchObject({ isAllowed: true, hasStyleSheet: true })
  expect(look?.css).toContain('html:root{')
  expect(look?.css).toContain('--noon:#aa0000;')
})

test('on a host of the calendar each has them, also where the address names no appointment', async () => {
  await setLook()
  const host = `${calendar.slug}.example`
  await addHost(meridian, calendar.id, { host, kind: 'custom', state: 'live' })
  await waitUntilHostsCached(meridian, calendar)
  const { id, manage_token } = appointment
  const pages = [
    '/confirmation',
    '/payment-success',
    '/payment-cancelled',
    `/cancel/${id}`,
    `/manage/${manage_token}`,
    '/cancel/emails',
  ]
  for (const page of pages) expect((await lookOf(page, host))?.css, page).toContain('--noon:#aa0000;')
})

test('without a look, and after the plan has ended, each is as it was. Source: rule K3', async () => {
  for (const page of await listPages()) expect(await lookOf(page), page).toBeNull()
  await setLook()
  const pages = await listPages()
  await meridian.database.db
    .updateTable('subscriptions')
    .set({ ends_at: new Date(TEST_MONDAY - 1) })
    .where('user_id', '=', owner.id)
    .execute()
  for (const page of pages) expect(await lookOf(page), page).toBeNull()
})

describe('an address that names nothing', () => {
  beforeEach(() => setLook())

  test.each([
    '/cancel/emails',
    `/cancel/${randomUUID()}`,
    "/cancel/'; drop table calendars; --",
    '/payment-success?appointment_id=a',
    '/payment-success',
    '/book/nobody-at-all/confirmation',
    '/book/Not%20a%20slug/confirmation',
    `/manage/${'a'.repeat(44)}`,
    '/waiting/a.b',
  ])('%s has no look', async (url) => {
    expect(await lookOf(url)).toBeNull()
  })

  test('as does a link that somebody changed by one letter', async () => {
    const { manage_token: token } = appointment
    const changed = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
    expect(await lookOf(`/manage/${changed}`)).toBeNull()
  })
})

test('a colour that was stored in another way than by the form cannot leave its rule', async () => {
  await setLook()
  const primary_color = '#aa0000}</style><script>alert(1)</script>'
  await meridian.database.db
    .updateTable('calendars')
    .set({ branding_settings: JSON.stringify({ primary_color, footer_text: 'x' }) })
    .where('id', '=', calendar.id)
    .execute()
  expect((await lookOf(`/cancel/${appointment.id}`))?.css).toContain('--noon:#3B82F6;')
})

// This must stay the last test, because it closes the database.
test('while the database is away they are pages all the same', async () => {
  await setLook()
  const pages = await listPages()
  await meridian.database.close()
  for (const page of pages) expect(await lookOf(page), page).toBeNull()
})
