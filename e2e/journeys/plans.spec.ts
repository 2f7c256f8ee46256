import type { Locator, Page } from '@playwright/test'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { enlargeText, expectReadable } from '#e2e/support/large-text.ts'
import {
  bookAppointment,
  createCalendar,
  makePerson,
  nextTuesday,
  openPricingPage,
  type Person,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

const SUBSCRIPTION = '/profile?tab=subscription'

/** Test card numbers of the stand-in. */
const FAILS_AT_RENEWAL = '4000 0000 0000 0341'
const PAYS = '4242 4242 4242 4242'

test('a plan is bought, changed, not paid, paid again and ended', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  test.setTimeout(120_000)
  // A guest may press before the page knows that nobody is logged in; the server then says so.
  allowConsole(/401.*subscription\/checkout/)
  const owner = makePerson('Ida Berg')
  await signUp(await newVisitor(), owner)

  await test.step('a guest who subscribes logs in and is led on to the purchase', async () => {
    await openPricingPage(page)
    await page.getByRole('button', { name: 'Subscribe: Professional' }).click()
    await expect(page.getByText('Please log in to subscribe')).toBeVisible()
    await page.getByLabel(/^Email/).fill(owner.email)
    await page.getByLabel(/^Password/).fill(owner.password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(page.getByText('€9.99 per month')).toBeVisible()
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByText('Your subscription is active. Thank you!')).toBeVisible()
    await expect(page.getByText('You’re on the Free plan')).toHaveCount(0)
  })

  await test.step('the profile says what is paid, how much and when next', async () => {
    await page.goto(SUBSCRIPTION)
    await expect(page.getByText('You pay monthly for the Professional plan')).toBeVisible()
    await expect(page.getByText(/^The next payment is €9\.99 on /)).toBeVisible()
    await expect(page.getByText('Paid', { exact: true })).toBeVisible()
    await expectNoAxeFindings(page)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByText('Subscription status refreshed')).toBeVisible()
  })

  await test.step('a larger plan is confirmed in the portal and opens at once', async () => {
    await page.goto('/pricing')
    const portal = await openPortal(page, page.getByRole('button', { name: 'Upgrade: Business' }))
    await portal.getByRole('button', { name: 'Change to Meridian Business' }).click()
    await expectBack(portal, 'You pay monthly for the Business plan')
    await closePortal(page, portal)
    await expect(page.getByRole('button', { name: 'Manage plan: Business' })).toBeVisible()
    await expectNoAxeFindings(page)
  })

  await test.step('a payment that fails stands above the calendars until a better card is there', async () => {
    await page.goto(SUBSCRIPTION)
    const manage = await openPortal(page, page.getByRole('button', { name: 'Manage subscription' }))
    await typeCard(manage, FAILS_AT_RENEWAL)
    const operator = await openOperator(manage)
    await operatorPresses(operator, owner, 'A month later')
    await page.goto('/dashboard')
    await expectSoon(page, 'The payment for your Business plan failed')
    await expectNoAxeFindings(page)
    await manage.close()

    const card = await openPortal(page, page.getByRole('button', { name: 'Update card' }))
    await typeCard(card, PAYS)
    await operatorPresses(operator, owner, 'Try the payment again')
    await closePortal(page, card)
    await expect(page.getByText('The payment for your Business plan failed')).toHaveCount(0)
    await operator.close()
  })

  await test.step('an ended plan stays until the month is over, and can be kept', async () => {
    await page.goto(SUBSCRIPTION)
    await page.getByRole('button', { name: 'End plan' }).click()
    const dialog = page.getByRole('dialog', { name: 'End the Business plan?' })
    await expect(dialog.getByText('You have no calendars yet.')).toBeVisible()
    const portal = await openPortal(page, dialog.getByRole('button', { name: 'Continue' }))
    await portal.getByRole('button', { name: 'End the plan' }).click()
    await expectBack(portal, /^Your Business plan ends on /)
    await closePortal(page, portal)
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText(/^Your Business plan ends on /)).toBeVisible()
    await expectNoAxeFindings(page)
    const again = await openPortal(page, page.getByRole('button', { name: 'Keep this plan' }))
    await again.getByRole('button', { name: 'Keep Meridian Business' }).click()
    await expect(again.getByText(/^Renews on /)).toBeVisible()
    await closePortal(page, again)
    await expect(page.getByText('You pay monthly for the Business plan')).toBeVisible()
  })
})

