import type { Locator, Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { connectStripe } from '#e2e/support/connect.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
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

const PRICED = { name: 'Massage', duration: 45, price: 45 }

test('from connecting Stripe to a payment and its refund', async ({ page, newVisitor }) => {
  const owner = makePerson('Ida Berg')
  const customer = makePerson('Ada Lovelace')
  await signUp(page, owner)
  const calendar = await createCalendar(page)
  await createAppointmentType(page, calendar, { name: 'Massage', duration: 45, fee_note: '€45, in cash' })
  const visitor = await newVisitor()

  await test.step('the account is connected in a tab of its own, which asks for the missing price', async () => {
    await page.goto(settingsOf(calendar, 'payments'))
    await page.getByRole('switch', { name: 'Require payment when booking' }).click()
    await page.getByRole('button', { name: 'Save Payment Settings' }).click()
    await expect(page.getByText('Payment settings updated successfully')).toBeVisible()
    await expectNoAxeFindings(page)
    const tab = await openProvider(page, 'Connect Stripe')
    await tab.getByRole('button', { name: 'Allow access' }).click()
    await expect(tab.getByText('Stripe account connected successfully!')).toBeVisible()
    await expect(tab).toHaveURL(new RegExp(`/calendar/${calendar.id}/settings`))
    await expect(tab.getByText('Fee note: €45, in cash')).toBeVisible()
    await tab.getByLabel('Massage (€)').fill('45')
    await expectNoAxeFindings(tab)
    await tab.getByRole('button', { name: 'Save prices' }).click()
    await expect(tab.getByText('Price saved')).toBeVisible()
    await expect(tab.getByRole('heading', { name: 'Add prices' })).toHaveCount(0)
    await tab.close()
    // A headed browser fires this event when the user returns to the first tab. A headless browser treats all tabs as visible.
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(page.getByText('Connected as')).toBeVisible()
  })

  await test.step('a customer pays, and the appointment is confirmed', async () => {
    await fillBooking(visitor, calendar, customer, '2:00 PM')
    await expect(visitor.getByRole('button', { name: 'Book & Pay Later' })).toHaveCount(0)
    await visitor.getByRole('button', { name: 'Pay Now' }).click()
    await visitor.getByRole('button', { name: 'Pay €45.00' }).click()
    await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    await expect(visitor).toHaveURL(/\/payment-success\?session_id=cs_/)
    const change = visitor.getByRole('link', { name: 'Move or cancel' })
    await expect(change).toHaveAttribute('href', /^\/manage\/[\w-]{44}$/)
    await expectNoAxeFindings(visitor)
    await waitForMail({ to: customer.email, subject: 'confirmed' })
    await waitForMail({ to: owner.email, subject: customer.name })
  })

  await test.step('the owner sees the payment and gives it back', async () => {
    await page.goto(settingsOf(calendar, 'transactions'))
    await expect(page.getByText('Completed')).toBeVisible()
    await expect(page.getByText(customer.name)).toBeVisible()
    const linesOfParts = await page.getByText(customer.email).evaluate((address) =>
      [...address.childNodes]
        .filter((part) => part.nodeType === Node.TEXT_NODE)
        .map((part) => {
          const range = document.createRange()
          range.selectNodeContents(part)
          return range.getClientRects().length
        }),
    )
    expect(linesOfParts, 'the address breaks before the @ only').toEqual([1, 1])
    await expectNoAxeFindings(page)
    await page.goto(settingsOf(calendar, 'appointments'))
    const row = page.getByRole('article', { name: customer.name })
    await expect(row.getByText('Paid', { exact: true })).toBeVisible()
    const details = await openAppointment(page, customer.name)
    await details.getByRole('button', { name: 'Refund' }).click()
    await confirmIn(page)
    await expect(page.getByText('Payment marked as refunded successfully')).toBeVisible()
    await waitForMail({ to: customer.email, subject: 'cancelled' })
    await page.goto(settingsOf(calendar, 'transactions'))
    await expect(page.getByRole('main').getByText('Refunded', { exact: true }).first()).toBeVisible()
  })
})

test('a card that is declined, the way back and a tab that is closed keep nobody’s money and no time', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await connectStripe(page, calendar)
  await createAppointmentType(page, calendar, PRICED)
  const customer = makePerson('Alan Turing')
  const visitor = await newVisitor()

  await test.step('declined, the customer may try again, or goes back to what was typed', async () => {
    await fillBooking(visitor, calendar, customer, '2:00 PM')
    await visitor.getByRole('button', { name: 'Pay Now' }).click()
    await visitor.getByRole('button', { name: 'Decline' }).click()
    await expect(visitor.getByRole('alert')).toContainText('declined')
    await visitor.getByRole('link', { name: 'Back' }).click()
    await expect(visitor.getByRole('heading', { name: 'Payment Cancelled' })).toBeVisible()
    await expect(
      visitor.getByText('You weren’t charged, and we’re no longer holding your time.'),
    ).toBeVisible()
    await expectNoAxeFindings(visitor)
    await visitor.getByRole('link', { name: 'Return to booking' }).click()
    await expect(visitor.getByLabel('Full Name')).toHaveValue(customer.name)
  })

  await test.step('while it is paid nobody else has the time, and the one who comes back has it again', async () => {
    const other = await newVisitor()
    await fillBooking(other, calendar, makePerson('Grace Hopper'), '2:00 PM')
    await other.getByRole('button', { name: 'Pay Now' }).click()
    await expect(other.getByRole('button', { name: 'Pay €45.00' })).toBeVisible()

    allowConsole(/409/)
    await fillBooking(visitor, calendar, customer, '2:00 PM', { isOffered: false })
    await other.goBack()
    await expect(other.getByLabel('Full Name')).toHaveValue('Grace Hopper')
    await fillBooking(visitor, calendar, customer, '2:00 PM')
    await visitor.getByRole('button', { name: 'Book & Pay Later' }).click()
    await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  })

  await test.step('a closed tab leaves a hold that no owner has to tidy up', async () => {
    const hasty = await newVisitor()
    await fillBooking(hasty, calendar, makePerson('Charles Babbage'), '4:00 PM')
    await hasty.getByRole('button', { name: 'Pay Now' }).click()
    await expect(hasty.getByRole('button', { name: 'Pay €45.00' })).toBeVisible()
    await hasty.close()
    await page.goto(settingsOf(calendar, 'transactions'))
    await expect(page.getByText('Charles Babbage')).toBeVisible()
    await expect(
      page
        .getByRole('main')
        .getByText(/^Pending/)
        .first(),
    ).toBeVisible()
  })
})

