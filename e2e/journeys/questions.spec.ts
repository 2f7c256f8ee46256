import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { openAppointment } from '#e2e/support/open-appointment.ts'
import {
  chooseDate,
  chooseTime,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
} from '#e2e/support/people.ts'
import { takeScreenshot } from '#e2e/support/take-picture.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner asks questions, a customer answers them, and the owner reads the answers', {
  tag: '@phone',
}, async ({ page, newVisitor, allowConsole }) => {
  allowConsole(/400/)
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage)
  await ownerPage.goto(`/calendar/${calendar.id}/settings?tab=types`)

  const dialog = ownerPage.getByRole('dialog', { name: 'Add question' })
  const add = async (label: string, more: () => Promise<void>) => {
    await ownerPage.getByRole('button', { name: 'Add question' }).first().click()
    await dialog.getByLabel('Question').fill(label)
    await more()
    await dialog.getByRole('button', { name: 'Add question' }).click()
    await expect(ownerPage.getByRole('article', { name: label })).toBeVisible()
  }
  const chooseKind = async (kind: string) => {
    await dialog.getByRole('combobox', { name: 'Kind of answer' }).click()
    await ownerPage.getByRole('option', { name: kind, exact: true }).click()
  }
  await add('What brings you here?', async () => {
    await dialog.getByLabel('Customers must answer').check()
    await dialog.getByRole('checkbox', { name: 'Private' }).check()
    await expectNoAxeFindings(ownerPage)
  })
  await add('Have you been here before?', () => chooseKind('Yes or no'))
  await add('When was your last visit?', async () => {
    await dialog.getByRole('combobox', { name: 'Ask only after an answer to' }).click()
    await ownerPage.getByRole('option', { name: 'Have you been here before?' }).click()
  })
  await ownerPage.getByRole('button', { name: 'Move up Have you been here before?' }).click()
  await expect(ownerPage.getByText('Order changed').first()).toBeVisible()
  await expectNoAxeFindings(ownerPage)

  const customer = makePerson('Alan Turing')
  await page.goto(`/book/${calendar.slug}`)
  await chooseDate(page, nextTuesday())
  await chooseTime(page, '2:00 PM')
  await page.getByLabel('Full Name').fill(customer.name)
  await page.getByLabel('Email Address').fill(customer.email)
  await expect(page.getByLabel('When was your last visit?')).toHaveCount(0)
  await page.getByRole('radio', { name: 'Yes', exact: true }).check()
  await page.getByLabel('When was your last visit?').fill('In March')
  await page.getByRole('button', { name: 'Book appointment' }).click()
  const reason = page.getByLabel('What brings you here?')
  await expect(reason).toBeFocused()
  await expect(reason).toHaveAccessibleDescription('Please answer this question.')
  await expectNoAxeFindings(page)
  await takeScreenshot(page)
  await reason.fill('<b>My back</b>')
  await page.getByRole('button', { name: 'Book appointment' }).click()
  await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()

  await ownerPage.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  const details = await openAppointment(ownerPage, customer.name)
  const answers = details.getByRole('region', { name: 'Answers' })
  await expect(answers.getByText('<b>My back</b>')).toBeVisible()
  await expect(answers.getByText('In March')).toBeVisible()
  await expectNoAxeFindings(ownerPage)

  // The owner books for somebody who phones, and enters one answer.
  await ownerPage.keyboard.press('Escape')
  await ownerPage.getByRole('button', { name: 'New appointment' }).click()
  const booking = ownerPage.getByRole('dialog', { name: 'New appointment' })
  await booking.getByLabel('Customer').fill('Grace Hopper')
  await booking.getByLabel('Date').fill(nextTuesday())
  await booking.getByRole('button', { name: '3:00 PM' }).click()
  await booking.getByLabel('What brings you here? (optional)').fill('A fall')
  await expectNoAxeFindings(ownerPage)
  await takeScreenshot(ownerPage)
  await booking.getByRole('button', { name: 'Book appointment' }).click()
  await expect(ownerPage.getByText('Appointment booked successfully!').first()).toBeVisible()
  const booked = await openAppointment(ownerPage, 'Grace Hopper')
  await expect(booked.getByRole('region', { name: 'Answers' }).getByText('A fall')).toBeVisible()
})
