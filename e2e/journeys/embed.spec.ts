import type { FrameLocator, Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { connectStripe } from '#e2e/support/connect.ts'
import { serverUrl } from '#e2e/support/environment.ts'
import { startEmbeddingSite } from '#e2e/support/host-site.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import {
  buyProfessionalPlan,
  createAppointmentType,
  createCalendar,
  makePerson,
  type Person,
  signUp,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'
import { findBrowser } from '#tests/support/find-browser.ts'

// Uses the full Chromium, because the headless shell cannot block third-party storage. With this flag, an iframe of another site
// can store nothing.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const args = [...(launchOptions.args ?? []), '--headless=new', '--test-third-party-cookie-phaseout']
    await use({ ...launchOptions, executablePath: findBrowser('whole'), args })
  },
})

test('a customer books in the page of a website, which is told and keeps its looks', async ({
  page,
  newVisitor,
}) => {
  const calendar = await practice(await newVisitor())
  const customer = makePerson('Alan Turing')
  const site = await startEmbeddingSite(hostPage(link(calendar, 'inline'), 'background:#fff'))
  try {
    await page.goto(site.origin)
    const frame = bookingIn(page)
    await expect(frame.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(frame.locator('html')).toHaveAttribute('data-theme', 'light')
    await expect(frame.getByRole('link', { name: 'Home' })).toHaveCount(0)
    await expectWholeHeight(page)
    await expectNoAxeFindings(page)

    await book(frame, customer)
    await expect(frame.getByRole('heading', { name: 'Booking Confirmed!' })).toBeInViewport()
    await expectWholeHeight(page)
    await waitForMail({ to: customer.email, subject: 'Booking confirmed' })
    expect(await toldEvents(page)).toEqual([
      { type: 'meridian:ready', detail: { url: bookingUrl(calendar) } },
      { type: 'meridian:booked', detail: { url: bookingUrl(calendar) } },
    ])
    const entry = page.waitForEvent('download')
    await frame.getByRole('group', { name: 'Add to calendar' }).getByRole('link', { name: 'File' }).click()
    expect((await entry).suggestedFilename()).toBe('appointment.ics')
    // The browser refuses to store data for Meridian inside an iframe, and stores it for the same page in its own tab.
    expect(await frame.locator('html').evaluate(tryToKeep)).toBe('cookie: , storage: denied')
    expect(await page.context().cookies()).toEqual([])
    const ownTab = await page.context().newPage()
    await ownTab.goto(bookingUrl(calendar))
    expect(await ownTab.evaluate(tryToKeep)).toBe('cookie: probe=1, storage: allowed')
    await page.context().clearCookies()
    await ownTab.close()

    // Booking again stays inside the iframe; links to any other page open outside it.
    await frame.getByRole('button', { name: 'Make Another Booking' }).click()
    await expect(frame.getByText('Select a Date & Time')).toBeVisible()
    const tab = page.waitForEvent('popup')
    await frame.getByRole('link', { name: 'Privacy' }).click()
    await expect((await tab).getByRole('heading', { level: 1, name: /Privacy/ })).toBeVisible()
  } finally {
    await site.stop()
  }
})

test('the frame is dark on a dark page, follows it, and paints no box', { tag: '@slow' }, async ({
  page,
  newVisitor,
}) => {
  const calendar = await practice(await newVisitor())
  const site = await startEmbeddingSite(hostPage(link(calendar, 'inline'), 'background:#101820;color:#fff'))
  try {
    await page.goto(site.origin)
    const html = bookingIn(page).locator('html')
    await expect(html).toHaveAttribute('data-theme', 'dark')
    await expect(html).toHaveCSS('color-scheme', 'dark')
    await expect(html).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
    await expect(page.locator('iframe')).toHaveCSS('color-scheme', 'dark')
    await expect(bookingIn(page).getByRole('heading', { level: 1 })).toBeVisible()
    expect(await colorBeside(page)).toBe('rgb(16,24,32)')

    await page.evaluate(() => document.body.setAttribute('style', 'background:#fff'))
    await expect(html).toHaveAttribute('data-theme', 'light')
    await expect(page.locator('iframe')).toHaveCSS('color-scheme', 'light')
    await expect.poll(() => colorBeside(page)).toBe('rgb(255,255,255)')
  } finally {
    await site.stop()
  }
})

test('a button opens a window that keeps the focus and what was typed, and Escape closes it', {
  tag: '@slow',
}, async ({ page, newVisitor }) => {
  const calendar = await practice(await newVisitor())
  const body = `${link(calendar, 'button')}<p style="height:3000px">Long</p>${link(calendar, 'float')}`
  const site = await startEmbeddingSite(hostPage(body, ''))
  try {
    await page.goto(site.origin)
    await expect(page.locator('iframe')).toHaveCount(0)
    const [button, float] = [page.getByRole('link').first(), page.getByRole('link').last()]
    await expect(float).toBeInViewport()
    await button.click()
    const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
    const frame = bookingIn(page)
    await frame.getByLabel('Full Name').fill('Ada Lovelace')
    await expect(page.locator('html')).toHaveCSS('overflow', 'hidden')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(button).toBeFocused()
    await expect(page.locator('html')).toHaveCSS('overflow', 'visible')

    await page.keyboard.press('Enter')
    await expect(frame.getByLabel('Full Name')).toHaveValue('Ada Lovelace')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toBeHidden()

    await float.click()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await expect
      .poll(async () => (await toldEvents(page)).map(({ type }) => type))
      .toEqual(['meridian:ready', 'meridian:closed', 'meridian:closed', 'meridian:ready'])
  } finally {
    await site.stop()
  }
})

test('a payment leaves the frame, and the customer comes back to the booking’s own page', async ({
  page,
  newVisitor,
}) => {
  const ownerPage = await newVisitor()
  await ownerPage.context().request.post('/api/auth/sign-in', {
    data: { email: 'demo@example.com', password: 'meridian-demo' },
  })
  const calendar = await createCalendar(ownerPage)
  await connectStripe(ownerPage, calendar)
  await createAppointmentType(ownerPage, calendar, { name: 'Massage', duration: 30, price: 45 })
  const site = await startEmbeddingSite(hostPage(link(calendar, 'inline'), ''))
  try {
    await page.goto(site.origin)
    const frame = bookingIn(page)
    await fill(frame, makePerson('Ada Lovelace'))
    await frame.getByRole('button', { name: 'Pay Now' }).click()
    const card = frame.getByRole('button', { name: 'Credit Card', exact: true })
    if (await card.isVisible()) await card.click()
    // The payment provider's page replaces the whole tab, not only the iframe.
    await page.waitForURL(/\/c\/pay\//)
    await page.getByRole('button', { name: /^Pay/ }).first().click()
    await page.waitForURL(`${serverUrl()}/payment-success*`)
    await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  } finally {
    await site.stop()
  }
})

test('a website that is not on the list cannot show the page, and has the link instead', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  allowConsole(/frame-ancestors|ERR_BLOCKED_BY_RESPONSE/)
  const ownerPage = await newVisitor()
  const calendar = await practice(ownerPage)
  const site = await startEmbeddingSite(hostPage(link(calendar, 'inline'), ''))
  try {
    await ownerPage.goto(`/calendar/${calendar.id}/settings`)
    await ownerPage.getByRole('button', { name: 'Add to website' }).click()
    await expect(ownerPage.getByText(link(calendar, 'inline'))).toBeVisible()
    const preview = ownerPage.frameLocator('iframe[title^=Preview]')
    await expect(preview.frameLocator('iframe').getByRole('heading', { level: 1 })).toBeVisible()
    await nameSites(ownerPage, 'www.example.com')
    // The owner's own pages may always embed the booking page.
    await ownerPage.getByRole('radio', { name: 'Button', exact: true }).check()
    await preview.getByRole('link', { name: 'Book an appointment' }).click()
    await expect(preview.frameLocator('iframe').getByRole('heading', { level: 1 })).toBeVisible()
    await page.goto(site.origin)
    const fallback = page.getByRole('link', { name: 'Book an appointment' })
    await expect(fallback).toBeVisible({ timeout: 15_000 })
    await expect(page.locator('iframe')).toHaveCount(0)

    await nameSites(ownerPage, `www.example.com\n${site.origin}/`)
    await page.reload()
    await expect(bookingIn(page).getByRole('heading', { level: 1 })).toBeVisible()
    await expect(fallback).toBeHidden()
  } finally {
    await site.stop()
  }
})

test('the page without its own design stays in the frame (rule K8)', { tag: '@slow' }, async ({
  page,
  newVisitor,
}) => {
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  await buyProfessionalPlan(ownerPage)
  const calendar = await createCalendar(ownerPage)
  const saved = await ownerPage.request.patch(`/api/calendars/${calendar.id}/branding`, {
    data: { custom_css: 'h1 { color: rgb(1 2 3) }' },
  })
  expect(saved.status(), await saved.text()).toBe(200)
  const site = await startEmbeddingSite(hostPage(link(calendar, 'inline'), 'background:#fff'))
  try {
    await page.goto(site.origin)
    const heading = bookingIn(page).getByRole('heading', { level: 1 })
    await expect(heading).toHaveCSS('color', 'rgb(1, 2, 3)')
    await bookingIn(page).getByRole('link', { name: 'View without custom design' }).click()
    await expect(heading).not.toHaveCSS('color', 'rgb(1, 2, 3)')
    await expectWholeHeight(page)
    expect(page.context().pages()).toHaveLength(1)
  } finally {
    await site.stop()
  }
})

test('the script may come late, twice and before its link', { tag: '@slow' }, async ({
  page,
  newVisitor,
}) => {
  const calendar = await practice(await newVisitor())
  const script = `<script src="${serverUrl()}/embed.js"></script>`
  const html = `<!doctype html><title>Site</title>${script}${script}<body><main></main>`
  const site = await startEmbeddingSite(html)
  try {
    await page.goto(site.origin)
    await page.evaluate(
      (text) => {
        document.querySelector('main')?.insertAdjacentHTML('beforeend', text)
      },
      link(calendar, 'inline'),
    )
    await expect(bookingIn(page).getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate((url) => {
      document.head.append(Object.assign(document.createElement('script'), { src: url }))
    }, `${serverUrl()}/embed.js`)
    await page.waitForLoadState('networkidle')
    await expect(page.locator('iframe')).toHaveCount(1)
  } finally {
    await site.stop()
  }
})

function tryToKeep(): string {
  // biome-ignore lint/suspicious/noDocumentCookie: this tests how the browser handles document.cookie
  document.cookie = 'probe=1; SameSite=None; Secure'
  let storage = 'allowed'
  try {
    localStorage.getItem('probe')
  } catch {
    storage = 'denied'
  }
  return `cookie: ${document.cookie}, storage: ${storage}`
}

function bookingUrl({ slug }: Calendar): string {
  return `${serverUrl()}/book/${slug}`
}

/** Returns the embed link that the calendar's settings offer. */
function link(calendar: Calendar, form: 'inline' | 'button' | 'float'): string {
  const look = form === 'inline' ? '' : ` data-color="${calendar.color}"`
  return `<a href="${bookingUrl(calendar)}" data-meridian="${form}"${look}>Book an appointment</a>`
}

/** Returns a page of another website that embeds Meridian and records the events it receives. */
function hostPage(body: string, style: string): string {
  return `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>A practice</title>
<script>
told = []
for (const type of ['ready', 'booked', 'closed'])
  addEventListener('meridian:' + type, ({ type, detail }) => told.push({ type, detail }))
</script>
<script src="${serverUrl()}/embed.js" async></script></head>
<body style="${style}"><main><h1>Our practice</h1>${body}</main></body></html>`
}

function bookingIn(page: Page): FrameLocator {
  return page.frameLocator('iframe')
}

async function toldEvents(page: Page): Promise<{ type: string; detail: unknown }[]> {
  return page.evaluate(() => (window as unknown as { told: { type: string; detail: unknown }[] }).told) // set by `hostPage`
}

/** Waits until the iframe is as high as its content, so that the page scrolls and not the frame. */
async function expectWholeHeight(page: Page): Promise<void> {
  const inside = bookingIn(page).locator('html')
  await expect
    .poll(async () => {
      const height = await page.locator('iframe').evaluate((frame) => frame.getBoundingClientRect().height)
      return height - (await inside.evaluate((html) => html.scrollHeight))
    })
    .toBe(0)
  expect(await inside.evaluate((html) => html.scrollWidth - html.clientWidth)).toBe(0)
}

/** Returns the colour at the iframe's lower left corner, where the booking page draws nothing of its own. */
async function colorBeside(page: Page): Promise<string> {
  const box = await page.locator('iframe').boundingBox()
  if (box === null) throw new Error('the frame has no box')
  await page.evaluate((top) => scrollTo(0, top), box.y)
  const moved = await page.locator('iframe').boundingBox()
  const clip = { x: (moved?.x ?? 0) + 1, y: (moved?.y ?? 0) + 1, width: 1, height: 1 }
  const picture = await page.screenshot({ clip, scale: 'css' })
  return page.evaluate(async (base64) => {
    const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob()
    const bitmap = await createImageBitmap(blob)
    const context = new OffscreenCanvas(1, 1).getContext('2d')
    context?.drawImage(bitmap, 0, 0)
    return `rgb(${[...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3).join(',')})`
  }, picture.toString('base64'))
}

async function practice(ownerPage: Page): Promise<Calendar> {
  await signUp(ownerPage, makePerson('Ida Berg'))
  return createCalendar(ownerPage)
}

/** Chooses the first free time and fills in the customer. */
async function fill(frame: FrameLocator, customer: Person): Promise<void> {
  await frame
    .getByRole('group', { name: /^Next: / })
    .getByRole('button')
    .first()
    .click()
  await frame.getByLabel('Full Name').fill(customer.name)
  await frame.getByLabel('Email Address').fill(customer.email)
  await frame
    .locator('html')
    .evaluate(() => new Promise((resolve) => setTimeout(resolve, Math.max(0, 1_600 - performance.now()))))
}

async function book(frame: FrameLocator, customer: Person): Promise<void> {
  await fill(frame, customer)
  await frame.getByRole('button', { name: 'Book appointment' }).click()
}

async function nameSites(ownerPage: Page, sites: string): Promise<void> {
  const form = ownerPage.getByRole('form', { name: 'Websites that can show your booking page' })
  await form.getByText('Only these websites').click()
  await form.getByLabel('Websites', { exact: true }).fill(sites)
  await form.getByRole('button', { name: 'Save websites' }).click()
  await expect(ownerPage.getByText('Websites saved').first()).toBeVisible()
}