test('a practice on Business takes PayPal, and its customers choose how to pay', async ({
  page,
  newVisitor,
}) => {
  const { request } = page.context()
  await request.post('/api/auth/sign-in', {
    data: { email: 'demo@example.com', password: 'meridian-demo' },
  })
  // Uses a new calendar instead of the demo practice's own, which already has appointments.
  const calendar = await createCalendar(page, { person_name: 'Nora Lund' })
  await connectStripe(page, calendar)
  await createAppointmentType(page, calendar, PRICED)

  await test.step('the app is saved, its secret never shown again, and the account connected', async () => {
    await page.goto(settingsOf(calendar, 'payments'))
    await page.getByRole('button', { name: 'Connect PayPal' }).click()
    await expect(page.getByText(PROBLEMS['payment.paypal_incomplete'].title)).toBeVisible()
    const form = page.getByRole('form', { name: 'Payment settings' })
    await form.getByLabel('Client ID').fill('client-of-the-practice')
    await form.getByLabel('Client Secret').fill('a secret of the practice')
    await expect(form.getByRole('textbox', { name: 'Redirect URI' })).toHaveValue(
      /\/paypal-connect-callback$/,
    )
    await form.getByRole('button', { name: 'Save Payment Settings' }).click()
    await expect(page.getByText('Payment settings updated successfully')).toBeVisible()
    await expect(page.getByText('a secret of the practice')).toHaveCount(0)
    const tab = await openProvider(page, 'Connect PayPal')
    await tab.getByRole('button', { name: 'Log in and allow access' }).click()
    await expect(tab.getByText('PayPal account connected successfully!')).toBeVisible()
    await tab.close()
  })

  await test.step('a customer chooses PayPal, agrees there, and the money moves once', async () => {
    const customer = makePerson('Mary Somerville')
    const visitor = await newVisitor()
    await fillBooking(visitor, calendar, customer, '2:00 PM')
    await visitor.getByRole('button', { name: 'Pay Now' }).click()
    await expect(visitor.getByRole('heading', { name: 'How would you like to pay?' })).toBeVisible()
    await expect(visitor.getByRole('button', { name: 'Credit Card' })).toBeVisible()
    await visitor.getByRole('button', { name: 'PayPal' }).click()
    await visitor.getByRole('button', { name: 'Pay €45.00' }).click()
    await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    await waitForMail({ to: customer.email, subject: 'confirmed' })
    await page.goto(settingsOf(calendar, 'transactions'))
    await expect(page.getByText('Completed')).toHaveCount(1)
  })
})

function settingsOf(calendar: Calendar, tab: string): string {
  return `/calendar/${calendar.id}/settings?tab=${tab}`
}

/** Presses a button that opens the provider in a new tab. */
async function openProvider(page: Page, button: string): Promise<Page> {
  const opened = page.context().waitForEvent('page')
  await page.getByRole('button', { name: button }).click()
  return opened
}

/** Fills in the booking page up to the buttons that submit it, unless the time is not offered. */
async function fillBooking(
  page: Page,
  calendar: Calendar,
  customer: Person,
  time: string,
  { isOffered } = { isOffered: true },
): Promise<void> {
  await page.goto(`/book/${calendar.slug}`)
  await chooseType(page.getByRole('main'))
  await chooseDate(page, nextTuesday())
  await expect(
    page.getByRole('button', { name: '1:15 PM', exact: true }).or(page.getByText('1:00 PM')).first(),
  ).toBeVisible()
  const slot = page.getByRole('button', { name: time, exact: true })
  if (!isOffered) {
    await expect(slot).toHaveCount(0)
    return
  }
  await slot.click()
  await page.getByLabel('Full Name').fill(customer.name)
  await page.getByLabel('Email Address').fill(customer.email)
}

async function chooseType(main: Locator): Promise<void> {
  await main.getByText('Massage').first().click()
}

async function confirmIn(page: Page): Promise<void> {
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /refund/i })
    .click()
}
