import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import {
  accessibleDayName,
  bookAppointment,
  chooseDate,
  chooseTime,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('a customer reloads the page before and after booking, loses nothing, and books again', {
  tag: '@phone',
}, async ({ page, newVisitor }) => {
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage)
  const customer = makePerson('Alan Turing')

  await page.goto(`/book/${calendar.slug}`)
  await chooseDate(page, nextTuesday())
  await chooseTime(page, '2:00 PM')
  await page.getByLabel('Full Name').fill(customer.name)
  await page.getByLabel('Email Address').fill(customer.email)
  await page.waitForFunction((email) => history.state?.draft?.email === email, customer.email)
  await page.reload()
  await expect(page.getByLabel('Full Name')).toHaveValue(customer.name)
  await page.getByRole('button', { name: 'Book appointment' }).click()
  await expect(page.getByText('Appointment booked successfully! Confirmation email sent.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  await waitForMail({ to: customer.email })

  await expect(page).toHaveURL(/confirmation\?appointment_id=/)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  const entry = page.waitForEvent('download')
  await page.getByRole('group', { name: 'Add to calendar' }).getByRole('link', { name: 'File' }).click()
  expect(await readFile(await (await entry).path(), 'utf8')).toContain('BEGIN:VEVENT')
  // The cookies page promises that booking sets no cookies.
  expect(await page.context().cookies()).toEqual([])
  await page.getByText('Make Another Booking').click()
  await chooseDate(page, nextTuesday())
  await expect(page.getByRole('button', { name: '2:30 PM', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: '2:00 PM', exact: true })).toHaveCount(0)
})

test('a form that is not complete says so and loses nothing', { tag: '@phone' }, async ({
  page,
  newVisitor,
}) => {
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage)

  // The button does nothing until the page's script has run, so wait for the network to be idle.
  await page.goto(`/book/${calendar.slug}`, { waitUntil: 'networkidle' })
  await page.getByLabel('Full Name').fill('Alan Turing')
  await page.getByRole('button', { name: 'Book appointment' }).click()
  await expect(page.getByText(PROBLEMS['booking.incomplete'].title)).toBeVisible()
  await expect(page.getByLabel('Full Name')).toHaveValue('Alan Turing')
})

test('a time that was taken meanwhile leaves what was typed, and shows the times that are left', {
  tag: '@phone',
}, async ({ page, newVisitor, allowConsole }) => {
  allowConsole(/409/)
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage)
  const date = nextTuesday()

  await page.goto(`/book/${calendar.slug}`)
  await chooseDate(page, date)
  await page.getByRole('button', { name: '11:00 AM' }).click()
  await page.getByLabel('Full Name').fill('Late Larry')
  await page.getByLabel('Email Address').fill('late.larry@example.com')
  await page.getByLabel('Additional Notes').fill('A long story that must not be lost.')
  await bookAppointment(ownerPage.context().request, calendar, {
    startsAt: await startOf(page, calendar.slug, date, '11:00:00'),
    person: makePerson('Early Emma'),
  })
  await page.getByRole('button', { name: 'Book appointment' }).click()

  await expect(page.getByText('11:00 AM is no longer free. Please choose another time.')).toBeVisible()
  await expect(page.getByLabel('Additional Notes')).toHaveValue('A long story that must not be lost.')
  await expect(page.getByRole('button', { name: '11:00 AM' })).toHaveCount(0)
  await page.getByRole('button', { name: '11:30 AM' }).click()
  await page.getByRole('button', { name: 'Book appointment' }).click()
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
})

test('a day without a free time is marked before it is clicked, and says so when it is', {
  tag: '@phone',
}, async ({ page, newVisitor }) => {
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage)
  await createAppointmentType(ownerPage, calendar, { name: 'Talk', duration: 30 })
  const tuesday = nextTuesday()
  const sunday = new Date(Date.parse(tuesday) + 5 * 86_400_000).toISOString().slice(0, 10)

  await page.goto(`/book/${calendar.slug}`)
  await page.getByRole('radio', { name: /Talk/ }).check()
  await chooseDate(page, tuesday)
  await expect(page.getByRole('button', { name: '9:00 AM' })).toBeVisible()
  await chooseDate(page, sunday)
  const day = page.getByRole('button', { name: new RegExp(accessibleDayName(sunday)) })
  await expect(day).toHaveAccessibleName(/no available times/i)
  await expect(page.getByText('No available times for this date')).toBeVisible()
})

test('without scripts a customer reads with whom they book and which services there are', {
  tag: '@phone',
}, async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/book/demo')
  await expect(page.getByRole('heading', { level: 1, name: 'Amara Osei' })).toBeVisible()
  await expect(page.getByRole('radio', { name: /Couples session/ })).toBeVisible()
  await expect(page.getByText('€135.00')).toBeVisible()
  // Playwright's text locators do not find the text of a noscript element.
  const hint = page.locator('main noscript')
  await expect(hint).toBeVisible()
  expect(await hint.innerText()).toContain('Please turn on JavaScript')
  await context.close()
})

test('an unknown link says that there is no such calendar', { tag: ['@phone', '@slow'] }, async ({
  page,
  allowConsole,
}) => {
  allowConsole(/404/)
  await page.goto('/book/nobody-has-this-link')
  await expect(page.getByRole('heading', { name: 'Calendar Not Found' })).toBeVisible()
  await expect(page.getByText("The calendar you're looking for doesn't exist.")).toBeVisible()
  await page.getByRole('link', { name: 'Go Home' }).click()
  await expect(page).toHaveURL(/\/$/)
})

/** Returns the instant of the free time that is labelled `label` (HH:MM:SS) on a date. */
async function startOf(page: Page, slug: string, date: string, label: string): Promise<string> {
  const response = await page.request.get(`/api/public/calendars/${slug}/slots?date=${date}`)
  const { slots } = (await response.json()) as { slots: { slot_start: string; starts_at: string }[] } // our own response
  return slots.find((slot) => slot.slot_start === label)?.starts_at ?? 'none'
}
