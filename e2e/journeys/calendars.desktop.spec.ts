import { PROBLEMS } from '#contract/shared/problem.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import {
  bookAppointment,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expectSettingsTab, showSettingsTab } from '#e2e/support/settings-list.ts'
import { expect, test } from '#e2e/support/test.ts'

test('a free owner has one calendar, is told so, and finds the plans', async ({ page, allowConsole }) => {
  allowConsole(/402/)
  await signUp(page, makePerson('Ida Berg'))
  await createCalendar(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: 'Upgrade Plan' }).first()).toHaveAttribute('href', '/pricing')
  await page.getByRole('button', { name: 'Create Calendar' }).first().click()
  await expect(page.getByRole('dialog').getByText(PROBLEMS['calendar.limit_reached'].title)).toBeVisible()
})

test('deleting a calendar asks first, tells its customers, and retires its link', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  allowConsole(/404/)
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const customer = makePerson('Alan Turing')
  await bookAppointment(page.context().request, calendar, {
    startsAt: toInstant(nextTuesday(), '13:00'),
    person: customer,
  })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Delete Calendar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Calendar' }).click()
  await expect(page.getByText('Calendar deleted successfully').first()).toBeVisible()
  await expect(page.getByText("You haven't created any calendars yet.")).toBeVisible()
  await waitForMail({ to: customer.email, subject: /cancelled/i })

  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  await expect(visitor.getByRole('heading', { name: 'Calendar Not Found' })).toBeVisible()
})

test('somebody else’s calendar and one that is not there say what they are', { tag: '@slow' }, async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  allowConsole(/40[34]/)
  const stranger = await newVisitor()
  await signUp(stranger, makePerson('Some Stranger'))
  const calendar = await createCalendar(stranger)
  await signUp(page, makePerson('Ida Berg'))
  await page.goto(`/calendar/${calendar.id}`)
  await expect(page).toHaveURL(/\/settings/)
  await expect(
    page.getByRole('heading', { name: "You don't have permission to edit this calendar's availability." }),
  ).toBeVisible()
  await page.goto('/calendar/00000000-0000-4000-8000-000000000000/settings')
  await expect(page.getByRole('heading', { name: 'Calendar not found' })).toBeVisible()
})

test('the settings keep their tab when the page is reloaded', { tag: '@slow' }, async ({ page }) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await page.goto(`/calendar/${calendar.id}/settings?tab=types`)
  await expectSettingsTab(page, 'Appointment Types')
  await showSettingsTab(page, 'Appointments')
  await expect(page).toHaveURL(/tab=appointments/)
  await page.reload()
  await expect(page.getByText('No appointments found')).toBeVisible()
  await expect(page.getByText("You don't have any upcoming appointments.")).toBeVisible()
})
