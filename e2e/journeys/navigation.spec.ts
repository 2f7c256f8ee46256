import type { Page } from '@playwright/test'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { fillRegistrationForm, makePerson, signUp } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

const EVERYBODY = ['Home', 'Pricing', 'About', 'Contact']
const VISITOR = [...EVERYBODY, 'Login', 'Get Started']
const OWNER = [...EVERYBODY, 'Dashboard', 'Profile']
/** The script file of the pages around signing in. */
const LOGIN_PART = '**/assets/session-page-*.js'

test('a visitor finds the way in, in the head and at the foot, on the site and at the login', {
  tag: '@slow',
}, async ({ page }) => {
  for (const path of ['/', '/login']) {
    await page.goto(path)
    // Wait until the session has loaded.
    await expectFoot(page, VISITOR)
    expect(await linksOf(page)).toEqual(VISITOR)
  }
})

test('an owner finds their pages and the way out instead', async ({ page }) => {
  await signUp(page, makePerson('Ida Berg'))
  await page.goto('/')
  await expectFoot(page, OWNER)
  expect(await linksOf(page)).toEqual(OWNER)
})

test('the links stand in the bar from 768 px on, and behind a button below that', { tag: '@slow' }, async ({
  page,
}) => {
  await page.goto('/')
  await expectFoot(page, VISITOR)
  const [link, menu] = [
    page.locator('header').getByRole('link', { name: 'Pricing' }),
    page.getByRole('button', { name: 'Open menu' }),
  ]
  for (const [width, isWide] of [
    [767, false],
    [768, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await expect(link.filter({ visible: true })).toHaveCount(isWide ? 1 : 0)
    await expect(menu).toBeVisible({ visible: !isWide })
  }
})

test('View Demo leads to the dashboard, with a login that anybody may use', { tag: '@slow' }, async ({
  page,
}) => {
  await page.goto('/')
  await expectFoot(page, VISITOR)
  await page.getByRole('link', { name: 'View Demo' }).click()
  await expect(page).toHaveURL(/\/login\?redirect=%2Fdashboard$/)
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Log in to the demo' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { name: 'Welcome, Amara' })).toBeVisible()
  // The first press after a login works, and the navigation marks the current page.
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(main.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page')
  await main.getByRole('link', { name: 'Today' }).click()
  await expect(main.getByRole('link', { name: 'Today' })).toHaveAttribute('aria-current', 'page')
})

test('on a booking page there is a link home and the theme, and nothing else', { tag: '@phone' }, async ({
  page,
}) => {
  await page.goto('/book/demo')
  const head = page.getByRole('navigation', { name: 'Main' })
  await expect(head.getByRole('link')).toHaveText(['Home'])
  await expect(head.getByRole('button')).toHaveCount(1)
  await expect(head.getByRole('button', { name: /^Theme/ })).toBeVisible()
})

test('a sign-out in one tab is noticed in the others, on the site and at the login', async ({
  page,
  allowConsole,
}) => {
  allowConsole(/401/)
  await signUp(page, makePerson('Ida Berg'))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const [site, app] = [await page.context().newPage(), await page.context().newPage()]
  await site.goto('/pricing')
  await app.goto('/profile?tab=security')
  await expectFoot(site, OWNER)
  await page.bringToFront()
  const more = page.getByRole('button', { name: 'More' })
  if (await more.isVisible()) await more.click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expectFoot(site, VISITOR)
  await expect(app).toHaveURL(/\/login\?redirect=/)
})

test('public pages take each other’s place without a document being loaded, there and back', {
  tag: '@slow',
}, async ({ page }) => {
  await page.goto('/')
  await expectFoot(page, VISITOR)
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await followHead(page, 'Pricing')
  await expectShown(page, { path: '/pricing', title: 'Pricing · Meridian' })
  await expect(page.getByRole('navigation', { name: 'Menu' })).toBeHidden()
  await page.evaluate(() => scrollTo(0, 300))

  await page.getByRole('navigation', { name: 'Legal' }).getByRole('link', { name: 'Privacy' }).click()
  await expectShown(page, { path: '/privacy', title: 'Privacy · Meridian' })
  expect(await page.evaluate(() => scrollY)).toBe(0)
  // The next Tab starts at the top, as on a freshly loaded page.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused()
  await expectNoAxeFindings(page)

  await page.goBack()
  await expectShown(page, { path: '/pricing', title: 'Pricing · Meridian' })
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200)
  await page.goBack()
  await expectShown(page, { path: '/', title: 'Meridian · Appointment booking for professionals' })
  await page.goForward()
  await expectShown(page, { path: '/pricing', title: 'Pricing · Meridian' })
})

test('back leads to what was there, whatever the address was, and it is said', { tag: '@slow' }, async ({
  page,
  allowConsole,
}) => {
  allowConsole(/404/)
  for (const [path, title, link] of [
    ['/?utm_source=card', 'Meridian · Appointment booking for professionals', 'Pricing'],
    ['/no/such/page', 'Page Not Found · Meridian', 'Pricing'],
  ] as const) {
    await page.goto(path)
    await expectFoot(page, VISITOR)
    const heading = await page.getByRole('heading', { level: 1 }).innerText()
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
    await followHead(page, link)
    await expect(page).toHaveTitle('Pricing · Meridian')
    await expect(page.getByRole('status').filter({ hasText: 'Pricing · Meridian' })).toBeAttached()
    await page.goBack()
    await expect(page).toHaveTitle(title)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path)
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
  }
})

test('what was written to the operator is still there after a look at another page', {
  tag: '@slow',
}, async ({ page }) => {
  await page.goto('/contact')
  await expectFoot(page, VISITOR)
  await page.getByLabel('Message').fill('Do you also book for groups?')
  await page.getByRole('navigation', { name: 'Legal' }).getByRole('link', { name: 'Privacy' }).click()
  await expect(page).toHaveTitle('Privacy · Meridian')
  await page.goBack()
  await expect(page.getByLabel('Message')).toHaveValue('Do you also book for groups?')
})

test('a public page whose part cannot be downloaded is loaded whole', { tag: '@slow' }, async ({
  page,
  allowConsole,
}) => {
  allowConsole(/ERR_FAILED|Failed to fetch dynamically imported module/)
  await page.goto('/')
  await expectFoot(page, VISITOR)
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  const part = '**/assets/information-page-*.js'
  await page.route(part, (route) => route.abort())
  await page.route('**/terms', async (route) => {
    await page.unroute(part)
    await route.continue()
  })
  await page.getByRole('navigation', { name: 'Legal' }).getByRole('link', { name: 'Terms' }).click()
  await expect(page).toHaveURL(/\/terms$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Terms/)
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(false)
})

test('the login takes a public page’s place once it is pointed at, there and back, and loaded again', {
  tag: '@slow',
}, async ({ page }) => {
  await page.goto('/contact')
  await expectFoot(page, VISITOR)
  await page.getByLabel('Message').fill('Do you also book for groups?')
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await pointAtLogin(page)
  await followHead(page, 'Login')
  await expectShown(page, { path: '/login', title: 'Log in · Meridian', isSite: false })
  await expect(page.getByRole('status').filter({ hasText: 'Log in · Meridian' })).toBeAttached()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused()
  await expectNoAxeFindings(page)
  await expectSameStyles(page)

  await page.goBack()
  await expectShown(page, { path: '/contact', title: 'Contact · Meridian' })
  await expect(page.getByLabel('Message')).toHaveValue('Do you also book for groups?')
  await page.goForward()
  await expectShown(page, { path: '/login', title: 'Log in · Meridian', isSite: false })
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expectShown(page, { path: '/register', title: 'Create your account · Meridian', isSite: false })

  // After the reload this is a new document, whose history contains pages of the previous document.
  await page.reload()
  await page.goBack()
  await expect(page).toHaveTitle('Log in · Meridian')
  await page.goBack()
  await expect(page).toHaveTitle('Contact · Meridian')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact')
  await page.goForward()
  await expect(page).toHaveTitle('Log in · Meridian')
  await expect(page.getByLabel(/^Password/)).toBeVisible()

  // An owner's page in the same history belongs to another document, too.
  await page.reload()
  await page.getByRole('button', { name: 'Log in to the demo' }).click()
  await expect(page).toHaveTitle('Dashboard · Meridian')
  await page.goBack()
  await expect(page).toHaveTitle('Contact · Meridian')
  await page.goForward()
  await expect(page).toHaveTitle('Dashboard · Meridian')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Amara')
})

test('who logs in where a public page was is led to a document of their own, and told so there', {
  tag: '@slow',
}, async ({ page }) => {
  const person = makePerson('Ida Berg')
  await signUp(page, person)
  await page.context().clearCookies()
  await page.goto('/pricing')
  await expectFoot(page, VISITOR)
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await pointAtLogin(page)
  await followHead(page, 'Login')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel(/^Password/).fill(person.password)
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
  })
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page).toHaveTitle('Dashboard · Meridian')
  // Check the toast first, because it disappears on its own.
  await expect(page.getByRole('status').filter({ hasText: 'Successfully logged in!' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ida')
  expect(documents).toEqual(['/dashboard'])
  // After a sign-out, a browser may still show a public page to anyone who presses Back, so the dashboard must be a new document.
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(false)

  await page.goBack()
  await expect(page).toHaveTitle('Pricing · Meridian')
  await expectFoot(page, OWNER)
})

test('an answer to a login that somebody has left leads nowhere', { tag: '@slow' }, async ({ page }) => {
  const person = makePerson('Ida Berg')
  await signUp(page, person)
  await page.context().clearCookies()
  await page.goto('/pricing')
  await expectFoot(page, VISITOR)
  await pointAtLogin(page)
  await followHead(page, 'Login')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel(/^Password/).fill(person.password)
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/auth/sign-in', async (route) => {
    await answered
    await route.continue()
  })
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.goBack()
  await expect(page).toHaveTitle('Pricing · Meridian')
  const late = page.waitForResponse('**/api/auth/sign-in')
  answer()
  await late
  await page.waitForLoadState('networkidle')
  await expect(page).toHaveURL(/\/pricing$/)
  await expect(page).toHaveTitle('Pricing · Meridian')
})

