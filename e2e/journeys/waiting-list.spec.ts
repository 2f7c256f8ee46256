import { MIN_FORM_FILL_MS } from '#core/appointments/bot-signals.ts'
import { findLink, waitForMail } from '#e2e/support/mailbox.ts'
import { createCalendar, makePerson, nextTuesday, signUp } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('a customer whom no time suits waits, is offered a time that the owner opens, and accepts it', {
  tag: '@phone',
}, async ({ page, newVisitor }) => {
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage)

  const customer = makePerson('Alan Turing')
  await page.goto(`/book/${calendar.slug}`)
  await page.getByRole('button', { name: 'Can’t find a time? Join the waiting list' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'From', exact: true }).fill(nextTuesday())
  await dialog.getByRole('textbox', { name: 'To', exact: true }).fill(nextTuesday())
  // The practice closes at five, so the evening has no times yet.
  await dialog.getByLabel(/^Morning/).uncheck()
  await dialog.getByLabel(/^Afternoon/).uncheck()
  await dialog.getByLabel('Full Name').fill(customer.name)
  await dialog.getByLabel('Email Address').fill(customer.email)
  // Wait, because the server refuses forms that are filled in faster than a person could. Source: rule B20.
  await page.waitForTimeout(MIN_FORM_FILL_MS)
  await dialog.getByRole('button', { name: 'Join the list' }).click()
  await expect(page.getByText('Please confirm your email')).toBeVisible()

  const confirmation = await waitForMail({ to: customer.email, subject: 'Confirm your place' })
  await page.goto(findLink(confirmation, '/waiting/'))
  await page.getByRole('button', { name: 'Join the waiting list' }).click()
  await expect(page.getByRole('heading', { name: 'You’re on the waiting list' })).toBeFocused()

  await ownerPage.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  await expect(ownerPage.getByText(`1. ${customer.name}`)).toBeVisible()
  const evening = { day_of_week: 2, start_time: '18:00', end_time: '19:00' }
  const opened = await ownerPage.request.post(`/api/calendars/${calendar.id}/availability`, { data: evening })
  expect(opened.status()).toBe(201)

  const offer = await waitForMail({ to: customer.email, subject: 'A time is free' })
  await page.goto(findLink(offer, '/waiting/'))
  await expect(page.getByRole('heading', { name: 'A time is free for you' })).toBeVisible()
  await ownerPage.reload()
  await expect(ownerPage.getByText(/not answered yet/)).toBeVisible()
  await page.getByRole('button', { name: 'Accept this time' }).click()
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  await waitForMail({ to: customer.email, subject: 'Booking confirmed' })
  await page.getByRole('link', { name: 'Move or cancel' }).click()
  await expect(page).toHaveURL(/\/manage\//)

  // The link of the old offer now says that the time was accepted.
  await page.goto(findLink(offer, '/waiting/'))
  await expect(page.getByRole('heading', { name: 'Time accepted' })).toBeVisible()
})

test('a press before the scripts of the page are there is answered when they are', {
  tag: ['@phone', '@slow'],
}, async ({ page, newVisitor }) => {
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage)

  const pressed = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await pressed.promise
    await route.continue()
  })
  await page.goto(`/book/${calendar.slug}`, { waitUntil: 'commit' })
  const field = page.getByRole('textbox', { name: 'Full Name' })
  await field.click()
  await field.fill('Alan Turing')
  await page.getByRole('button', { name: 'Can’t find a time? Join the waiting list' }).click()
  pressed.resolve()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'From', exact: true })).toBeVisible()
})

test('a customer leaves the list by one press', { tag: '@phone' }, async ({ page, newVisitor }) => {
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage)
  await ownerPage.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  await ownerPage.getByRole('button', { name: 'Add customer' }).click()
  const customer = makePerson('Grace Hopper')
  const dialog = ownerPage.getByRole('dialog')
  await dialog.getByLabel('Customer').fill(customer.name)
  await dialog.getByLabel('Email').fill(customer.email)
  await dialog.getByRole('button', { name: 'Add customer' }).click()

  // The waiting list offers only times that the owner opens now, not times that were already free.
  const evening = { day_of_week: 2, start_time: '18:00', end_time: '19:00' }
  const opened = await ownerPage.request.post(`/api/calendars/${calendar.id}/availability`, { data: evening })
  expect(opened.status()).toBe(201)
  const offer = await waitForMail({ to: customer.email, subject: 'A time is free' })
  await page.goto(findLink(offer, '/waiting/'))
  await page.getByRole('button', { name: 'Decline', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Time declined' })).toBeFocused()
  await page.getByRole('button', { name: 'Leave the waiting list' }).click()
  await expect(page.getByRole('heading', { name: 'You’ve left the waiting list' })).toBeFocused()
  await ownerPage.reload()
  await expect(ownerPage.getByText('The waiting list is empty')).toBeVisible()
})
