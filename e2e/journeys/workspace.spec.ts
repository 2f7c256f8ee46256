import type { Page } from '@playwright/test'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { openAppointment } from '#e2e/support/open-appointment.ts'
import { openDemo } from '#e2e/support/open-demo.ts'
import {
  bookAppointment,
  buyProfessionalPlan,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { settingsList, showSettingsTab } from '#e2e/support/settings-list.ts'
import { expect, test } from '#e2e/support/test.ts'
import { expectToastCoversNothing } from '#e2e/support/toast-strip.ts'

const ENTRIES = ['Today', 'Appointments', 'Customers', 'Dashboard', 'Insights', 'Profile']
const FOOT = ['Home', 'Pricing']
const SETTINGS = [
  ['General', 'Availability', 'Appointments', 'Appointment Types', 'Activity'],
  ['Integrations', 'Payments', 'Transactions', 'Insights'],
  ['Reminders', 'Locations', 'Domains', 'Branding'],
]

/** Twice the default text size of browsers, in CSS pixels. */
const LARGE_TEXT = 32

test('an owner’s pages have a sidebar, or on a phone a bar, and no header and footer of the site', async ({
  page,
  isMobile,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await page.goto('/dashboard')
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(page.getByRole('contentinfo')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Get Started' })).toHaveCount(0)
  if (isMobile) {
    await expect(main.getByRole('link')).toHaveText(ENTRIES.slice(0, 4))
    await main.getByRole('button', { name: 'More' }).click()
    const more = page.getByRole('dialog', { name: 'More' })
    await expect(more.getByRole('link')).toHaveText([...ENTRIES.slice(4), calendar.name, ...FOOT])
    await expect(more.getByRole('button', { name: /^Theme/ })).toBeVisible()
    await expect(more.getByRole('button', { name: 'Sign Out' })).toBeVisible()
    await expectNoAxeFindings(page)
    // Without an open sheet, the page still follows the system's theme.
    await page.goBack()
    await expect(more).toBeHidden()
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(theme).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(theme).toBe('light')
  } else {
    await expect(main.getByRole('link')).toHaveText([...ENTRIES, calendar.name, ...FOOT])
    await expect(main.getByRole('button', { name: /^Theme/ })).toBeInViewport()
    await expect(main.getByRole('button', { name: 'Sign Out' })).toBeInViewport()
    expect((await page.getByRole('banner').boundingBox())?.width).toBe(240)
  }
})

test('each entry leads to its page and is marked there, with one calendar and with several', async ({
  page,
  isMobile,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  await page.goto('/customers')
  await expect(page.getByText("You haven't created any calendars yet.")).toBeVisible()
  await buyProfessionalPlan(page)
  const first = await createCalendar(page, { name: 'Morning Practice' })
  await bookAppointment(page.request, first, {
    startsAt: toInstant(nextTuesday(), '10:00'),
    person: makePerson('Ada Lovelace'),
  })
  for (const calendars of ['one', 'two']) {
    if (calendars === 'two') await bookInSecondCalendar(page)
    await page.goto('/dashboard')
    for (const name of ENTRIES) {
      await openEntry(page, name, isMobile)
      await expect(page).toHaveURL(new RegExp(`/${name.toLowerCase()}$`))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByText(/^Loading .*\.\.\.$/)).toHaveCount(0)
      const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
      if (!isMobile || ENTRIES.indexOf(name) < 4) await expect(entry).toHaveAttribute('aria-current', 'page')
      await expectNoAxeFindings(page)
    }
  }
  // The page begins with all calendars, with the week or on a phone with the day, and has a choice of the calendar.
  await openEntry(page, 'Appointments', isMobile)
  const shown = page.getByRole('button', { name: isMobile ? 'Day' : 'Week', exact: true })
  await expect(shown).toHaveAttribute('aria-pressed', 'true')
  await page.goto(`/appointments?view=${isMobile ? 'day' : 'week'}&date=${nextTuesday()}`)
  await expect(page.getByRole('list', { name: 'Calendars' }).getByRole('listitem')).toHaveText([
    'Morning Practice',
    'Evening Practice',
  ])
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: /Ben Okafor.*Evening Practice/ }).click()
  const opened = page.getByRole('dialog', { name: 'Appointment' })
  await expect(opened.getByText('Ben Okafor')).toBeVisible()
  await page.reload()
  await expect(opened.getByText('Ben Okafor')).toBeVisible()
  await page.goBack()
  await expect(opened).toBeHidden()
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await expect(page.getByRole('article', { name: /Ben Okafor/ })).toContainText('Evening Practice')
  await expect(page.getByText('Ada Lovelace')).toBeVisible()
  const choice = page.getByRole('combobox', { name: 'Calendar' })
  await choice.click()
  await page.getByRole('option', { name: 'Evening Practice' }).click()
  await expect(page.getByText('Ada Lovelace')).toBeHidden()
  await expect(page.getByRole('article', { name: /Ben Okafor/ })).toBeVisible()
  await expect(page).toHaveURL(/\/appointments\?.*\bcalendar=/)
  await choice.click()
  await page.getByRole('option', { name: 'All calendars' }).click()
  await expect(page.getByText('Ada Lovelace')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Ada Lovelace')).toBeHidden()
  await page.goto('/customers')
  const ada = page.getByRole('listitem').filter({ hasText: 'Ada Lovelace' })
  await expect(ada).toContainText('Morning Practice')
  await choice.click()
  await page.getByRole('option', { name: 'Evening Practice' }).click()
  await expect(ada).toBeHidden()
  await expect(page.getByRole('listitem').filter({ hasText: 'Ben Okafor' })).toBeVisible()
  await page.goBack()
  await ada.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()
  const customers = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Customers' })
  await expect(customers).toHaveAttribute('aria-current', 'true')
})

test('the sidebar begins at 1,024 px, collapses to icons, and stays so', async ({ page, isMobile }) => {
  test.skip(isMobile, 'a phone has no sidebar')
  await signUp(page, makePerson('Ida Berg'))
  await page.goto('/profile')
  const sidebar = page.getByRole('banner')
  for (const [width, isWide] of [
    [1023, false],
    [1024, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await expect(page.getByRole('button', { name: 'More' })).toBeVisible({ visible: !isWide })
    await expect(sidebar).toBeVisible({ visible: isWide })
  }
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  expect((await sidebar.boundingBox())?.width).toBeLessThan(80)
  await expectNoAxeFindings(page)
  await page.reload()
  const expand = page.getByRole('button', { name: 'Expand sidebar' })
  await expect(expand).toHaveAttribute('aria-expanded', 'false')
  await sidebar.getByRole('link', { name: 'Today', exact: true }).click()
  await expect(page).toHaveURL(/\/today$/)
  await expand.click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Collapse sidebar' })).toBeVisible()
  expect((await sidebar.boundingBox())?.width).toBe(240)
})

test('the keyboard skips the sidebar, follows its entries, and reading goes on in the page', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'a phone has no keyboard')
  await signUp(page, makePerson('Ida Berg'))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The skip link and the button that collapses the sidebar come before the entries.
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Appointments' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/appointments$/)
  // The next stop is in the page and not in the sidebar again.
  const first = page.getByRole('main').getByRole('link', { name: 'Go to the dashboard' })
  await expect(first).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(first).toBeFocused()
})

test('More closes by Escape, by its button, by Back and by going on', { tag: '@phone' }, async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 667 })
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await page.goto('/today')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  const button = page.getByRole('button', { name: 'More' })
  const sheet = page.getByRole('dialog', { name: 'More' })
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => sheet.getByRole('button', { name: 'Close' }).click(),
    () => page.goBack(),
  ]) {
    await button.click()
    await expect(sheet).toBeVisible()
    await close()
    await expect(sheet).toBeHidden()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(button).toBeFocused()
  }
  await button.click()
  await sheet.getByRole('link', { name: 'Profile' }).click()
  await expect(page).toHaveURL(/\/profile$/)
  await expect(sheet).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(sheet).toBeHidden()
  await button.click()
  await sheet.getByRole('link', { name: calendar.name }).click()
  await expect(page.getByRole('heading', { level: 1, name: calendar.name })).toBeVisible()
  await button.click()
  await sheet.getByRole('link', { name: 'Pricing' }).click()
  await expect(page).toHaveURL(/\/pricing$/)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: calendar.name })).toBeVisible()
  await expect(sheet).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the bar covers nothing: not the end of a page, a focused field or a message, also with large text', {
  tag: '@phone',
}, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await bookAppointment(page.request, calendar, {
    startsAt: toInstant(nextTuesday(), '12:00'),
    person: makePerson('Ben Okafor'),
  })
  await test.step('in the middle of a page a message covers nothing, beside the full sidebar and beside its icons', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`/calendar/${calendar.id}/settings?tab=availability`)
    await page.getByRole('button', { name: 'Remove Wednesday 9:00 AM – 5:00 PM' }).click()
    await expect(page.getByText('Availability removed')).toBeVisible()
    await expectToastCoversNothing(page)
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    await page.getByRole('button', { name: 'Remove Thursday 9:00 AM – 5:00 PM' }).click()
    await expectToastCoversNothing(page)
  })
  for (const width of [375, 320]) {
    await page.setViewportSize({ width, height: 667 })
    if (width === 320) {
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Page.setFontSizes', { fontSizes: { standard: LARGE_TEXT, fixed: LARGE_TEXT } })
    }
    await page.goto(`/calendar/${calendar.id}/settings?tab=general`)
    const last = page.getByRole('button', { name: 'Delete Calendar' })
    await last.focus()
    await expect.poll(() => isAboveBar(page, 'button:focus')).toBe(true)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect.poll(() => isAboveBar(page, 'main')).toBe(true)
    await page.goto(`/calendar/${calendar.id}/settings`)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await expect(page.getByText('Copied to clipboard!').first()).toBeVisible()
    await expectToastCoversNothing(page)
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(beyond).toBeLessThanOrEqual(0)
    for (const entry of await page.getByRole('navigation', { name: 'Main' }).locator('a, button').all()) {
      const box = await entry.boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(44)
      expect(box?.width).toBeGreaterThanOrEqual(44)
    }
    await page.goto('/appointments?view=list')
    await (await openAppointment(page, 'Ben Okafor')).getByRole('button', { name: /^Copy/ }).first().click()
    await expect(page.locator('[data-toaster] .toast')).toBeVisible()
    await expectToastCoversNothing(page)
  }
  await page.keyboard.press('Escape')
  // Five labels do not fit in 320 px at 200 %, so More has the other entries in words.
  await page.getByRole('button', { name: 'More' }).click()
  const more = page.getByRole('dialog', { name: 'More' })
  await more.getByRole('link', { name: 'Appointments' }).click()
  await expect(page).toHaveURL(/\/appointments$/)
})

