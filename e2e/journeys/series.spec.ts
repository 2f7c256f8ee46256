import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import { shownAppointment } from '#e2e/support/open-appointment.ts'
import {
  bookAppointment,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

const DAY_MS = 86_400_000

test('an owner books somebody every week, takes another time for a date that is taken, and cancels the rest', async ({
  page,
}) => {
  const customer = makePerson('Alan Turing')
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const first = nextTuesday()
  const second = new Date(Date.parse(first) + 7 * DAY_MS).toISOString().slice(0, 10)
  const taken = { startsAt: toInstant(second, '10:00'), person: makePerson('Grace Hopper') }
  await bookAppointment(page.context().request, calendar, taken)

  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  await page.getByRole('button', { name: 'New appointment' }).click()
  const dialog = page.getByRole('dialog', { name: 'New appointment' })
  await dialog.getByLabel('Customer').fill(customer.name)
  await dialog.getByRole('textbox', { name: 'Email' }).fill(customer.email)
  await dialog.getByLabel(/^Date/).fill(first)
  await dialog.getByRole('button', { name: '10:00 AM' }).click()
  await dialog.getByRole('combobox', { name: 'Repeats' }).click()
  await page.getByRole('option', { name: 'Every week' }).click()
  await dialog.getByLabel(/^Number of dates/).fill('4')
  await expect(dialog.getByText('3 of 4 dates will be booked')).toBeVisible()
  await expect(dialog.getByText('This time is taken.')).toBeVisible()
  await dialog.getByRole('group', { name: 'Another time' }).getByRole('button', { name: '10:30 AM' }).click()
  await expect(dialog.getByText('All 4 dates will be booked')).toBeVisible()
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Book 4 appointments' }).click()
  await expect(page.getByText('4 appointments booked. Confirmation email sent.')).toBeVisible()

  const mail = await waitForMail({ to: customer.email, subject: 'Appointments booked' })
  expect(mail.text).toContain('Your 4 appointments')
  const rows = page.getByRole('list', { name: 'Appointments' }).getByRole('article')
  await expect(rows).toHaveCount(5)

  await rows.first().getByRole('button', { name: 'Alan Turing', exact: true }).click()
  const panel = shownAppointment(page)
  await expect(panel.getByText('1 of 4 · every week')).toBeVisible()
  await panel.getByRole('button', { name: 'All dates' }).click()
  await expectNoAxeFindings(page)
  await panel.getByRole('button', { name: 'Cancel this and all following' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel 4 appointments' }).click()
  await expect(page.getByText('4 appointments cancelled')).toBeVisible()
  const goodbye = await waitForMail({ to: customer.email, subject: 'Appointments cancelled' })
  expect(goodbye.text).toContain('4 appointments with')
})
