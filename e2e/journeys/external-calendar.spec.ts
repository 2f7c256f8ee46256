import type { Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { allowAccess, eventOf, openGoogleCalendar } from '#e2e/support/google-calendar.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import { chooseDate, createCalendar, makePerson, nextTuesday, signUp } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/** A sync begins within seconds of a change there; a machine that others share takes its time. */
const SYNCED = { timeout: 30_000 }

test('an owner connects Google Calendar: busy there is busy here, booked here is written there, moved there is moved here', async ({
  page,
  newVisitor,
}) => {
  test.slow()
  const owner = makePerson('Ida Berg')
  const customer = makePerson('Ada Lovelace')
  await signUp(page, owner)
  const calendar = await createCalendar(page)
  const visitor = await newVisitor()
  const google = await newVisitor()

  await test.step('the dashboard leads to the consent, first for reading', async () => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Connect to Google Calendar' }).click()
    await allowAccess(page, owner.email)
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('button', { name: 'Sync with Google Calendar' })).toBeVisible()
  })

  await test.step('the settings name the account, and lead to the second consent for writing', async () => {
    await page.goto(settingsOf(calendar, 'integrations'))
    await expect(page.getByRole('region', { name: owner.email })).toContainText(
      'Connected to Google Calendar',
    )
    await expect(page.getByRole('group', { name: /^Count as busy/ }).getByLabel(owner.email)).toBeChecked()
    await expectNoAxeFindings(page)
    await page.getByRole('button', { name: 'Allow writing' }).click()
    await allowAccess(page, owner.email)
    await page.goto(settingsOf(calendar, 'integrations'))
    const written = page.getByRole('group', { name: 'Write appointments to' })
    await expect(written.getByRole('radio', { name: owner.email })).toBeChecked()
    await expect(page.getByRole('switch', { name: 'Auto Sync' })).toBeChecked()
    await expect(page.getByRole('switch', { name: 'Two-way Sync' })).toBeChecked()
  })

  await test.step('an event that is added there takes its time from the booking page', async () => {
    const sandbox = page.getByRole('link', { name: 'Open its calendar (Google Calendar)' })
    await expect(sandbox).toHaveAttribute('href', /\/calendar$/)
    await openGoogleCalendar(google, page, calendar, owner.email)
    await addEvent(google, { title: 'Dentist', from: '14:00', until: '15:00' })
    await expect(async () => {
      await openTuesday(visitor, calendar)
      await expect(slot(visitor, '2:00 PM')).toHaveCount(0, { timeout: 100 })
    }).toPass(SYNCED)
    await expect(slot(visitor, '1:30 PM')).toBeVisible()
    await expect(slot(visitor, '2:30 PM')).toHaveCount(0)
    await expect(slot(visitor, '3:00 PM')).toBeVisible()
  })

  await test.step('the owner sees it among the appointments, and why the time is taken', async () => {
    await page.goto(`${settingsOf(calendar, 'appointments')}&view=day&date=${nextTuesday()}`)
    await expect(page.getByText('Dentist')).toBeVisible()
    await expectNoAxeFindings(page)
  })

  await test.step('a booking appears there', async () => {
    await slot(visitor, '11:00 AM').click()
    await visitor.getByLabel('Full Name').fill(customer.name)
    await visitor.getByLabel('Email Address').fill(customer.email)
    await visitor.getByRole('button', { name: 'Book Appointment' }).click()
    await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    await waitForMail({ to: customer.email, subject: 'confirmed' })
    await expect(async () => {
      await google.reload()
      await expect(eventOf(google, customer.name)).toBeVisible({ timeout: 100 })
    }).toPass(SYNCED)
  })

  await test.step('moved there, the appointment is moved here, and says so', async () => {
    const event = eventOf(google, customer.name)
    await event.getByText('Move or delete').click()
    await event.getByLabel('Starts').fill(`${nextTuesday()}T12:00`)
    await event.getByLabel('Ends').fill(`${nextTuesday()}T12:30`)
    await event.getByRole('button', { name: 'Move' }).click()
    await expect(async () => {
      await page.goto(settingsOf(calendar, 'appointments'))
      const row = page.getByRole('article', { name: customer.name })
      await expect(row).toContainText('12:00 PM', { timeout: 2_000 })
    }).toPass(SYNCED)
    await page.getByRole('button', { name: 'History' }).click()
    await expect(page.getByRole('list', { name: 'History' })).toContainText(
      'You moved the event in your external calendar, so the appointment was moved from',
    )
    await expectNoAxeFindings(page)
  })
})

function settingsOf(calendar: Calendar, tab: string): string {
  return `/calendar/${calendar.id}/settings?tab=${tab}`
}

async function openTuesday(visitor: Page, calendar: Calendar): Promise<void> {
  await visitor.goto(`/book/${calendar.slug}`)
  await chooseDate(visitor, nextTuesday())
  await expect(slot(visitor, '9:00 AM')).toBeVisible()
}

function slot(visitor: Page, time: string) {
  return visitor.getByRole('button', { name: time, exact: true })
}

async function addEvent(google: Page, event: { title: string; from: string; until: string }): Promise<void> {
  const form = google.locator('form').filter({ hasText: 'Add an event' })
  await form.getByLabel('Title').fill(event.title)
  await form.getByLabel('Starts').fill(`${nextTuesday()}T${event.from}`)
  await form.getByLabel('Ends').fill(`${nextTuesday()}T${event.until}`)
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(eventOf(google, event.title)).toBeVisible()
}
