import type { Page } from '@playwright/test'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
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

test('a guest logs in first and comes back to the same tab', { tag: '@slow' }, async ({
  page,
  newVisitor,
  isMobile,
}) => {
  const owner = makePerson('Ida Berg')
  await signUp(page, owner)
  const calendar = await createCalendar(page)
  const guest = await newVisitor()
  await guest.goto(`/calendar/${calendar.id}/settings?tab=reminders`)
  await expect(guest.getByText(PROBLEMS['auth.required'].title).first()).toBeVisible()
  await expect(guest).toHaveURL(/\/login/)
  await guest.getByLabel(/^Email/).fill(owner.email)
  await guest.getByLabel(/^Password/).fill(owner.password)
  await guest.getByRole('button', { name: 'Log in', exact: true }).click()
  await expectSettingsTab(guest, 'Reminders')
  await guest.reload()
  await expectSettingsTab(guest, 'Reminders')
  await showSettingsTab(guest, 'General')
  await expect(guest.getByRole('heading', { name: 'Danger Zone' })).toBeVisible()
  await guest.goBack()
  // On a phone, the list lies between two tabs.
  if (isMobile) await guest.goBack()
  await expectSettingsTab(guest, 'Reminders')
})

test('an address without a calendar says what is wrong with it', { tag: '@slow' }, async ({
  page,
  allowConsole,
}) => {
  allowConsole(/404/)
  await signUp(page, makePerson('Ida Berg'))
  await page.goto('/calendar/%20/settings')
  await expect(page.getByRole('heading', { name: 'Calendar ID is required' })).toBeVisible()
  await page.goto('/calendar/no-such-thing/settings')
  await expect(page.getByRole('heading', { name: 'Calendar not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Return to Dashboard' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('general: the professional and the zone are changed, in numbers and for good', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await bookAppointment(context.request, calendar, {
    // 15:00 UTC. The test reads it below in Kathmandu, whose clocks never change.
    startsAt: `${nextTuesday()}T15:00:00Z`,
    person: makePerson('Alan Turing'),
  })
  await page.goto(`/calendar/${calendar.id}/settings`)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Copied to clipboard!').first()).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(calendar.public_url)
  await expectNoAxeFindings(page)
  await showSettingsTab(page, 'General')
  await expectNoAxeFindings(page)

  await page.getByLabel('First name').fill('Maya')
  await page.getByLabel('Last name').fill('Grey')
  await page.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'Other' }).click()
  await page.getByLabel('Your category').fill('Midwife')
  await page.getByRole('button', { name: 'Save details' }).click()
  await expect(page.getByText('Professional details updated successfully!').first()).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: 'Maya Grey' })).toBeVisible()

  await expect(page.getByRole('button', { name: 'Update time zone' })).toBeDisabled()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('kathmandu')
  await page.getByRole('option', { name: 'Kathmandu (Asia/Kathmandu)' }).click()
  await page.getByRole('button', { name: 'Update time zone' }).click()
  const question = page.getByRole('alertdialog', { name: 'Change the time zone to Kathmandu?' })
  await expect(question.getByText(/^1 future appointment doesn’t move/)).toBeVisible()
  await expectNoAxeFindings(page)
  await question.getByRole('button', { name: 'Update time zone' }).click()
  await expect(page.getByText('Timezone Updated').first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Kathmandu (Asia/Kathmandu)')
  await expect(page.getByLabel('Your category')).toHaveValue('Midwife')

  await showSettingsTab(page, 'Appointments')
  await expect(page.getByText(/8:45 PM/).first()).toBeVisible()
  await showSettingsTab(page, 'General')
  await page.getByRole('radio', { name: '15:00' }).check()
  await expect(page.getByText('Clock updated').first()).toBeVisible()
  await showSettingsTab(page, 'Appointments')
  await expect(page.getByText('20:45').first()).toBeVisible()
  await expect(page.getByText(/\d [AP]M\b/)).toHaveCount(0)
  await page.goto(`/book/${calendar.slug}`)
  await expect(page.getByText('Maya Grey').first()).toBeVisible()
})

