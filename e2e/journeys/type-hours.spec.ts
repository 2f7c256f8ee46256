import { START_REASON_SENTENCES } from '#contract/appointments/owner-booking-problems.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { openTypeForm } from '#e2e/support/open-type-form.ts'
import { chooseDate, createCalendar, makePerson, nextTuesday, signUp } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner gives a type hours of its own, and customers find only those, on its own grid', async ({
  page,
  newVisitor,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const dialog = await openTypeForm(page, calendar, 'First visit')
  await dialog.getByText('Own hours', { exact: true }).click()
  await expect(dialog.getByText('Customers can book this type whenever the calendar is open.')).toBeVisible()
  const add = dialog.getByRole('button', { name: 'Add hours' })
  await add.click()
  await add.click()
  const [first, second] = [
    dialog.getByRole('group', { name: 'Time range 1' }),
    dialog.getByRole('group', { name: 'Time range 2' }),
  ]
  await first.getByRole('combobox', { name: 'Day' }).click()
  await page.getByRole('option', { name: 'Tuesday' }).click()
  await first.getByLabel('Start time').fill('09:20')
  await first.getByLabel('End time').fill('10:30')
  await expect(second.getByText(PROBLEMS['availability.overlap'].title)).toBeVisible()
  await second.getByLabel('Start time').fill('16:00')
  await second.getByLabel('End time').fill('20:00')
  const sentence =
    'Customers can book this type on Tuesday 9:20 AM – 10:30 AM, 4:00 PM – 8:00 PM, when the calendar is open too.'
  await expect(dialog.getByText(sentence)).toBeVisible()
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('article', { name: 'First visit' })).toBeVisible()

  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  await chooseDate(visitor, nextTuesday())
  const times = visitor.getByRole('group', { name: /Morning|Afternoon|Evening/ }).getByRole('button')
  await expect(times).toHaveText(['9:20 AM', '9:50 AM', '4:00 PM', '4:30 PM'])

  await page.goto(`/calendar/${calendar.id}/settings?tab=availability`)
  await page.getByRole('button', { name: 'Why isn’t a time offered?' }).click()
  const why = page.getByRole('dialog', { name: 'Why isn’t this time offered?' })
  await why.getByLabel('Date').fill(nextTuesday())
  await why.getByLabel('Start').fill('12:00')
  await expect(why.getByText(START_REASON_SENTENCES.outside_type_hours)).toBeVisible()
  await expectNoAxeFindings(page)
})