test('on the way to a smaller plan the owner chooses which calendar stays open', { tag: '@slow' }, async ({
  page,
  newVisitor,
}) => {
  test.setTimeout(120_000)
  const owner = makePerson('Nora Lindqvist')
  await signUp(page, owner)
  await openPricingPage(page)
  await page.getByRole('button', { name: 'Subscribe: Professional' }).click()
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expect(page.getByText('Your subscription is active. Thank you!')).toBeVisible()
  const [walks, talks, yoga] = await Promise.all(
    ['Walks', 'Talks', 'Yoga'].map((name) => createCalendar(page, { name })),
  )
  if (walks === undefined || talks === undefined || yoga === undefined) throw new Error('no calendars')
  const branding = `/api/calendars/${yoga.id}/branding`
  const branded = await page.context().request.patch(branding, {
    data: { welcome_message: 'Welcome to the studio.', was: { welcome_message: '' } },
  })
  expect(branded.status(), await branded.text()).toBe(200)
  const visitor = await newVisitor()
  await bookAppointment(visitor.context().request, walks, {
    startsAt: toInstant(nextTuesday(), '11:00'),
    person: makePerson('Ada Lovelace'),
  })

  await test.step('the effect is shown before the change', async () => {
    await page.goto('/pricing')
    await page.getByRole('button', { name: 'Change to this plan: Free' }).click()
    const dialog = page.getByRole('dialog', { name: 'End the Professional plan?' })
    await expect(dialog.getByText('The Free plan allows 1 calendar, and you have 3.')).toBeVisible()
    await expect(dialog.getByRole('radio', { name: 'Walks' })).toBeChecked()
    await dialog.getByRole('radio', { name: 'Yoga' }).check()
    await expect(dialog.getByText('Walks: 1 upcoming appointment')).toBeVisible()
    await expectNoAxeFindings(page)
    const portal = await openPortal(page, dialog.getByRole('button', { name: 'Continue' }))
    await portal.getByRole('button', { name: 'End the plan' }).click()
    await expectBack(portal, /^Your Professional plan ends on /)
    await closePortal(page, portal)
  })

  await test.step('at the end of the month the others are paused', async () => {
    const portal = await openPortal(page, page.getByRole('button', { name: 'Manage subscription' }))
    const operator = await openOperator(portal)
    await operatorPresses(operator, owner, 'A month later')
    await page.goto('/dashboard')
    await expectSoon(page, '2 calendars are paused')
    await expect(page.getByText('You’re on the Free plan')).toBeVisible()
    const card = (name: string) => page.getByRole('article', { name, exact: true })
    await expect(card('Walks').getByText('Paused')).toBeVisible()
    await expect(card('Talks').getByText('Paused')).toBeVisible()
    await expect(card('Yoga').getByText('Paused')).toHaveCount(0)
    await expectNoAxeFindings(page)
    await portal.close()
    await operator.close()
  })

  await test.step('branding that the plan no longer includes can be deleted, also with large text on a phone', async () => {
    const phone = await page.context().newPage()
    await enlargeText(phone, 320)
    await phone.goto(`/calendar/${yoga.id}/settings?tab=branding`)
    await phone.getByRole('button', { name: 'Delete branding' }).click()
    await expect(phone.getByRole('alertdialog', { name: 'Delete this branding?' })).toBeVisible()
    await expectReadable(phone)
    await phone.close()
  })

  await test.step('customers read that no new bookings are taken, and the booked one stays', async () => {
    await visitor.goto(`/book/${walks.slug}`)
    await expect(visitor.getByText(PROBLEMS['calendar.paused'].title)).toBeVisible()
    await expectNoAxeFindings(visitor)
    await visitor.goto(`/book/${yoga.slug}`)
    await expect(visitor.getByRole('button', { name: /next weeks/i })).toBeVisible()
    await page.goto(`/calendar/${walks.id}/settings?tab=appointments`)
    await expect(page.getByText(/so this one takes no new bookings/)).toBeVisible()
    await expect(page.getByText('Ada Lovelace')).toBeVisible()
  })

  await test.step('the choice can be changed once, and says until when it stays', async () => {
    await page.getByRole('link', { name: 'Choose calendars' }).click()
    await page.getByRole('radio', { name: 'Walks' }).check()
    await page.getByRole('button', { name: 'Save choice' }).click()
    await expect(page.getByText('Your choice has been saved. The other calendars are paused.')).toBeVisible()
    await expect(page.getByText(/^You recently changed which calendars stay open\./)).toBeVisible()
    await expectNoAxeFindings(page)
    await visitor.goto(`/book/${walks.slug}`)
    await expect(visitor.getByRole('button', { name: /next weeks/i })).toBeVisible()
  })
})

/** Presses the button that opens the billing portal in a new tab. */
async function openPortal(page: Page, button: Locator): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await button.click()
  const portal = await opened
  await expect(portal.getByRole('link', { name: 'Return to Meridian' })).toBeVisible()
  return portal
}

/** Closes the portal and returns to the first tab. A headless browser does not fire the visibility event, so the test does. */
async function closePortal(page: Page, portal: Page): Promise<void> {
  await portal.close()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
}

async function typeCard(portal: Page, card: string): Promise<void> {
  await portal.getByLabel('Card number').fill(card)
  await portal.getByRole('button', { name: 'Save card' }).click()
  // If the portal page was opened only to change the card, it returns to Meridian afterwards.
  await expect(
    portal
      .getByText(`•••• ${card.slice(-4)}`)
      .or(portal.getByRole('heading', { name: 'Profile' }))
      .first(),
  ).toBeVisible()
}

/** Opens the stand-in's dashboard, where the operator sees every customer and can advance time. */
async function openOperator(portal: Page): Promise<Page> {
  const operator = await portal.context().newPage()
  await operator.goto(new URL('/dashboard', portal.url()).href)
  return operator
}

async function operatorPresses(operator: Page, owner: Person, name: string): Promise<void> {
  const customer = operator.locator('section').filter({
    has: operator.getByRole('heading', { name: owner.email }),
  })
  await operator.reload()
  await customer.getByRole('button', { name }).click()
  await expect(customer).toBeVisible()
}

/** Checks that the portal returns to the profile, which then asks the provider for the plan's status. */
async function expectBack(portal: Page, text: string | RegExp): Promise<void> {
  await expect(portal).toHaveURL(/\/profile\?tab=subscription$/)
  await expect(portal.getByText(text)).toBeVisible()
}

/** Waits for the provider's webhook to reach Meridian, which takes a moment. */
async function expectSoon(page: Page, text: string | RegExp): Promise<void> {
  await expect(async () => {
    await page.reload()
    await expect(page.getByText(text)).toBeVisible({ timeout: 2_000 })
  }).toPass()
}
