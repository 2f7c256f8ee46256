import { START_REASON_SENTENCES } from '#contract/appointments/owner-booking-problems.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
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

test('an owner limits a day, customers can then only wait for it, and the owner reads why', async ({
  page,
  newVisitor,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await page.goto(`/calendar/${calendar.id}/settings?tab=availability`)
  const limits = page.getByRole('group', { name: 'Limits' })
  await limits.getByRole('button', { name: 'Add limit' }).click()
  await limits.getByRole('button', { name: 'Add limit' }).click()
  const [ofDay, ofWeek] = [
    limits.getByRole('spinbutton', { name: 'At most' }).first(),
    limits.getByRole('spinbutton', { name: 'At most' }).last(),
  ]
  await ofWeek.fill('5')
  await expect(limits.getByText(PROBLEMS['booking_limits.out_of_order'].title)).toBeVisible()
  await expectNoAxeFindings(page)
  await ofDay.fill('1')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.locator('[data-toaster]').getByText(/^Time slot settings updated/)).toBeVisible()
  await bookAppointment(page.request, calendar, {
    startsAt: toInstant(nextTuesday(), '09:00'),
    person: makePerson('Grace Hopper'),
  })

  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  await chooseDate(visitor, nextTuesday())
  await expect(visitor.getByText('This day is fully booked.')).toBeVisible()
  await expect(
    visitor.getByRole('button', { name: 'Can’t find a time? Join the waiting list' }),
  ).toBeVisible()

  await page.reload()
  await expect(ofDay).toHaveValue('1')
  await page.getByRole('button', { name: 'Why isn’t a time offered?' }).click()
  const dialog = page.getByRole('dialog', { name: 'Why isn’t this time offered?' })
  await dialog.getByLabel('Date').fill(nextTuesday())
  await dialog.getByLabel('Start').fill('11:00')
  await expect(dialog.getByText('This day has 1 of at most 1 appointment.')).toBeVisible()
  await expect(dialog.getByText(START_REASON_SENTENCES.outside_hours)).toHaveCount(0)
  await expectNoAxeFindings(page)
})

test('an owner limits one appointment type, and the others stay free', async ({ page, newVisitor }) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const dialog = await openTypeForm(page, calendar, 'House call')
  await dialog.getByText('Limits', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Add limit' }).click()
  await dialog.getByRole('spinbutton', { name: 'At most' }).fill('1')
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('article', { name: 'House call' })).toBeVisible()
  const answer = await page.request.get(`/api/calendars/${calendar.id}/appointment-types`)
  const [houseCall] = (await answer.json()).appointment_types
  const other = await page.request.post(`/api/calendars/${calendar.id}/appointment-types`, {
    data: { name: 'Call' },
  })
  expect(other.status()).toBe(201)
  await bookAppointment(page.request, calendar, {
    startsAt: toInstant(nextTuesday(), '09:00'),
    person: makePerson('Grace Hopper'),
    typeId: houseCall.id,
  })

  const visitor = await newVisitor()
  const times = async (typeId: string) => {
    const query = `date=${nextTuesday()}&appointment_type_id=${typeId}`
    const found = await visitor.request.get(`/api/public/calendars/${calendar.slug}/slots?${query}`)
    return (await found.json()).slots.length
  }
  expect(await times(houseCall.id)).toBe(0)
  expect(await times((await other.json()).id)).toBe(15)
})