test('all tabs of the settings are in sight beside the chosen one', async ({ page, isMobile }) => {
  test.skip(isMobile, 'on a phone, the list is a page of its own')
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await page.goto(`/calendar/${calendar.id}/settings`)
  const list = settingsList(page)
  for (const size of [
    { width: 1280, height: 800 },
    { width: 1024, height: 768 },
  ]) {
    await page.setViewportSize(size)
    await expect(list.getByRole('heading')).toHaveText(['Calendar', 'Connections', 'For customers'])
    await expect(list.getByRole('link')).toHaveText(SETTINGS.flat())
    for (const name of SETTINGS.flat()) {
      await expect(list.getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 })
    }
  }
  // Beside the list, the sidebar leaves its room to the tab until the owner expands it.
  await expect(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(list).toBeHidden()
})

test('no tab scrolls sideways at 1,024 px beside the full sidebar, with half a year of data', {
  tag: '@slow',
}, async ({ page, isMobile }) => {
  test.skip(isMobile, 'a phone has no sidebar')
  await page.setViewportSize({ width: 1024, height: 768 })
  await openDemo(page)
  await page.getByRole('button', { name: 'Expand sidebar' }).click()
  for (const name of SETTINGS.flat()) {
    await showSettingsTab(page, name)
    await expect(settingsList(page).getByRole('link', { name, exact: true })).toBeFocused()
    await expect(page.getByText(/^Loading .*\.\.\.$/)).toHaveCount(0)
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(beyond, name).toBeLessThanOrEqual(0)
  }
})