test('general: a deletion says how many appointments it cancels', async ({ page, context }) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  for (const hour of ['13', '14']) {
    await bookAppointment(context.request, calendar, {
      startsAt: toInstant(nextTuesday(), `${hour}:00`),
      person: makePerson('Alan Turing'),
    })
  }
  await page.goto(`/calendar/${calendar.id}/settings?tab=general`)
  await page.getByRole('button', { name: 'Delete Calendar' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByText(/^2 future appointments will be cancelled/)).toBeVisible()
  await question.getByRole('button', { name: 'Delete Calendar' }).click()
  await expect(page.getByText('Calendar deleted successfully').first()).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('reminders: what is written is seen as a mail and kept', async ({ page, context }) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await page.goto(`/calendar/${calendar.id}/settings?tab=reminders`)
  await expect(page.getByText('Sample values')).toBeVisible()
  await bookAppointment(context.request, calendar, {
    startsAt: toInstant(nextTuesday(), '15:00'),
    person: makePerson('Alan Turing'),
  })
  await page.reload()
  await expect(page.getByText('Your next appointment')).toBeVisible()

  const mail = page.frameLocator('iframe[title="The reminder as it will arrive"]')
  const message = page.getByLabel('Message')
  await message.fill('Dear , see you')
  await message.press('Home')
  for (let steps = 0; steps < 'Dear '.length; steps += 1) await message.press('ArrowRight')
  await page.getByRole('button', { name: 'Insert {customer_name}' }).click()
  await page.keyboard.type('!')
  await expect(message).toHaveValue('Dear {customer_name}!, see you')
  await expect(mail.getByText('Dear Alan Turing!, see you')).toBeVisible()
  await page.getByLabel('Subject').fill('See you, {who}')
  await expect(page.getByText('Not a placeholder')).toBeVisible()
  await expectNoAxeFindings(page)

  const hours = page.getByLabel(/^Hours before/)
  await hours.fill('100')
  await page.getByRole('button', { name: 'Save reminder settings' }).click()
  await expect(page.getByText(PROBLEMS['reminder.hours_out_of_range'].title)).toBeVisible()
  await hours.fill('48')
  await page.getByLabel('Sender email').fill('maya@harbour.example')
  await page.getByRole('button', { name: 'Save reminder settings' }).click()
  await expect(page.getByText('Reminder settings updated successfully').first()).toBeVisible()
  await page.reload()
  await expect(hours).toHaveValue('48')
  await expect(message).toHaveValue('Dear {customer_name}!, see you')
  await expect(page.getByLabel('Sender email')).toHaveValue('maya@harbour.example')
})

test('two windows do not undo each other unseen', async ({ page, context, allowConsole }) => {
  allowConsole(/409/)
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const other = await context.newPage()
  for (const tab of [page, other]) await tab.goto(`/calendar/${calendar.id}/settings?tab=reminders`)
  await saveSubject(other, 'From the other window')
  await expect(other.getByText('Reminder settings updated successfully').first()).toBeVisible()

  await saveSubject(page, 'From this window')
  await expect(page.getByText('From the other window')).toBeInViewport()
  await expect(page.locator(':focus')).toContainText('This was changed in another window')
  await expect(page.getByText(/^Error updating reminder settings/)).toBeHidden()
  await expect(page.getByLabel('Subject')).toHaveValue('From this window')
  // The browser does not paint a tab in the background, so its colour transitions would not finish.
  await page.bringToFront()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Save reminder settings' }).click()
  await expect(page.getByText('Reminder settings updated successfully').first()).toBeVisible()

  await saveSubject(other, 'Once more')
  await other.getByRole('button', { name: 'Use the saved version' }).click()
  await expect(other.getByLabel('Subject')).toHaveValue('From this window')
})

async function saveSubject(page: Page, subject: string): Promise<void> {
  await page.getByLabel('Subject').fill(subject)
  await page.getByRole('button', { name: 'Save reminder settings' }).click()
}
