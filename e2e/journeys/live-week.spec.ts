import type { Locator, Page } from '@playwright/test'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import {
  bookAppointment,
  chooseDate,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { takeScreenshot } from '#e2e/support/take-picture.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner sees the week change with a type’s rules before saving, and customers then get exactly those times', async ({
  page,
  newVisitor,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const { id: typeId } = await createAppointmentType(page, calendar, { name: 'Visit' })
  const startsAt = toInstant(nextTuesday(), '11:00')
  await bookAppointment(page.request, calendar, { startsAt, person: makePerson('Grace Hopper'), typeId })

  await page.goto(`/calendar/${calendar.id}/settings?tab=types`)
  await page.getByRole('button', { name: 'Edit Visit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Appointment Type' })
  const tuesday = await showTuesday(form)
  await expect(tuesday).toContainText('9:00 AM – 4:30 PM · 15 times')

  await form.locator('summary', { hasText: 'Preparation and wrap-up' }).click()
  await form.getByLabel('Preparation (minutes)').fill('30')
  await expect(tuesday).toContainText('9:00 AM – 4:30 PM · 14 times')

  await addTuesdayHours(page, form)
  await expect(tuesday).toContainText('10:00 AM – 12:30 PM · 4 times')

  await form.locator('summary', { hasText: 'Limits' }).click()
  await form.getByRole('button', { name: 'Add limit' }).click()
  await form.getByRole('spinbutton', { name: 'At most' }).fill('1')
  await expect(tuesday).toContainText('No times')
  await form.getByRole('spinbutton', { name: 'At most' }).fill('0')
  await expect(form.getByText('A rule isn’t valid yet. The times stay as they were.')).toBeVisible()
  await expect(tuesday).toContainText('No times')
  await form.getByRole('spinbutton', { name: 'At most' }).fill('2')
  await expect(tuesday).toContainText('10:00 AM – 12:30 PM · 4 times')

  await form.locator('summary', { hasText: 'Booking window' }).click()
  await form.getByRole('combobox', { name: 'Booking window' }).click()
  await page.getByRole('option', { name: 'A number of days', exact: true }).click()
  await form.getByLabel('Days after today').fill('1')
  await expect(tuesday).toContainText('No times')
  await form.getByLabel('Days after today').fill('20')
  await tuesday.locator('summary').click()
  const times = ['10:00 AM', '10:30 AM', '12:00 PM', '12:30 PM']
  await expect(tuesday.getByRole('listitem')).toHaveText(times)
  await expectNoAxeFindings(page)
  await takeScreenshot(page)

  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  await chooseDate(visitor, nextTuesday())
  const offered = visitor.getByRole('group', { name: /Morning|Afternoon|Evening/ }).getByRole('button')
  await expect(offered).toHaveCount(15)
  await form.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Appointment type updated!').first()).toBeVisible()
  await visitor.reload()
  await chooseDate(visitor, nextTuesday())
  await expect(offered).toHaveText(times)
})

/** Shows the seven days with next Tuesday, which may be more than six days away, and returns that day. */
async function showTuesday(form: Locator): Promise<Locator> {
  const today = localDateOf(Date.now(), 'Europe/London')
  const isNextWeek = toDayNumber(nextTuesday()) - toDayNumber(today) > 6
  if (isNextWeek) await form.getByRole('button', { name: 'Next seven days' }).click()
  return form.getByRole('list', { name: 'Offered times' }).getByRole('listitem', { name: /^Tue, / })
}

/** Gives the type hours on Tuesday from 10:00 to 13:00. */
async function addTuesdayHours(page: Page, form: Locator): Promise<void> {
  await form.getByText('Own hours', { exact: true }).click()
  await form.getByRole('button', { name: 'Add hours' }).click()
  const range = form.getByRole('group', { name: 'Time range 1' })
  await range.getByRole('combobox', { name: 'Day' }).click()
  await page.getByRole('option', { name: 'Tuesday' }).click()
  await range.getByLabel('Start time').fill('10:00')
  await range.getByLabel('End time').fill('13:00')
}