test('on a phone the list of settings is a page, and each tab a page with a way back', {
  tag: '@phone',
}, async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 667 })
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Manage' }).click()
  const list = settingsList(page)
  await expect(list.getByRole('link')).toHaveText(SETTINGS.flat())
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toBeVisible()
  await expectNoAxeFindings(page)

  await list.getByRole('link', { name: 'Domains' }).click()
  await expect(page.getByRole('region', { name: 'Domains' })).toBeVisible()
  await expect(list).toBeHidden()
  await expect(page).toHaveURL(/settings\?tab=domains$/)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await expectNoAxeFindings(page)
  await page.goBack()
  await expect(list).toBeVisible()

  // What is typed on a tab survives a look at another one, by the bar and by the list.
  await list.getByRole('link', { name: 'Reminders' }).click()
  await page.getByLabel('Subject').fill('Until tomorrow')
  await page.getByRole('link', { name: 'All settings' }).click()
  await list.getByRole('link', { name: 'Reminders' }).click()
  await expect(page.getByText('You have unsaved changes')).toBeVisible()
  await page.getByRole('link', { name: 'Today', exact: true }).click()
  await expect(page).toHaveURL(/\/today$/)
  await page.goBack()
  await expect(page.getByLabel('Subject')).toHaveValue('Until tomorrow')
  await expect(page.getByText('You have unsaved changes')).toBeVisible()
  // A link from elsewhere opens its tab at once.
  await page.goto(`/calendar/${calendar.id}/settings?tab=branding`)
  await expect(page.getByRole('region', { name: 'Branding' })).toBeVisible()
})

async function openEntry(page: Page, name: string, isMobile: boolean): Promise<void> {
  const main = page.getByRole('navigation', { name: 'Main' })
  if (!isMobile || ENTRIES.indexOf(name) < 4) {
    await main.getByRole('link', { name, exact: true }).click()
    return
  }
  await main.getByRole('button', { name: 'More' }).click()
  await page.getByRole('dialog', { name: 'More' }).getByRole('link', { name, exact: true }).click()
}

/** True when the element ends above the bar at the lower edge. */
function isAboveBar(page: Page, selector: string): Promise<boolean> {
  return page.evaluate((css) => {
    const bar = document.querySelector('[data-bottom-bar]')?.getBoundingClientRect()
    const element = document.querySelector(css)?.getBoundingClientRect()
    return bar !== undefined && element !== undefined && element.bottom <= bar.top + 1
  }, selector)
}

/** Creates a second calendar with an appointment on the same day as that of the first. */
async function bookInSecondCalendar(page: Page): Promise<void> {
  const calendar = await createCalendar(page, { name: 'Evening Practice' })
  await bookAppointment(page.request, calendar, {
    startsAt: toInstant(nextTuesday(), '12:00'),
    person: makePerson('Ben Okafor'),
  })
}
