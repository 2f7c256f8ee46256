import type { Locator, Page } from '@playwright/test'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { connectPaypal, connectStripe } from '#e2e/support/connect.ts'
import {
  chooseDate,
  chooseTime,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  postToApi,
  reopenCollapsedStep,
  signUp,
  waitAsLongAsAPerson,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/** Maximum number of taps and screens from opening the link to the finished booking, not counting typing. Source: rule B29. */
const MOST_TAPS = 6
const MOST_SCREENS = 2

test('six taps and two screens of scrolling lead from the link to the booking', async ({
  page,
  newVisitor,
}) => {
  const { slug, customer } = await practice(await newVisitor())
  await countEfforts(page)
  await page.goto(`/book/${slug}`)

  await tap(page.getByText('Massage', { exact: true }))
  const dateStep = page.getByRole('heading', { name: 'Select a Date & Time' })
  await expect(dateStep).toBeFocused()
  await expect(dateStep).toBeInViewport()
  await expect(page.getByRole('radio')).toHaveCount(0)

  const date = await firstFreeDate(page, slug)
  await tap(page.getByRole('gridcell').getByRole('button', { name: date }))
  const times = page.getByRole('heading', { name: 'Available Times' })
  await expect(times).toBeFocused()
  await expect(times).toBeInViewport()
  await expect(page.getByRole('grid')).toHaveCount(0)

  await tap(page.getByRole('button', { name: '9:30 AM', exact: true }))
  await expect(page.getByRole('heading', { name: 'Your details' })).toBeFocused()
  await expect(page.getByLabel('Full Name')).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'Available Times' })).toHaveCount(0)

  await tap(page.getByLabel('Full Name'))
  await page.keyboard.type(customer.name)
  await tap(page.getByLabel('Email Address'))
  await page.keyboard.type(customer.email)
  await waitAsLongAsAPerson(page)
  await tap(page.getByRole('button', { name: 'Book appointment' }))
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()

  const { taps, screens } = await readEfforts(page)
  expect(taps).toBeLessThanOrEqual(MOST_TAPS)
  expect(screens).toBeLessThanOrEqual(MOST_SCREENS)
})

test('an offered time needs no day, and Enter leads from one field to the next', { tag: '@slow' }, async ({
  page,
  newVisitor,
}) => {
  const { slug, customer } = await practice(await newVisitor())
  await countEfforts(page)
  await page.goto(`/book/${slug}`)
  await tap(page.getByText('Massage', { exact: true }))
  const offered = page.getByRole('group', { name: /^Next: \w+day, \w+ \d+$/ })
  await expect(offered).toBeInViewport({ ratio: 1 })
  await expectNoAxeFindings(page)
  await tap(offered.getByRole('button').first())
  await expect(page.getByRole('heading', { name: 'Your details' })).toBeFocused()
  await tap(page.getByLabel('Full Name'))
  await page.keyboard.type(customer.name)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Email Address')).toBeFocused()
  await page.keyboard.type(customer.email)
  await waitAsLongAsAPerson(page)
  await tap(page.getByRole('button', { name: 'Book appointment' }))
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()

  const { taps, screens } = await readEfforts(page)
  // Enter moved the focus to the second field, which saved one tap.
  expect(taps + 1).toBeLessThanOrEqual(MOST_TAPS - 1)
  expect(screens).toBeLessThanOrEqual(MOST_SCREENS)
})

test('what was chosen is on one line and can be changed, and says where it takes place', {
  tag: '@slow',
}, async ({ page, newVisitor }) => {
  const { slug } = await practice(await newVisitor())
  await page.goto(`/book/${slug}`)
  // The first type has no location of its own, so it shows the primary location.
  await expect(page.getByText('45 min · Main house, 2 High Street')).toBeVisible()
  await expect(page.getByText('Please select an appointment type first to see available times')).toBeVisible()
  await page.getByText('Massage', { exact: true }).tap()
  await chooseDate(page, nextTuesday())
  await chooseTime(page, '2:00 PM')
  const lines = page.getByRole('button', { name: /^Change / }).locator('xpath=preceding-sibling::span')
  await expect(lines).toHaveText(['Massage', /^Tue, \w+ \d+ at 2:00 PM$/])
  for (const line of await lines.all()) {
    const height = await line.evaluate((el) => {
      const text = document.createRange()
      text.selectNodeContents(el)
      return text.getBoundingClientRect().height
    })
    expect(height, 'one line of text').toBeLessThanOrEqual(24)
  }
  await expect(page.getByText('Main house, 2 High Street').filter({ visible: true })).toHaveCount(1)

  // Choosing the same type again closes the step and loses nothing.
  await reopenCollapsedStep(page, 'appointment type')
  await expect(page.getByRole('radio', { name: /Massage/ })).toBeFocused()
  await page.getByText('45 min · Main house, 2 High Street').tap()
  await expect(page.getByRole('radio')).toHaveCount(0)
  await expect(lines).toHaveCount(2)

  await reopenCollapsedStep(page, 'date and time')
  await expect(page.getByRole('button', { name: '2:00 PM', exact: true, pressed: true })).toBeVisible()
  await chooseTime(page, '2:30 PM')
  await expect(page.getByRole('grid')).toHaveCount(0)

  // Arrow keys pass through the other types, so the step stays open until the user leaves it.
  await reopenCollapsedStep(page, 'appointment type')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: /Talk/ })).toBeChecked()
  await page.keyboard.press('Enter')
  // Choosing another type shows the times again, because each type has its own times. Source: rule B15.
  await expect(page.getByRole('heading', { name: 'Available Times' })).toBeFocused()
  await expect(page.getByRole('radio')).toHaveCount(0)
})

