import type { Page } from '@playwright/test'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import {
  bookAppointment,
  buyProfessionalPlan,
  chooseDate,
  chooseTime,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

const PHONE = { width: 375, height: 667 }

// Source: rules T38, T39 and T41.
test('an owner with two calendars is booked once, until one of them is somebody else’s', async ({
  page,
  newVisitor,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const first = await createCalendar(page, { name: 'Berg Law' })
  await buyProfessionalPlan(page)
  const date = nextTuesday()

  await test.step('the owner makes a second calendar of their own time', async () => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Create Calendar' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create Calendar' })
    await dialog.getByLabel(/^Name/).fill('Tenancy Law')
    const question = dialog.getByRole('group', { name: 'Whose time is this?' })
    await expect(question.getByRole('radio', { name: 'Mine' })).toBeChecked()
    await expectNoAxeFindings(page)
    await dialog.getByRole('button', { name: 'Create Calendar' }).click()
    await expect(page.getByText('Calendar created successfully!')).toBeVisible()
  })
  const second = page.getByRole('article', { name: 'Tenancy Law' })
  const secondPage = await second.getByRole('link', { name: 'View Booking Page' }).getAttribute('href')

  const phone = await newVisitor()
  await phone.setViewportSize(PHONE)
  await test.step('a customer books 9:30 on the first, on a phone', async () => {
    await phone.goto(`/book/${first.slug}`)
    await chooseDate(phone, date)
    await chooseTime(phone, '9:30 AM')
    const customer = makePerson('Alan Turing')
    await phone.getByLabel('Full Name').fill(customer.name)
    await phone.getByLabel('Email Address').fill(customer.email)
    await phone.getByRole('button', { name: 'Book appointment' }).click()
    await expect(phone.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  })

  await test.step('so it is not offered on the second', async () => {
    await expectOffered(phone, secondPage, { date, isOffered: false })
  })

  await test.step('the owner gives the second calendar to somebody else', async () => {
    await second.getByRole('link', { name: 'Manage' }).click()
    await expect(page.getByText(/^Also booked on: Berg Law$/)).toBeVisible()
    await page.getByRole('button', { name: 'Change person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Whose time is this?' })
    await dialog.getByRole('radio', { name: 'Somebody else’s' }).check()
    await dialog.getByLabel(/^Their name/).fill('Jon Osei')
    await expect(dialog.getByText('This calendar will use Jon Osei’s time')).toBeVisible()
    await expectNoAxeFindings(page)
    await page.keyboard.press('Enter')
    await expect(page.getByText('This calendar now uses Jon Osei’s time.')).toBeVisible()
    await expect(page.getByText('Jon Osei', { exact: true })).toBeVisible()
  })

  await test.step('and 9:30 is offered there again', async () => {
    await expectOffered(phone, secondPage, { date, isOffered: true })
  })

  await test.step('booked there as well, the calendar cannot be given back, and the owner reads why', async () => {
    const slug = secondPage?.split('/').at(-1) ?? ''
    await bookAppointment(
      page.context().request,
      { ...first, slug },
      { startsAt: toInstant(date, '9:30'), person: makePerson('Grace Hopper') },
    )
    await page.getByRole('button', { name: 'Change person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Whose time is this?' })
    await dialog.getByRole('radio', { name: 'Mine' }).check()
    const overlaps = dialog.getByRole('list', { name: 'Overlapping appointments' })
    await expect(overlaps).toContainText('Grace Hopper')
    await expect(overlaps).toContainText('Alan Turing')
    await expect(dialog.getByRole('button', { name: 'Change person' })).toBeDisabled()
    await expectNoAxeFindings(page)
    const opened = page.waitForEvent('popup')
    await overlaps.getByRole('link', { name: 'Alan Turing' }).click()
    await expect((await opened).getByRole('button', { name: 'Alan Turing', exact: true })).toBeVisible()
  })
})

/**
 * Checks whether a booking page offers 9:30 on a day. It waits for 9:00, which shows that the times have loaded. Calendars
 * created in the browser have its 24-hour clock.
 */
async function expectOffered(
  page: Page,
  address: string | null,
  { date, isOffered }: { date: string; isOffered: boolean },
): Promise<void> {
  await page.goto(address ?? '')
  await chooseDate(page, date)
  await expect(page.getByRole('button', { name: '09:00', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: '09:30', exact: true })).toHaveCount(isOffered ? 1 : 0)
}
