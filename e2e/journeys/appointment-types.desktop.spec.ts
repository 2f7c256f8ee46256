import type { Page } from '@playwright/test'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { findLink, waitForMail } from '#e2e/support/mailbox.ts'
import { openTypeForm } from '#e2e/support/open-type-form.ts'
import {
  bookAppointment,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

const FEE_NOTE = '€90, paid at the appointment'

test('a type has the place, the fee note and the preparation that its owner chose; the customer reads the first two', async ({
  page,
  newVisitor,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  for (const [name, address] of [
    ['Attic', '1 High Road'],
    ['Cellar', '2 Low Road'],
  ]) {
    await page.context().request.post(`/api/calendars/${calendar.id}/locations`, { data: { name, address } })
  }
  const dialog = await openTypeForm(page, calendar, 'Massage')
  await dialog.getByText('Preparation and wrap-up').click()
  await dialog.getByLabel('Preparation (minutes)').fill('15')
  await dialog.getByLabel('Wrap-up (minutes)').fill('5')
  const example = 'You’re busy from 9:45 AM to 10:35 AM for an appointment from 10:00 AM to 10:30 AM.'
  await expect(dialog.getByText(example)).toBeVisible()
  await expect(dialog.getByText('Connect Stripe or PayPal in Payment Settings to set prices.')).toBeVisible()
  await dialog.getByLabel('Fee note').fill(FEE_NOTE)
  const place = dialog.getByRole('combobox', { name: 'Location' })
  await expect(place).toContainText('Primary location (Attic)')
  await place.click()
  await page.getByRole('option', { name: 'Cellar, 2 Low Road' }).click()
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Appointment type created!').first()).toBeVisible()
  const massage = page.getByRole('article', { name: 'Massage' })
  await expect(massage.getByText('Cellar, 2 Low Road')).toBeVisible()
  await expect(massage.getByText(FEE_NOTE)).toBeVisible()
  await expect(massage.getByText('15 min preparation, 5 min wrap-up')).toBeVisible()

  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  await expect(visitor.getByRole('radio', { name: /Massage/ })).toHaveAccessibleName(new RegExp(FEE_NOTE))
  const { appointment_types } = await (
    await page.context().request.get(`/api/calendars/${calendar.id}/appointment-types`)
  ).json()
  const customer = makePerson('Alan Turing')
  const booked = await bookAppointment(page.context().request, calendar, {
    startsAt: toInstant(nextTuesday(), '13:00'),
    person: customer,
    typeId: appointment_types[0].id,
  })
  const slots = `/api/public/calendars/${calendar.slug}/slots?date=${nextTuesday()}&appointment_type_id=${appointment_types[0].id}`
  const offered = await (await page.context().request.get(slots)).json()
  const starts: string[] = offered.slots.map(({ slot_start }: { slot_start: string }) => slot_start)
  expect(starts).toContain('12:00:00')
  // 12:30 leaves 30 minutes, which is exactly the appointment and no wrap-up. 13:30 leaves no preparation.
  expect(starts).not.toContain('12:30:00')
  expect(starts).not.toContain('13:30:00')
  expect(starts).toContain('14:00:00')
  await visitor.goto(`/book/${calendar.slug}/confirmation?appointment_id=${booked.id}`)
  await expect(visitor.getByText(/2 Low Road/).first()).toBeVisible()
  await expect(visitor.getByRole('definition').getByText(FEE_NOTE)).toBeVisible()
  const mail = await waitForMail({ to: customer.email, subject: 'Booking confirmed' })
  expect(mail.text).toContain(`Price: ${FEE_NOTE}`)
  await visitor.goto(findLink(mail, '/manage/'))
  await expect(visitor.getByRole('definition').getByText(FEE_NOTE)).toBeVisible()

  await edit(page, 'Massage').then((editor) => editor.getByRole('switch', { name: 'Online' }).check())
  await expect(page.getByRole('combobox', { name: 'Location' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Appointment type updated!').first()).toBeVisible()
  const card = page.getByRole('article', { name: 'Massage' })
  await expect(card.getByText('Online', { exact: true })).toBeVisible()
  await expect(card.getByText(/Cellar/)).toHaveCount(0)

  await page.getByRole('button', { name: 'Delete Massage' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByText('Are you sure you want to delete this appointment type?')).toBeVisible()
  await expect(question.getByText('Its future appointment stays as booked.')).toBeVisible()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Appointment type deleted successfully').first()).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByText('Massage').first()).toBeVisible()
})

test('two windows that edit one type do not undo each other unseen', async ({ page, allowConsole }) => {
  allowConsole(/409/)
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const { id } = await createAppointmentType(page, calendar, { name: 'Talk', duration: 30 })
  await page.goto(`/calendar/${calendar.id}/settings?tab=types`)
  const dialog = await edit(page, 'Talk')
  await dialog.getByLabel('Name').fill('Long talk')
  const other = `/api/calendars/${calendar.id}/appointment-types/${id}`
  await page.context().request.patch(other, { data: { name: 'Speech', duration: 60 } })

  await dialog.getByRole('button', { name: 'Update' }).click()
  await expect(dialog.getByRole('definition')).toHaveText(['Speech', '60'])
  await expect(dialog.getByLabel('Duration')).toHaveValue('60')
  await expect(dialog.getByLabel('Name')).toHaveValue('Long talk')
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByRole('article', { name: 'Long talk' }).getByText('60 min')).toBeVisible()
})

test('the owner drags a type to another place, and customers see that order', async ({
  page,
  newVisitor,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  for (const name of ['Talk', 'Couple session', 'Yoga']) await createAppointmentType(page, calendar, { name })
  await page.goto(`/calendar/${calendar.id}/settings?tab=types`)
  const names = page.getByRole('article').getByRole('heading')
  await expect(names).toHaveText(['Talk', 'Couple session', 'Yoga'])
  const grip = await page.getByRole('button', { name: 'Move Talk' }).boundingBox()
  const below = await page.getByRole('article', { name: 'Couple session' }).boundingBox()
  if (grip === null || below === null) throw new Error('the rows are not visible')
  const x = grip.x + grip.width / 2
  const saved = page.waitForResponse((response) => response.url().endsWith('/appointment-types/order'))
  await page.mouse.move(x, grip.y + 10)
  await page.mouse.down()
  await page.mouse.move(x, below.y + 20, { steps: 5 })
  await page.mouse.up()
  await expect(names).toHaveText(['Couple session', 'Talk', 'Yoga'])
  await expect(page.getByText('Moved Talk to 2 of 3')).toBeAttached()
  expect((await saved).status()).toBe(204)
  // The click that ends the drag opens no menu.
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.getByRole('button', { name: 'Move Talk' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Move up', 'Move down'])
  await expectNoAxeFindings(page)

  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  const choices = visitor.getByRole('radio', { name: /Talk|Couple session|Yoga/ })
  await expect(choices).toHaveCount(3)
  await expect(choices.first()).toHaveAccessibleName(/Couple session/)
  await expect(choices.nth(1)).toHaveAccessibleName(/Talk/)
})

async function edit(page: Page, name: string) {
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  return page.getByRole('dialog', { name: 'Edit Appointment Type' })
}
