import type { Page } from '@playwright/test'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { connectStripe } from '#e2e/support/connect.ts'
import {
  buyProfessionalPlan,
  chooseDate,
  chooseTime,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

// Source: rules C16, C17 and F14.
test('a duplicated calendar is paid through the account of the original, and keeps it', async ({
  page,
  newVisitor,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const original = await createCalendar(page, { name: 'Berg Massage' })
  await connectStripe(page, original)
  await createAppointmentType(page, original, { name: 'Massage', duration: 45, price: 45 })
  await buyProfessionalPlan(page)

  await test.step('the owner duplicates it with the keyboard', async () => {
    await page.goto('/dashboard')
    const card = page.getByRole('article', { name: 'Berg Massage' })
    await card.getByRole('button', { name: 'Duplicate' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Duplicate calendar' })
    await expect(dialog.getByLabel(/^Name/)).toHaveValue('Copy of Berg Massage')
    await expectNoAxeFindings(page)
    await dialog.getByLabel(/^Name/).fill('Berg Evenings')
    await dialog.getByLabel(/^Name/).press('Enter')
    const link = page.getByRole('link', { name: 'Open the copy' })
    await expect(link).toBeFocused()
    await expectNoAxeFindings(page)
    await link.press('Enter')
    await expect(page.getByRole('heading', { name: 'Berg Evenings', level: 1 })).toBeVisible()
  })
  const copyPath = new URL(page.url()).pathname
  const slug = 'berg-evenings'
  const visitor = await newVisitor()

  await test.step('nobody can book the copy yet', async () => {
    await visitor.goto(`/book/${slug}`)
    await expect(visitor.getByText('This calendar isn’t taking new bookings right now.')).toBeVisible()
  })

  await test.step('one press connects the account of the original', async () => {
    await page.goto(`${copyPath}?tab=payments`)
    await page.getByRole('button', { name: 'Use the account of Berg Massage' }).click()
    await expect(page.getByText('Stripe account connected successfully!')).toBeVisible()
    await expect(page.getByText('Connected as')).toBeVisible()
    await expectNoAxeFindings(page)
    await page.getByRole('button', { name: 'Take bookings' }).click()
    await expect(page.getByText('Customers can book now')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Take bookings' })).toHaveCount(0)
  })

  await test.step('the original is disconnected, and customers of the copy still pay', async () => {
    await page.goto(`/calendar/${original.id}/settings?tab=payments`)
    await page.getByRole('button', { name: 'Disconnect Stripe' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.getByText('Stripe account disconnected')).toBeVisible()
    await payForMassage(visitor, slug)
  })
})

/** A customer books the only type of a calendar and pays by card. */
async function payForMassage(visitor: Page, slug: string): Promise<void> {
  const customer = makePerson('Ada Lovelace')
  await visitor.goto(`/book/${slug}`)
  await visitor.getByRole('main').getByText('Massage', { exact: true }).first().click()
  await chooseDate(visitor, nextTuesday())
  await chooseTime(visitor, '2:00 PM')
  await visitor.getByLabel('Full Name').fill(customer.name)
  await visitor.getByLabel('Email Address').fill(customer.email)
  await visitor.getByRole('button', { name: 'Pay Now' }).click()
  await visitor.getByRole('button', { name: 'Pay €45.00' }).click()
  await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
}
