import type { Locator, Page } from '@playwright/test'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import { openAppointment, shownAppointment } from '#e2e/support/open-appointment.ts'
import {
  bookAppointment,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

const STARTS_AT = toInstant(nextTuesday(), '13:00')
const CANCELLED = 'Appointment cancelled and cancellation email sent'

test('an owner cancels, restores, denies and approves, and the customer hears of each', async ({ page }) => {
  const { owner, customer, details, appointmentId } = await openOne(page)

  await test.step('Cancel asks first, and then both are told', async () => {
    await details.getByRole('button', { name: 'Cancel' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Cancel this appointment?' })
    await expect(dialog).toContainText(`We’ll email ${customer.name}.`)
    await expectNoAxeFindings(page)
    await dialog.getByRole('button', { name: 'Keep appointment' }).click()
    await expect(dialog).toBeHidden()
    await expect(details.getByText('Confirmed')).toBeVisible()

    await details.getByRole('button', { name: 'Cancel' }).click()
    await dialog.getByRole('button', { name: 'Cancel appointment' }).click()
    await expect(page.getByText(CANCELLED)).toBeVisible()
    await expect(details.getByText('Cancelled', { exact: true })).toBeVisible()
    // The pressed button is gone, so the focus moves to the next action and keyboard users keep their place.
    await expect(details.getByRole('group', { name: 'Actions' }).locator(':focus')).toHaveText('Restore')
    const mail = await waitForMail({ to: customer.email, subject: 'Appointment cancelled' })
    expect(mail.attachments[0]?.content).toContain('METHOD:CANCEL')
    await waitForMail({ to: owner.email, subject: 'Appointment cancelled' })
  })

  await test.step('Restore brings it back', async () => {
    await details.getByRole('button', { name: 'Restore' }).click()
    await expect(page.getByText('Appointment restored and confirmation email sent')).toBeVisible()
    await expect(details.getByText('Confirmed')).toBeVisible()
    const mail = await waitForMail({ to: customer.email, subject: 'Appointment restored' })
    expect(mail.attachments[0]?.content).toContain('METHOD:REQUEST')
    expect(mail.attachments[0]?.content).toContain('SEQUENCE:2')
    await waitForMail({ to: owner.email, subject: 'Appointment restored' })
  })

  await test.step('Deny lets it stand', async () => {
    await requestCancellation(page, appointmentId)
    await expect(details.getByText('Cancellation pending')).toBeVisible()
    await details.getByRole('button', { name: 'Deny' }).click()
    await expect(page.getByText('Cancellation request denied and customer emailed')).toBeVisible()
    await expect(details.getByText('Confirmed')).toBeVisible()
    await waitForMail({ to: customer.email, subject: 'Your appointment is still on' })
  })

  await test.step('Approve Cancellation asks, and cancels', async () => {
    await requestCancellation(page, appointmentId)
    await details.getByRole('button', { name: 'Approve Cancellation' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Approve Cancellation' }).click()
    await expect(page.getByText(CANCELLED)).toBeVisible()
    await expect(details.getByRole('button', { name: 'Restore' })).toBeVisible()
  })
})

test('an owner keeps the payments, and the appointment follows them', async ({ page }) => {
  const { customer, details } = await openOne(page)

  await test.step('Mark as Pending waits for the payment', async () => {
    const button = details.getByRole('button', { name: 'Payment' })
    await button.scrollIntoViewIfNeeded()
    const place = await button.boundingBox()
    await button.click()
    await expect(page.getByRole('menuitem', { name: 'Mark as Pending' })).toBeVisible()
    expect(await button.boundingBox()).toEqual(place)
    await expectNoAxeFindings(page)
    await page.getByRole('menuitem', { name: 'Mark as Pending' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Mark this payment as pending?' })
    await dialog.getByRole('button', { name: 'Mark as Pending' }).click()
    await expect(page.getByText('Payment marked as pending successfully')).toBeVisible()
    await expectBadges(details, 'Awaiting payment', 'Unpaid')
  })

  await test.step('Mark as Paid confirms', async () => {
    await details.getByRole('button', { name: 'Mark as Paid' }).click()
    await expect(page.getByText('Payment marked as paid successfully')).toBeVisible()
    await expect(page.getByText('Appointment confirmed and confirmation email sent')).toBeVisible()
    await expectBadges(details, 'Confirmed', 'Paid')
  })

  await test.step('Refund asks, gives back and cancels', async () => {
    await details.getByRole('button', { name: 'Refund' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Refund this payment?' })
    await dialog.getByRole('button', { name: 'Refund' }).click()
    await expect(page.getByText('Payment marked as refunded successfully')).toBeVisible()
    await expect(page.getByText(/^Payments must be processed manually/)).toBeVisible()
    await expectBadges(details, 'Cancelled', 'Refunded')
    const mail = await waitForMail({ to: customer.email, subject: 'Appointment cancelled' })
    expect(mail.text).toContain('Your payment has been refunded.')
  })

  await test.step('Mark as Not Required changes only the payment', async () => {
    await chooseInMenu(page, details, 'Mark as Not Required')
    await expect(page.getByText('Payment marked as not required')).toBeVisible()
    await expectBadges(details, 'Cancelled', 'No payment required')
  })

  await test.step('Mark as Paid brings a cancelled one back', async () => {
    await chooseInMenu(page, details, 'Mark as Paid')
    const dialog = page.getByRole('alertdialog', { name: 'Mark this payment as paid?' })
    await dialog.getByRole('button', { name: 'Mark as Paid' }).click()
    await expect(page.getByText('Appointment restored and confirmation email sent')).toBeVisible()
    await expectBadges(details, 'Confirmed', 'Paid')
  })
})

test('Mark as Failed asks, and cancels', async ({ page }) => {
  const { details } = await openOne(page)
  await chooseInMenu(page, details, 'Mark as Failed')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Mark as Failed' }).click()
  await expect(page.getByText('Payment marked as failed successfully')).toBeVisible()
  await expectBadges(details, 'Cancelled', 'Payment failed')
})

test('a time that somebody else has meanwhile is not given twice', async ({ page, allowConsole }) => {
  allowConsole(/409/)
  const { calendar, details } = await openOne(page)
  await details.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel appointment' }).click()
  await expect(details.getByRole('button', { name: 'Restore' })).toBeVisible()
  const next = makePerson('Second Guest')
  await bookAppointment(page.context().request, calendar, { startsAt: STARTS_AT, person: next })
  await details.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText(PROBLEMS['appointment.restore_conflict'].title)).toBeVisible()
  await expectBadges(details, 'Cancelled', 'No payment required')
})

test('a window that shows yesterday’s state says so and shows today’s', async ({ page, allowConsole }) => {
  allowConsole(/409/)
  const { details } = await openOne(page)
  const other = await page.context().newPage()
  // The address has the open appointment.
  await other.goto(page.url())
  const stale = shownAppointment(other)
  await expect(stale.getByText('Confirmed')).toBeVisible()
  await chooseInMenu(page, details, 'Mark as Paid')
  await expectBadges(details, 'Confirmed', 'Paid')

  await chooseInMenu(other, stale, 'Mark as Pending')
  await other.getByRole('button', { name: 'Mark as Pending' }).click()
  await expect(
    other.getByText(/^Failed to update payment status: This appointment has changed/),
  ).toBeVisible()
  await expectBadges(stale, 'Confirmed', 'Paid')
})

/** Signs up an owner, creates a calendar with one appointment, and opens the appointment in the settings. */
async function openOne(page: Page) {
  const owner = makePerson('Ida Berg')
  const customer = makePerson('Grace Hopper')
  await signUp(page, owner)
  const calendar = await createCalendar(page)
  const { id } = await bookAppointment(page.context().request, calendar, {
    startsAt: STARTS_AT,
    person: customer,
  })
  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  const details = await openAppointment(page, customer.name)
  return { owner, customer, calendar, appointmentId: id, details }
}

/** Requests the cancellation as the customer does on their own page, then reloads the owner's page. */
async function requestCancellation(page: Page, appointmentId: string): Promise<void> {
  const path = `/api/public/appointments/${appointmentId}/cancellation-request`
  const response = await page.context().request.post(path)
  expect(response.ok()).toBe(true)
  await page.reload()
}

async function chooseInMenu(page: Page, details: Locator, label: string): Promise<void> {
  await details.getByRole('button', { name: 'Payment' }).click()
  await page.getByRole('menuitem', { name: label }).click()
}

async function expectBadges(details: Locator, status: string, payment: string): Promise<void> {
  await expect(details.getByText(status, { exact: true })).toBeVisible()
  await expect(details.getByText(payment, { exact: true })).toBeVisible()
}
