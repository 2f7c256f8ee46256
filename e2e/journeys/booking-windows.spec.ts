import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { createAppointmentType, createCalendar, makePerson, signUp } from '#e2e/support/people.ts'
import { takeScreenshot } from '#e2e/support/take-picture.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner sets booking windows, and customers read until when they can book', {
  tag: '@phone',
}, async ({ page, newVisitor }) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await createAppointmentType(page, calendar, { name: 'Visit' })
  await page.goto(`/calendar/${calendar.id}/settings?tab=availability`)
  const settings = page.getByRole('form', { name: 'Time slot settings' })
  await settings.getByRole('combobox', { name: 'Booking window' }).click()
  await page.getByRole('option', { name: 'A number of open days' }).click()
  await settings.getByLabel('Days after today').fill('5')
  await expect(
    settings.getByText('Customers can book today and the next 5 days with opening hours.'),
  ).toBeVisible()
  await expectNoAxeFindings(page)
  await settings.getByLabel('Days after today').scrollIntoViewIfNeeded()
  await takeScreenshot(page)
  await settings.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText(/^Time slot settings updated/).first()).toBeVisible()

  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  await expect(visitor.getByText(/^You can book until /)).toBeVisible()
  await takeScreenshot(visitor)

  await page.goto(`/calendar/${calendar.id}/settings?tab=types`)
  await page.getByRole('button', { name: 'Edit Visit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Appointment Type' })
  await form.locator('summary', { hasText: 'Booking window' }).click()
  await form.getByRole('combobox', { name: 'Booking window' }).click()
  await page.getByRole('option', { name: 'Between two dates' }).click()
  await form.getByLabel('First day').fill('2027-03-05')
  await form.getByLabel('Last day').fill('2027-03-04')
  await expect(form.getByText('The last day is before the first day.')).toBeVisible()
  await form.getByLabel('First day').fill('2020-03-05')
  await form.getByLabel('Last day').fill('2020-03-12')
  await expect(form.getByText(/^Customers could book until Thursday, March 12, 2020/)).toBeVisible()
  await expectNoAxeFindings(page)
  await takeScreenshot(page)
  await form.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Appointment type updated!').first()).toBeVisible()

  await visitor.goto(`/book/${calendar.slug}`)
  await expect(visitor.getByText('Bookings ended on March 12, 2020.').first()).toBeVisible()
  await takeScreenshot(visitor)
})