test('a login that could not be fetched beforehand is loaded whole', { tag: '@slow' }, async ({
  page,
  allowConsole,
}) => {
  allowConsole(/ERR_FAILED|Failed to fetch dynamically imported module/)
  await page.goto('/')
  await expectFoot(page, VISITOR)
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await page.route(LOGIN_PART, (route) => route.abort())
  await page.route('**/login', async (route) => {
    await page.unroute(LOGIN_PART)
    await route.continue()
  })
  const failed = page.waitForEvent('requestfailed')
  await followHead(page, 'Login')
  await failed
  await expect(page).toHaveTitle('Log in · Meridian')
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(false)
})

test('who opens an account is told at the login what is left to do, in the same document and when it is loaded again', {
  tag: '@slow',
}, async ({ page }) => {
  const person = makePerson('Ida Berg')
  await page.goto('/pricing')
  await expectFoot(page, VISITOR)
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await pointAtLogin(page)
  await followHead(page, 'Login')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await fillRegistrationForm(page, person)
  await expectShown(page, { path: '/login', title: 'Log in · Meridian', isSite: false })
  for (const document of ['the same', 'another']) {
    await expect(page.getByRole('heading', { level: 1, name: 'Almost there' }), document).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(person.email)
    await page.reload()
  }
  await page.goBack()
  await expect(page).toHaveTitle('Create your account · Meridian')
  await page.goForward()
  await expect(page.getByRole('heading', { level: 1, name: 'Almost there' })).toBeVisible()

  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveTitle('Forgot password · Meridian')
  await expect(page.getByLabel('Email')).toHaveValue(person.email)
  await expect(page.getByRole('status').filter({ hasText: 'Enter your email address' })).toBeVisible()
})

