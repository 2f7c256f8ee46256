import type { Locator } from '@playwright/test'
import {
  accessibleDayName,
  bookAppointment,
  chooseDate,
  createCalendar,
  makePerson,
  nextTuesday,
  reopenCollapsedStep,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('in forced colours one sees what can be chosen and what is', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/book/demo')
  const chosenType = page.getByRole('radio', { name: /First conversation/ })
  await chosenType.check()
  await chooseDate(page, nextTuesday())
  const times = page.getByRole('button', { name: /^\d+:\d\d [AP]M$/ })
  await times.first().click()
  await reopenCollapsedStep(page, 'appointment type')

  expect(await chosenType.boundingBox()).toMatchObject({ width: 18, height: 18 })
  const otherType = page.getByRole('radio', { name: /Couples session/ })
  expect(await styleOf(cardOf(chosenType), 'outline-style')).toBe('solid')
  expect(await styleOf(cardOf(otherType), 'outline-style')).toBe('none')

  await reopenCollapsedStep(page, 'date and time')
  const chosenDay = page.getByRole('button', { name: new RegExp(accessibleDayName(nextTuesday())) })
  const otherDay = page.locator('.day-grid button[aria-pressed="false"]:enabled').first()
  const fill = await styleOf(chosenDay, 'background-color')
  expect(fill).not.toBe(await styleOf(otherDay, 'background-color'))
  expect(await styleOf(times.first(), 'background-color')).toBe(fill)
  expect(await styleOf(times.nth(1), 'background-color')).not.toBe(fill)
  // In forced colours, the browser would draw a backplate behind the text, which would make the selected text unreadable.
  for (const chosen of [chosenDay, times.first()])
    expect(await styleOf(chosen, 'forced-color-adjust')).toBe('none')
})

test('on paper a booking is dark on light, without what can only be pressed', async ({
  page,
  newVisitor,
}) => {
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage)
  const { id } = await bookAppointment(ownerPage.context().request, calendar, {
    startsAt: toInstant(nextTuesday(), '15:00'),
    person: makePerson('Alan Turing'),
  })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.goto(`/book/${calendar.slug}/confirmation?appointment_id=${id}`)
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  await expect(page.getByText('Booking reference')).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Return to Dashboard' })).toHaveCount(0)
  expect(await styleOf(page.locator('html'), 'color-scheme')).toBe('light')

  await page.goto('/pricing')
  await expect(page.getByText('You don’t need to ask anyone.')).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
})

/** The window width and the text size, in px, with the pages that must fit. */
const NARROW = [
  [
    375,
    32,
    [
      '/',
      '/pricing',
      '/book/demo',
      '/cookies',
      '/contact',
      '/login',
      '/nothing-here',
      '/cancel/00000000-0000-4000-8000-000000000000',
      '/payment-success',
      '/payment-cancelled?calendar_slug=demo',
    ],
  ],
  [280, 16, ['/']],
] as const

for (const [width, fontSize, paths] of NARROW) {
  test(`no page scrolls sideways at ${width} px with text of ${fontSize} px`, { tag: '@phone' }, async ({
    page,
    allowConsole,
  }) => {
    allowConsole(/404/)
    await page.setViewportSize({ width, height: 667 })
    for (const path of paths) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = `${size}px`
      }, fontSize)
      const overflow = () => page.evaluate((widest) => document.documentElement.scrollWidth - widest, width)
      await expect.poll(overflow, path).toBeLessThanOrEqual(0)
    }
  })
}

test('the sample of a booking page, once it is there, is no wider than a phone with large text', {
  tag: '@phone',
}, async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 667 })
  await page.goto('/')
  await page.getByRole('heading', { name: 'Nora Lindqvist' }).scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 600)
  await expect(page.getByRole('heading', { name: 'Available Times' })).toBeVisible()
  for (const fontSize of [20, 24, 32]) {
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = `${size}px`
    }, fontSize)
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - 375)
    await expect.poll(overflow, `${fontSize}`).toBeLessThanOrEqual(0)
  }
})

test('the way in stands on one line as soon as it is in the bar', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 800 })
  await page.goto('/')
  const wayIn = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Get Started' })
  await expect(wayIn).toBeVisible()
  expect((await wayIn.boundingBox())?.height).toBe(44)
  expect((await page.getByRole('banner').boundingBox())?.height).toBeLessThan(70)
})

test('on a phone the page goes on to the times of a free day, and stays with a full one', {
  tag: '@phone',
}, async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 667 })
  await page.goto('/book/demo')
  await page.getByRole('radio', { name: /First conversation/ }).check()
  await chooseDate(page, nextTuesday())
  const times = page.getByRole('heading', { name: 'Available Times' })
  const day = page.getByRole('button', { name: new RegExp(accessibleDayName(nextTuesday())) })
  await expect(day).not.toBeInViewport()
  await expect(times).toBeInViewport()
  await expect(times).toBeFocused()

  // Shift+Tab returns the keyboard user to the day, and Enter on the day returns them to its times.
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Change date' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(day).toBeFocused()
  await expect(day).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(times).toBeFocused()
  await expect(times).toBeInViewport()

  await reopenCollapsedStep(page, 'date')
  const fullDay = page.getByRole('button', { name: /no available times/ }).last()
  await fullDay.click()
  await expect(page.getByText('No available times for this date')).toBeAttached()
  await expect(fullDay).toBeInViewport()
})

test('what the server refused is no longer said when the field is another', async ({
  page,
  allowConsole,
}) => {
  allowConsole(/400/)
  await page.goto('/book/demo')
  await page.getByRole('radio', { name: /First conversation/ }).check()
  await chooseDate(page, nextTuesday())
  await page
    .getByRole('button', { name: /^\d+:\d\d [AP]M$/ })
    .first()
    .click()
  await page.getByLabel('Full Name').fill('Ann Example')
  await page.getByLabel('Email Address').fill('ann..x@example.com')
  await page.getByRole('button', { name: 'Book appointment' }).click()
  const refusal = page.getByText('Please enter a valid email address')
  await expect(refusal).toHaveCount(1)
  await page.getByLabel('Full Name').fill('Ann E. Example')
  await expect(refusal).toBeVisible()
  await page.getByLabel('Email Address').fill('ann.x@example.com')
  await expect(refusal).toHaveCount(0)
})

test('without scripts a page says that it needs them, unless there is something to read', async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  // Playwright's text locators do not find the text of a noscript element.
  const hint = page.locator('#root + noscript')
  for (const path of [
    '/login',
    '/register',
    '/dashboard',
    '/nothing-here',
    '/payment-success',
    '/cancel/x',
  ]) {
    await page.goto(path)
    await expect(hint, path).toBeInViewport()
    expect(await hint.innerText(), path).toContain('This page needs JavaScript')
  }
  for (const path of ['/', '/book/demo']) {
    await page.goto(path)
    await expect(hint, path).toBeHidden()
  }
  await context.close()
})

/** Returns the card that is the label of a radio button. */
function cardOf(radio: Locator): Locator {
  return radio.locator('xpath=ancestor::label')
}

/** Returns the computed value of an element's CSS property. */
function styleOf(element: Locator, property: string): Promise<string> {
  return element.evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property)
}
