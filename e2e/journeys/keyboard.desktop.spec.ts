import type { Page } from '@playwright/test'
import {
  createAppointmentType,
  createCalendar,
  makePerson,
  signUp,
  waitAsLongAsAPerson,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('a customer books with the keyboard alone', async ({ page, newVisitor }) => {
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage)
  await createAppointmentType(ownerPage, calendar, { name: 'Talk', duration: 30 })

  await page.goto(`/book/${calendar.slug}`)
  await tabUntil(page, /Talk/)
  await page.keyboard.press('Space')
  await expect(page.getByRole('radio', { name: /Talk/ })).toBeChecked()

  // The next weeks have free times on every working day.
  await tabUntil(page, /next weeks/i)
  await page.keyboard.press('Enter')
  await tabUntil(page, /^\w+day, \w+ \d+/)
  await walkToFreeDay(page)
  await page.keyboard.press('Enter')

  await tabUntil(page, /^\d+:\d\d [AP]M/)
  await page.keyboard.press('Enter')
  await tabUntil(page, /^Full Name/)
  await page.keyboard.type('Keyboard Kim')
  await tabUntil(page, /^Email Address/)
  await page.keyboard.type('keyboard.kim@example.com')
  await waitAsLongAsAPerson(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
})

const MOST_PRESSES = 80

/** Presses Tab until the focused element has this name. Fails when no focused element does. */
async function tabUntil(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    if (name.test(await focusedName(page))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${name}`)
}

/** Moves from the focused day to the next day with free times, using the arrow keys. */
async function walkToFreeDay(page: Page): Promise<void> {
  await expect.poll(() => page.getByRole('button', { name: /no available times/ }).count()).toBeGreaterThan(0)
  for (let presses = 0; presses < 7; presses += 1) {
    if (!/no available times/.test(await focusedName(page))) return
    await page.keyboard.press('ArrowRight')
  }
  throw new Error('No day of a week has a free time')
}

/** Returns the name that a screen reader announces for the focused element. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement
    if (focused === null || focused === document.body) return ''
    const label = focused.getAttribute('aria-label') ?? focused.querySelector('[aria-label]')?.ariaLabel
    if (label) return label
    if (focused instanceof HTMLInputElement) return focused.labels?.[0]?.textContent ?? ''
    return focused.textContent ?? ''
  })
}