test('the theme goes from the system’s to the other one, its own and back, and is kept', {
  tag: '@slow',
}, async ({ page }) => {
  await page.goto('/')
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
  // The first press has a visible effect: on a light system it switches to dark.
  await page.getByRole('button', { name: 'Theme: system. Switch to dark.' }).click()
  await expect.poll(theme).toBe('dark')
  await page.goto('/login')
  await expect.poll(theme).toBe('dark')
  expect(await page.evaluate(() => localStorage.getItem('ui-theme'))).toBe('dark')
  await page.getByRole('button', { name: 'Theme: dark. Switch to light.' }).click()
  await expect.poll(theme).toBe('light')
  await page.getByRole('button', { name: 'Theme: light. Switch to system.' }).click()
  await expect.poll(theme).toBe('light')
})

test('a button that is pressed before the scripts are there is answered once they are', async ({ page }) => {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await arrived
    await route.continue()
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Theme: system. Switch to dark.' }).click()
  expect(await page.evaluate(() => localStorage.getItem('ui-theme'))).toBeNull()
  arrive()
  await expect(page.getByRole('button', { name: 'Theme: dark. Switch to light.' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('ui-theme'))).toBe('dark')
})

test('an address that is no page is shown, with the way home', { tag: '@slow' }, async ({
  page,
  allowConsole,
}) => {
  allowConsole(/404/)
  for (const path of ['/no/such page', '/dashboard/nothing']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Page Not Found' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('code')).toHaveText(path)
  }
  await page.getByRole('link', { name: 'Go Home' }).click()
  await expect(page).toHaveURL(/\/$/)
})

test('a long row of tabs shows that it goes on, and keeps the chosen tab in sight', {
  tag: ['@phone', '@slow'],
}, async ({ page }) => {
  await signUp(page, makePerson('Ida Berg'))
  await page.goto('/profile?tab=notifications')
  const row = page.getByRole('tablist', { name: 'Profile' })
  for (const name of ['Notifications', 'Personal Info', 'Account']) {
    const tab = row.getByRole('tab', { name, exact: true })
    await tab.click()
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    await expect.poll(() => isWhollyIn(page, name)).toBe(true)
  }
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(width).toBeLessThanOrEqual(0)
  await expectNoAxeFindings(page)
})

test('the menu of a narrow screen closes by Escape, by a press elsewhere and by going on', {
  tag: '@phone',
}, async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 740 })
  await page.goto('/pricing')
  await expectFoot(page, VISITOR)
  const menu = page.getByRole('navigation', { name: 'Menu' })
  const button = page.getByRole('button', { name: /menu$/ })
  await button.click()
  await expect(menu).toBeVisible()
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()

  await button.click()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(menu).toBeHidden()

  await button.click()
  await menu.getByRole('link', { name: 'About' }).click()
  await expect(page).toHaveURL(/\/about/)
  await expect(menu).toBeHidden()
  await button.click()
  await page.goBack()
  await expect(page).toHaveURL(/\/pricing/)
  await expect(menu).toBeHidden()
})

