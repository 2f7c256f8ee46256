import type { Page } from '@playwright/test'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { findLink, waitForMail } from '#e2e/support/mailbox.ts'
import { chooseDate, fillRegistrationForm, makePerson, nextTuesday } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('from registration to a booking page in six screens, and to the first booking', async ({
  page,
  newVisitor,
}) => {
  const owner = makePerson('Ada Example')
  await page.goto('/register')
  await fillRegistrationForm(page, owner)
  await expect(page).toHaveURL(/\/login/)
  const mail = await waitForMail({ to: owner.email, subject: 'Confirm' })
  const link = findLink(mail, '/auth/callback')

  // Somebody who reads the email elsewhere is asked for the password, and does not use the login up.
  const elsewhere = await newVisitor()
  await elsewhere.goto(link)
  await expect(elsewhere).toHaveURL(/\/login/)
  await expect(elsewhere.getByRole('button', { name: 'Log in', exact: true })).toBeVisible()

  await page.goto(link)
  let presses = 0
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).click()
    presses += 1
  }
  await openStep(page, 'You')
  await expect(page.getByLabel('Your name')).toHaveValue(owner.name)
  await page.getByLabel('Your name').fill(`Dr. ${owner.name}`)
  await expect(page.getByText('Customers see “Dr. Ada Example”. We call you Ada.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Profession' }).fill('Psychotherapist')
  await press('Continue')

  await openStep(page, 'Hours')
  await expect(page.getByRole('listitem', { name: 'Monday' })).toContainText('09:00 – 17:00')
  // The owner goes on in another tab. The first tab has lost nothing.
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible()
  const checklist = page.getByRole('region', { name: 'Set up your booking page' })
  await expect(checklist.getByRole('link', { name: 'Say who you are (done)' })).toBeVisible()
  await expectNoAxeFindings(page)
  await page.goto('/today')
  await expect(checklist).toBeVisible()
  await expectNoAxeFindings(page)
  await checklist.getByRole('link', { name: 'Continue' }).click()
  await openStep(page, 'Hours')
  await press('Continue')

  await openStep(page, 'Services')
  const names = page.getByLabel('Service', { exact: true })
  await expect(names).toHaveCount(3)
  await expect(names.first()).toHaveValue('First consultation')
  await expect(page.getByLabel('Minutes').first()).toHaveValue('50')
  await expect(page.getByText('Connect Stripe or PayPal in Payment Settings to set prices.')).toBeVisible()
  await test.step('the browser’s Back leads through the steps, also after a reload', async () => {
    await page.reload()
    await openStep(page, 'Services')
    await page.goBack()
    await openStep(page, 'Hours')
    await page.reload()
    await page.goForward()
    await openStep(page, 'Services')
    await expect(names).toHaveCount(3)
  })
  await press('Continue')

  await openStep(page, 'Your own calendar')
  await press('Skip for now')

  await expect(page.getByRole('heading', { name: 'Your booking page is ready' })).toBeFocused()
  await expectNoAxeFindings(page)
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add to website' })).toBeVisible()
  expect(presses).toBe(4)
  await test.step('the owner tries a booking out, and removes it', async () => {
    await page.getByRole('button', { name: 'Book a test appointment with yourself' }).click()
    await expect(page.getByText('Your test appointment is on')).toBeVisible()
    const confirmation = await waitForMail({ to: owner.email, subject: 'Booking confirmed' })
    expect(confirmation.text).toContain('This is a test appointment.')
    await page.getByRole('button', { name: 'Remove the test appointment' }).click()
    await expect(page.getByRole('button', { name: 'Book a test appointment with yourself' })).toBeVisible()
  })
  const bookingUrl = await page.getByRole('link', { name: /\/book\/dr-ada-example/ }).getAttribute('href')

  await test.step('the link has done its work', async () => {
    await page.goto(link)
    // The browser is logged in, so the login leads to the dashboard.
    await expect(page).toHaveURL(/\/dashboard/)
    await expect(page.getByRole('region', { name: 'Get your first booking' })).toBeVisible()
  })

  await test.step('a customer books, and the list is gone', async () => {
    const customer = makePerson('Grace Hopper')
    const visitor = await newVisitor()
    await visitor.goto(bookingUrl ?? '')
    await expect(visitor.getByRole('heading', { name: 'Dr. Ada Example' })).toBeVisible()
    await visitor.getByRole('radio', { name: /Couple session/ }).check()
    await chooseDate(visitor, nextTuesday())
    await visitor.getByRole('button', { name: '09:30', exact: true }).click()
    await visitor.getByLabel('Full Name').fill(customer.name)
    await visitor.getByLabel('Email Address').fill(customer.email)
    await visitor.getByRole('button', { name: 'Book appointment' }).click()
    await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    await page.goto('/today')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.goto('/dashboard')
    await expect(page.getByText(customer.name).first()).toBeVisible()
    await expect(page.getByRole('link', { name: 'Share your link' })).toHaveCount(0)
  })
})

/** Waits for a step of the set-up, whose heading has the focus, and checks it for barriers. */
async function openStep(page: Page, title: string): Promise<void> {
  await expect(page).toHaveURL(/\/setup/)
  await expect(page.getByRole('heading', { level: 2, name: title, exact: true })).toBeFocused()
  await expectNoAxeFindings(page)
}
