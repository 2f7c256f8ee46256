import type { Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { connectStripe } from '#e2e/support/connect.ts'
import { findLink, waitForMail } from '#e2e/support/mailbox.ts'
import { openAppointment } from '#e2e/support/open-appointment.ts'
import {
  chooseDate,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  type Person,
  signUp,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/** Customers may cancel online until a day before, and get a third of the price refunded. */
const POLICY = {
  moving: { kind: 'never' },
  cancelling: { kind: 'alone', hours: 24, after: 'never' },
  refunds: [{ hours: 24, percent: 33 }],
}

test('a customer cancels by the rule and gets a part of the money back', async ({ page, newVisitor }) => {
  const ownerPage = await newVisitor()
  const owner = makePerson('Ida Berg')
  const customer = makePerson('Ada Lovelace')
  await signUp(ownerPage, owner)
  const calendar = await createCalendar(ownerPage, { payment_required: true })
  await connectStripe(ownerPage, calendar)
  await createAppointmentType(ownerPage, calendar, { name: 'Massage', duration: 45, price: 44.99 })
  const saved = await ownerPage
    .context()
    .request.patch(`/api/calendars/${calendar.id}`, { data: { policy: POLICY } })
  expect(saved.status(), await saved.text()).toBe(200)

  await test.step('the conditions are read before the payment', async () => {
    await payFor(page, calendar, customer)
  })

  await test.step('the page of the email says what a cancellation costs, and does it', async () => {
    const mail = await waitForMail({ to: customer.email, subject: 'Booking confirmed' })
    await page.goto(findLink(mail, '/manage/'))
    await page.getByRole('button', { name: 'Cancel this appointment' }).click()
    await expect(page.getByRole('heading', { name: 'Cancel this appointment?' })).toBeFocused()
    await expect(page.getByText('You’ll be refunded €14.85 (33% of your payment).')).toBeVisible()
    await expectNoAxeFindings(page)
    await page.getByRole('button', { name: 'Keep appointment' }).click()
    await page.getByRole('button', { name: 'Cancel this appointment' }).click()
    await page.getByRole('button', { name: 'Cancel appointment' }).click()
    await expect(page.getByRole('heading', { name: 'Appointment Cancelled' })).toBeVisible()
    await expect(page.getByText('We’re refunding €14.85.', { exact: false })).toBeVisible()
    await expectNoAxeFindings(page)
    const told = await waitForMail({ to: customer.email, subject: 'cancelled' })
    expect(told.text).toContain('We’ll refund €14.85 of the €44.99 you paid.')
    await waitForMail({ to: owner.email, subject: 'cancelled' })
  })

  await test.step('the owner sees the refund', async () => {
    await ownerPage.goto(`/calendar/${calendar.id}/settings?tab=transactions`)
    await expect(ownerPage.getByText('€14.85 refunded (33% under the policy)').first()).toBeVisible()
    await ownerPage.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
    const row = ownerPage.getByRole('article', { name: customer.name })
    await expect(row).toContainText('Partly refunded')
    await expect(row.getByText('Paid', { exact: true })).toHaveCount(0)
    const details = await openAppointment(ownerPage, customer.name)
    await expect(details.getByText('€14.85 of €44.99 refunded (33% under the policy).')).toBeVisible()
    await expectNoAxeFindings(ownerPage)
  })
})

async function payFor(page: Page, calendar: Calendar, customer: Person): Promise<void> {
  await page.goto(`/book/${calendar.slug}`)
  await expect(page.getByText('you get 33% back until 24 hours before it starts')).toBeVisible()
  await chooseDate(page, nextTuesday())
  await page.getByRole('button', { name: '2:00 PM', exact: true }).click()
  await page.getByLabel('Full Name').fill(customer.name)
  await page.getByLabel('Email Address').fill(customer.email)
  await page.getByRole('button', { name: 'Pay Now' }).click()
  await page.getByRole('button', { name: 'Pay €44.99' }).click()
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
}