/** Hovers over the login link, as a person does before clicking, and waits until the prefetched files have arrived. */
async function pointAtLogin(page: Page): Promise<void> {
  // On a phone, opening the menu already starts the download.
  const fetched = page.waitForResponse(LOGIN_PART)
  await openMenu(page)
  await page.locator('header').getByRole('link', { name: 'Login' }).filter({ visible: true }).hover()
  await fetched
  await page.waitForLoadState('networkidle')
}

/** Checks that the login page looks as it does when loaded on its own: no styles of the previous page remain. */
async function expectSameStyles(page: Page): Promise<void> {
  const look = (where: Page) =>
    where.locator('main, main *, header *').evaluateAll((elements) =>
      elements.map((element) => {
        const { width, height } = element.getBoundingClientRect()
        const { color, backgroundColor, fontSize, padding } = getComputedStyle(element)
        return [
          element.tagName,
          Math.round(width),
          Math.round(height),
          color,
          backgroundColor,
          fontSize,
          padding,
        ]
      }),
    )
  const alone = await page.context().newPage()
  await alone.goto(page.url())
  await expectFoot(alone, VISITOR)
  await expect(alone.getByRole('heading', { level: 1 })).toBeVisible()
  await alone.keyboard.press('Tab')
  await expect(alone.getByRole('button', { name: 'Skip to content' })).toBeFocused()
  expect(await look(page)).toEqual(await look(alone))
  await alone.close()
}

async function followHead(page: Page, name: string): Promise<void> {
  await openMenu(page)
  await page.locator('header').getByRole('link', { name }).filter({ visible: true }).click()
}

/** Checks the path, the title and the canonical link of the page, and that the document is still the one the test marked. */
async function expectShown(
  page: Page,
  { path, title, isSite = true }: { path: string; title: string; isSite?: boolean },
): Promise<void> {
  await expect(page).toHaveURL((url) => url.pathname === path)
  await expect(page).toHaveTitle(title)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const canonical = page.locator('link[rel=canonical]')
  if (isSite) await expect(canonical).toHaveAttribute('href', new RegExp(`${path}$`))
  else await expect(canonical).toHaveCount(0)
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
}

/** Opens the menu if the page has one; a wide screen shows the links directly. */
async function openMenu(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Open menu' })
  if (await button.isVisible()) await button.click()
}

/** Returns the header's links on this screen, without the logo. */
async function linksOf(page: Page): Promise<string[]> {
  await openMenu(page)
  const names = await page.locator('header').getByRole('link').filter({ visible: true }).allInnerTexts()
  return names.filter((name) => name !== '' && name !== 'Meridian')
}

async function expectFoot(page: Page, names: readonly string[]): Promise<void> {
  await expect(page.getByRole('navigation', { name: 'Quick Links' }).getByRole('link')).toHaveText([...names])
}

/** True when the tab lies completely within its row, not below a faded edge. */
function isWhollyIn(page: Page, name: string): Promise<boolean> {
  return page.getByRole('tab', { name, exact: true }).evaluate((tab) => {
    const row = tab.parentElement?.getBoundingClientRect() ?? new DOMRect()
    const { left, right } = tab.getBoundingClientRect()
    return left >= row.left - 1 && right <= row.right + 1
  })
}