test('after Pay Now the providers’ buttons are in view', async ({ page, newVisitor }) => {
  const ownerPage = await newVisitor()
  await ownerPage.context().request.post('/api/auth/sign-in', {
    data: { email: 'demo@example.com', password: 'meridian-demo' },
  })
  // Uses a new calendar instead of the demo practice's own, which already has appointments.
  const calendar = await createCalendar(ownerPage, { person_name: 'Ida Falk' })
  await connectStripe(ownerPage, calendar)
  await connectPaypal(ownerPage, calendar)
  await createAppointmentType(ownerPage, calendar, { name: 'Massage', duration: 45, price: 45 })

  await page.goto(`/book/${calendar.slug}`)
  // The page preselects the only appointment type.
  await expect(page.getByRole('radio', { name: /Massage/ })).toBeChecked()
  await chooseDate(page, nextTuesday())
  await chooseTime(page, '2:00 PM')
  await page.getByLabel('Full Name').fill('Ada Lovelace')
  await page.getByLabel('Email Address').fill('ada.lovelace@example.com')
  await page.keyboard.press('Enter')
  const payNow = page.getByRole('button', { name: 'Pay Now' })
  await expect(payNow).toBeFocused()
  await payNow.tap()
  for (const name of ['Credit Card', 'PayPal', 'Back'])
    await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
})

/** Creates a practice with three types, two of them at its primary location, and a person who wants to book. */
async function practice(ownerPage: Page) {
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage, {
    category: 'Therapist',
    description: 'Massages and talks in a quiet house by the river.',
  })
  await postToApi(ownerPage.context().request, `/api/calendars/${calendar.id}/locations`, {
    name: 'Main house',
    address: '2 High Street',
  })
  await createAppointmentType(ownerPage, calendar, {
    name: 'Massage',
    duration: 45,
    description: 'For a back that sits too long. Bring a towel.',
  })
  await createAppointmentType(ownerPage, calendar, { name: 'Talk', duration: 30 })
  await createAppointmentType(ownerPage, calendar, { name: 'Video call', duration: 30, is_online: true })
  return { slug: calendar.slug, customer: makePerson('Alan Turing') }
}

/** Returns the first day with three free times, as a pattern for its button. It is within the first five weeks. */
async function firstFreeDate(page: Page, slug: string): Promise<RegExp> {
  const { days } = await (await page.request.get(`/api/public/calendars/${slug}/first-times`)).json()
  const wanted: string = days.at(-1).date
  const name = new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
  })
  return new RegExp(name.format(Date.parse(wanted)))
}

type Efforts = { taps: number; scrolled: number; scrolledSince: number }

/** Taps as a person does, who scrolls only as far as needed to see the whole target. Playwright would scroll it to the middle. */
async function tap(target: Locator): Promise<void> {
  await target.evaluate((element) => element.scrollIntoView({ block: 'nearest' }))
  await target.tap()
}

/**
 * Counts the taps, and how far the page has scrolled up to the last tap, automatically or by hand. Scrolling after the last tap
 * does not count, because the last tap opens another page at its top.
 */
async function countEfforts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const efforts: Efforts = { taps: 0, scrolled: 0, scrolledSince: 0 }
    Object.assign(window, { efforts })
    let lastY = 0
    addEventListener('pointerdown', () => {
      efforts.taps += 1
      efforts.scrolled += efforts.scrolledSince
      efforts.scrolledSince = 0
    })
    addEventListener('scroll', () => {
      efforts.scrolledSince += Math.abs(scrollY - lastY)
      lastY = scrollY
    })
  })
}

async function readEfforts(page: Page): Promise<{ taps: number; screens: number }> {
  return page.evaluate(() => {
    const { taps, scrolled } = (window as unknown as { efforts: Efforts }).efforts // set by `countEfforts`
    return { taps, screens: scrolled / innerHeight }
  })
}
