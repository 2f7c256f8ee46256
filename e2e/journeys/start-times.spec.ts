import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { openTypeForm } from '#e2e/support/open-type-form.ts'
import {
  bookAppointment,
  chooseDate,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner packs a type of 50 minutes, and customers find times without a gap', async ({
  page,
  newVisitor,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await bookAppointment(page.request, calendar, {
    startsAt: toInstant(nextTuesday(), '10:30'),
    person: makePerson('Grace Hopper'),
  })
  const dialog = await openTypeForm(page, calendar, 'Therapy')
  await dialog.getByLabel('Duration (minutes)').fill('50')
  await expect(dialog.getByText(/leaves 10 minutes free before the next start/)).toBeVisible()
  await dialog.getByText('Start times', { exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Appointments start' }).click()
  await page.getByRole('option', { name: 'Every so many minutes' }).click()
  await dialog.getByLabel('Minutes between two starts').fill('7')
  await expect(dialog.getByText('Please use 5 to 240 minutes, in steps of 5.')).toBeVisible()
  await dialog.getByLabel('Minutes between two starts').fill('120')
  await dialog.getByLabel('Also right before and after other appointments').check()
  await expect(dialog.getByText(/leaves 10 minutes free/)).toHaveCount(0)
  const sentence =
    'Customers can start every 120 minutes. They can also start right after another appointment, or end right before one.'
  await expect(dialog.getByText(sentence)).toBeVisible()
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('article', { name: 'Therapy' })).toBeVisible()

  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  await chooseDate(visitor, nextTuesday())
  const times = visitor.getByRole('group', { name: /Morning|Afternoon|Evening/ }).getByRole('button')
  await expect(times).toHaveText(['9:00 AM', '9:40 AM', '11:00 AM', '1:00 PM', '3:00 PM'])
})
