import type { Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { connectStripe } from '#e2e/support/connect.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import {
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  postToApi,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/** The owner's day on a phone, on a desktop, and offline. */

test('the day is a line each; one opens to call, write, find the way, mark as paid and say that it begins later', {
  tag: '@phone',
}, async ({ page }) => {
  const { calendar, customer } = await practiceOfToday(page)
  await page.goto('/today')
  const line = page.getByRole('region', { name: 'Today' }).getByRole('button', { name: /Ada Lovelace/ })
  await expect(line).toBeVisible()
  await expectNoAxeFindings(page)
  await line.click()
  await expect(page.getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:+442079460958')
  await expect(page.getByRole('link', { name: 'Message' })).toHaveAttribute(
    'href',
    `mailto:${customer.email}`,
  )
  await expect(page.getByRole('link', { name: 'Route' })).toHaveAttribute('href', /destination=10\+Harley/)
  await expectNoAxeFindings(page)

  await page.getByRole('button', { name: 'Running late' }).click()
  await page.getByRole('menuitem', { name: '15 minutes late' }).click()
  await expect(page.getByText('We’ll tell Ada Lovelace you’re about 15 minutes late.')).toBeVisible()
  await expect(line).toContainText('15 min late')
  const mail = await waitForMail({ to: customer.email, subject: 'Running about 15 minutes late' })
  expect(mail.text).toContain('running about 15 minutes late')

  await page.getByRole('button', { name: 'Mark as Paid' }).click()
  await expect(page.getByText('Payment marked as paid successfully')).toBeVisible()
  await page.getByRole('button', { name: 'View details' }).click()
  const details = page.getByRole('dialog', { name: 'Appointment' })
  await expect(details.getByText('“My left knee”')).toBeVisible()
  await expect(details.getByText('Paid', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')

  // The search also finds what the customer wrote.
  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments&filter=all&search=left knee`)
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('without a connection the last known day stays readable, marked as old, until the owner signs out', {
  tag: '@phone',
}, async ({ page, context, allowConsole }) => {
  allowConsole(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  await practiceOfToday(page)
  await page.goto('/today')
  await expect(page.getByRole('button', { name: /Ada Lovelace/ })).toBeVisible()
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    if (active?.state !== 'activated') {
      await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }))
    }
  })
  await expect.poll(() => listKept(page)).toContain('/today')

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText('You’re offline. Showing the last saved day.')).toBeVisible()
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await expect(page.getByRole('link', { name: 'Call' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Running late' })).toHaveCount(0)
  await expectNoAxeFindings(page)

  // The page refreshes automatically once the connection is back.
  await context.setOffline(false)
  await expect(page.getByText('You’re offline. Showing the last saved day.')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Ada Lovelace/ })).toBeVisible()

  // The service worker caches the page and its files, but no API responses and no booking page.
  for (const path of await listKept(page)) expect(path).toMatch(/^\/(today$|assets\/)/)
  const { scope } = await page.evaluate(async () => ({ scope: (await navigator.serviceWorker.ready).scope }))
  expect(new URL(scope).pathname).toBe('/today')

  await signOut(page)
  expect(await page.evaluate(() => localStorage.getItem('owners-day'))).toBeNull()
  await context.setOffline(true)
  await page.goto('/today')
  await expect(page.getByText('Failed to load appointments').first()).toBeVisible()
  await expect(page.getByText('Ada Lovelace')).toHaveCount(0)
  await context.setOffline(false)
})

test('another owner on the same device never sees the day of the one before', async ({ page }) => {
  await practiceOfToday(page)
  await page.goto('/today')
  await expect(page.getByRole('button', { name: /Ada Lovelace/ })).toBeVisible()
  // Clear the cookies instead of signing out, as when a session has expired.
  await page.context().clearCookies()
  await signUp(page, makePerson('Other Owner'))
  await page.goto('/today')
  await expect(page.getByText('No appointments today.')).toBeVisible()
  const kept = await page.evaluate(() => localStorage.getItem('owners-day'))
  expect(kept ?? '').not.toContain('Ada Lovelace')
})

test('the application can be installed: a manifest with icons that are there, and a start page of its own', {
  tag: '@slow',
}, async ({ page, request }) => {
  await signUp(page, makePerson('Ida Berg'))
  await page.goto('/today')
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = await (await request.get(href ?? '')).json()
  expect(manifest).toMatchObject({ name: 'Meridian', start_url: '/today', scope: '/', display: 'standalone' })
  const sizes = new Set<string>()
  for (const { src, sizes: size, type } of manifest.icons) {
    const icon = await request.get(src)
    expect(icon.status(), src).toBe(200)
    expect(icon.headers()['content-type'], src).toContain(type)
    sizes.add(size)
  }
  expect(sizes.has('192x192') && sizes.has('512x512')).toBe(true)
  const worker = await request.get('/day-worker.js')
  expect(worker.headers()['content-type']).toContain('javascript')
  // Chromium reports nothing that prevents the installation.
  const client = await page.context().newCDPSession(page)
  const { installabilityErrors } = await client.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})

test('the dashboard’s rows open their appointments, and requests to cancel are counted and one press away', async ({
  page,
}) => {
  const { appointment } = await practiceOfToday(page)
  await postToApi(
    page.context().request,
    `/api/public/appointments/${appointment.id}/cancellation-request`,
    {},
  )
  await page.goto('/dashboard')
  const row = page.getByRole('article', { name: 'Ada Lovelace' })
  await row.getByRole('button', { name: 'Ada Lovelace', exact: true }).click()
  const details = page.getByRole('dialog', { name: 'Appointment' })
  await expect(details.getByText('Booking reference')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: '1 cancellation request to review' }).click()
  const requests = page.getByRole('dialog', { name: 'Cancellation requests' })
  await expectNoAxeFindings(page)
  await requests.getByRole('button', { name: 'Deny' }).click()
  await expect(requests.getByText('You’ve answered every request.')).toBeVisible()
})

test('a calendar is renamed, coloured and described anew, and keeps its booking link', {
  tag: '@slow',
}, async ({ page }) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page, { name: `Typo Practise ${Date.now()}` })
  await page.goto(`/calendar/${calendar.id}/settings?tab=general`)
  const form = page.getByRole('form', { name: 'Name and look' })
  await form.getByLabel('Name').fill('Harbour Practice')
  await form.getByLabel('Description').fill('By the sea.')
  await form.getByRole('radio', { name: 'Teal' }).check({ force: true })
  await form.getByRole('switch', { name: 'Ask for an appointment title' }).click()
  await form.getByLabel('Default title').fill('Session at {{calendar_name}}')
  await form.getByRole('button', { name: 'Save calendar' }).click()
  await expect(page.getByText('Calendar updated successfully')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Harbour Practice')
  await page.goto(`/book/${calendar.slug}`)
  await expect(page.getByText('By the sea.')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Session at Harbour Practice')
})

test('an abandoned checkout leaves no row among the payments', { tag: '@slow' }, async ({
  page,
  newVisitor,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await connectStripe(page, calendar)
  const priced = { name: 'Massage', duration: 45, price: 45, payment_required: true }
  const type = await createAppointmentType(page, calendar, priced)
  const visitor = await newVisitor()
  const { url } = await postToApi<{ url: string }>(
    visitor.context().request,
    `/api/public/calendars/${calendar.slug}/checkouts`,
    {
      appointment_type_id: type.id,
      starts_at: toInstant(nextTuesday(), '12:00'),
      time_zone: 'Europe/London',
      customer: { name: 'Alan Turing', email: makePerson('Alan Turing').email },
      provider: 'stripe',
    },
  )
  await page.goto(`/calendar/${calendar.id}/settings?tab=transactions`)
  await expect(page.getByText('Alan Turing')).toBeVisible()
  await visitor.goto(url)
  await visitor.getByRole('link', { name: 'Back' }).click()
  await expect(visitor).toHaveURL(/transaction_id=/)
  await expect(visitor.getByText('You weren’t charged, and we’re no longer holding your time.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('No Transactions Yet')).toBeVisible()
})

/** Creates a calendar with an appointment in half an hour, whose type has a price and a place. */
async function practiceOfToday(page: Page) {
  await signUp(page, makePerson('Ida Berg'))
  const calendar: Calendar = await createCalendar(page, { timezone: placeOfToday() })
  const { request } = page.context()
  await postToApi(request, `/api/calendars/${calendar.id}/locations`, {
    name: 'Harley Street Practice',
    address: '10 Harley Street, London',
    type: 'physical',
    shareable: false,
  })
  await connectStripe(page, calendar)
  const type = await createAppointmentType(page, calendar, { name: 'Massage', duration: 45, price: 45 })
  const customer = makePerson('Ada Lovelace')
  const appointment = await postToApi<{ id: string }>(request, `/api/calendars/${calendar.id}/appointments`, {
    appointment_type_id: type.id,
    starts_at: soon(),
    title: 'My left knee',
    customer: { name: customer.name, email: customer.email, phone: '+44 20 7946 0958' },
    outside_hours: true,
    notify_customer: true,
  })
  return { calendar, customer, appointment }
}

/** Returns the time half an hour from now, rounded up to the next minute. */
function soon(): string {
  return new Date(Math.ceil(Date.now() / MINUTE_MS + 30) * MINUTE_MS).toISOString()
}

/**
 * Returns a time zone in which today lasts for at least another hour: London, or Tokyo during London's last hour before midnight.
 */
function placeOfToday(): string {
  const hasAnHour = (timeZone: string) =>
    localDateOf(Date.now(), timeZone) === localDateOf(Date.now() + HOUR_MS, timeZone)
  return hasAnHour('Europe/London') ? 'Europe/London' : 'Asia/Tokyo'
}

async function signOut(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'More' })
  if (await more.isVisible()) await more.click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/$/)
}

/** Lists the paths of everything that the service worker has cached. */
function listKept(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys()
    const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return lists.flat().map(({ url }) => new URL(url).pathname)
  })
}
