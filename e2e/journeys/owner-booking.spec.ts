import type { Locator, Page } from '@playwright/test'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { listMails, waitForMail } from '#e2e/support/mailbox.ts'
import { openAppointment, shownAppointment } from '#e2e/support/open-appointment.ts'
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

const CONFIRMED = 'Appointment booked successfully! Confirmation email sent.'

test('an owner books an offered time for somebody on the phone, who is written to', async ({ page }) => {
  const owner = makePerson('Ida Berg')
  const customer = makePerson('Alan Turing')
  await signUp(page, owner)
  const calendar = await createCalendar(page)
  await createAppointmentType(page, calendar, { name: 'Talk', duration: 45 })
  await createAppointmentType(page, calendar, { name: 'Massage', duration: 60 })

  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  const dialog = await openDialog(page)
  await expectNoAxeFindings(page)
  await dialog.getByLabel('Customer').fill(customer.name)
  await dialog.getByRole('textbox', { name: 'Email' }).fill(customer.email)
  await dialog.getByRole('combobox', { name: /^Appointment type/ }).click()
  await page.getByRole('option', { name: 'Massage · 60 min' }).click()
  await dialog.getByLabel(/^Date/).fill(nextTuesday())
  await dialog.getByRole('button', { name: '10:00 AM' }).click()
  await expect(dialog.getByText(/10:00 AM – 11:00 AM/)).toBeVisible()
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Book appointment' }).dblclick()
  await expect(page.getByText(CONFIRMED)).toBeVisible()
  await expect(dialog).toBeHidden()

  const rows = page.getByRole('list', { name: 'Appointments' }).getByRole('article')
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText('Alan Turing')
  await expect(await openAppointment(page, 'Alan Turing')).toContainText('Booked by you')
  await page.keyboard.press('Escape')
  await expect(shownAppointment(page)).toBeHidden()
  const mail = await waitForMail({ to: customer.email })
  expect(mail.text).toContain('Massage')
  expect(await listMails({ to: owner.email, subject: 'Alan Turing' })).toEqual([])

  await test.step('and finds them the next time by a part of their address', async () => {
    const again = await openDialog(page)
    await again.getByLabel('Customer').pressSequentially(customer.email.slice(0, 12))
    await page.getByRole('option', { name: /Alan Turing/ }).click()
    await expect(again.getByLabel('Customer')).toHaveValue(customer.name)
    await expect(again.getByRole('textbox', { name: 'Email' })).toHaveValue(customer.email)
  })
})

test('outside the opening hours the owner is asked, and into a taken time nothing leads', async ({
  page,
  allowConsole,
}) => {
  allowConsole(/409/)
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const date = nextTuesday()
  const taken = { startsAt: toInstant(date, '10:00'), person: makePerson('Grace Hopper') }
  await bookAppointment(page.context().request, calendar, taken)

  await page.goto('/dashboard')
  const dialog = await openDialog(page)
  await dialog.getByLabel('Customer').fill('Walter Walkin')
  await expect(dialog.getByText('There is no email address to send it to.')).toBeVisible()
  await dialog.getByLabel(/^Date/).fill(date)
  await dialog.getByRole('button', { name: 'Another time' }).click()

  await test.step('a time that is taken is refused, and what was typed stays', async () => {
    await dialog.getByLabel(/^Start/).fill('10:15')
    await dialog.getByRole('button', { name: 'Book appointment' }).click()
    await expect(dialog.getByRole('alert')).toContainText(PROBLEMS['booking.slot_unavailable'].title)
    await expect(dialog.getByRole('alert')).toContainText('taken by the appointment of Grace Hopper')
    await expect(dialog.getByRole('button', { name: 'Book anyway' })).toBeHidden()
    await expect(dialog.getByLabel('Customer')).toHaveValue('Walter Walkin')
  })

  await test.step('a time in the evening is asked about first', async () => {
    await dialog.getByLabel(/^Start/).fill('21:30')
    await expect(dialog.getByText('This is outside your opening hours.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Book appointment' }).click()
    await expect(dialog.getByRole('alert')).toContainText(PROBLEMS['booking.outside_hours'].title)
    await expectNoAxeFindings(page)
    await dialog.getByRole('button', { name: 'Book anyway' }).click()
    await expect(page.getByText('Appointment booked successfully!', { exact: true })).toBeVisible()
    await expect(page.getByRole('article', { name: 'Walter Walkin' })).toContainText('9:30 PM')
  })

  await test.step('a press on an empty hour of the day says why customers aren’t offered it', async () => {
    await page.goto(`/appointments?view=day&date=${date}`)
    const day = page.locator('[data-point]')
    const height = (await day.boundingBox())?.height ?? 0
    // The day is shown from 9 AM to 10 PM, because of the appointment at 9:30 PM. The press is at 8:15 PM.
    await day.click({ position: { x: 40, y: (height * 11.25) / 13 } })
    await expect(dialog.getByLabel(/^Date/)).toHaveValue(date)
    await expect(dialog.getByLabel(/^Start/)).toHaveValue('20:00')
    await expect(dialog.getByText('Why customers aren’t offered this time')).toBeVisible()
    await expect(dialog.getByRole('link', { name: /^Opening hours/ })).toHaveAttribute(
      'href',
      `/calendar/${calendar.id}/settings?tab=availability`,
    )
    await expectNoAxeFindings(page)
  })
})

/** Opens the dialog once its button has appeared. */
async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'New appointment' }).click()
  const dialog = page.getByRole('dialog', { name: 'New appointment' })
  await expect(dialog).toBeVisible()
  return dialog
}
