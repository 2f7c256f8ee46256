import type { Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import {
  eventCardOf,
  grantAccess,
  openSandboxCalendar,
  SANDBOX_PAGE_TEXTS,
  type SandboxAccount,
} from '#e2e/support/calendar-sandboxes.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import { openAppointment } from '#e2e/support/open-appointment.ts'
import { chooseDate, createCalendar, makePerson, nextTuesday, signUp } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/** A timeout for a sync: it starts within seconds of a change at the provider, but a shared machine may need longer. */
const SYNCED = { timeout: 30_000 }

/**
 * Where an owner starts to connect a calendar: on the dashboard's card, for reading and writing, or in the settings, for reading
 * only. The provider's page leads back there.
 */
const WAYS: readonly {
  readonly provider: SandboxAccount['provider']
  readonly connect: (page: Page, calendar: Calendar, account: SandboxAccount) => Promise<void>
}[] = [
  {
    provider: 'google',
    connect: async (page, _calendar, account) => {
      await page.goto('/dashboard')
      await page.getByRole('button', { name: 'Connect to Google Calendar' }).click()
      await grantAccess(page, account)
      await expect(page.getByRole('button', { name: 'Sync with Google Calendar' })).toBeVisible()
      await expect(page).toHaveURL(/\/dashboard$/)
    },
  },
  {
    provider: 'microsoft',
    connect: async (page, calendar, account) => {
      await page.goto(settingsOf(calendar, 'integrations'))
      await page.getByRole('button', { name: 'Read only (Microsoft 365)' }).click()
      await grantAccess(page, account)
      await expect(page).toHaveURL(settingsOf(calendar, 'integrations'))
      await page.getByRole('button', { name: 'Allow writing' }).click()
      await grantAccess(page, account)
    },
  },
]

for (const { provider, connect } of WAYS) {
  const { name, mainOf } = SANDBOX_PAGE_TEXTS[provider]
  // The test goes through the same steps for both providers.
  const tag = provider === 'google' ? [] : '@slow'
  test(`an owner connects ${name}: busy there is busy here, booked here is written there, moved there is moved here`, {
    tag,
  }, async ({ page, newVisitor }) => {
    test.slow()
    const owner = makePerson('Ida Berg')
    const customer = makePerson('Ada Lovelace')
    await signUp(page, owner)
    const calendar = await createCalendar(page)
    const visitor = await newVisitor()
    const there = await newVisitor()
    const account: SandboxAccount = { provider, email: owner.email }
    const main = mainOf(owner.email)

    await test.step('a button leads to the consent, and back to the page with the button', async () => {
      await connect(page, calendar, account)
    })

    await test.step('the settings name the account, and the calendar that is read and written', async () => {
      await page.goto(settingsOf(calendar, 'integrations'))
      await expect(page.getByRole('region', { name: owner.email })).toContainText(`Connected to ${name}`)
      const busy = page.getByRole('group', { name: /^Count as busy/ })
      await expect(busy.getByLabel(main, { exact: true })).toBeChecked()
      await expectNoAxeFindings(page)
      const written = page.getByRole('group', { name: 'Write appointments to' })
      await expect(written.getByRole('radio', { name: main, exact: true })).toBeChecked()
      await expect(page.getByRole('switch', { name: 'Auto Sync' })).toBeChecked()
      await expect(page.getByRole('switch', { name: 'Two-way Sync' })).toBeChecked()
    })

    await test.step('an event that is added there takes its time from the booking page', async () => {
      const sandbox = page.getByRole('link', { name: `Open its calendar (${name})` })
      await expect(sandbox).toHaveAttribute('href', /\/calendar$/)
      await openSandboxCalendar(there, page, calendar, account)
      await addEvent(there, { title: 'Dentist', from: '14:00', until: '15:00' })
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
      await visitor.getByRole('button', { name: 'Book appointment' }).click()
      await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
      await waitForMail({ to: customer.email, subject: 'confirmed' })
      await expect(async () => {
        await there.reload()
        await expect(eventCardOf(there, customer.name)).toBeVisible({ timeout: 100 })
      }).toPass(SYNCED)
    })

    await test.step('moved there, the appointment is moved here, and says so', async () => {
      const event = eventCardOf(there, customer.name)
      await event.getByText('Move or delete').click()
      await event.getByLabel('Starts').fill(`${nextTuesday()}T12:00`)
      await event.getByLabel('Ends').fill(`${nextTuesday()}T12:30`)
      await event.getByRole('button', { name: 'Move' }).click()
      await expect(async () => {
        await page.goto(settingsOf(calendar, 'appointments'))
        const row = page.getByRole('article', { name: customer.name })
        await expect(row).toContainText('12:00 PM', { timeout: 2_000 })
      }).toPass(SYNCED)
      await openAppointment(page, customer.name)
      await page.getByRole('button', { name: 'History' }).click()
      await expect(page.getByRole('list', { name: 'History' })).toContainText(
        'The event was changed in the external calendar, so the appointment was moved from',
      )
      await expectNoAxeFindings(page)
    })
  })
}

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

async function addEvent(there: Page, event: { title: string; from: string; until: string }): Promise<void> {
  const form = there.locator('form').filter({ hasText: 'Add an event' })
  await form.getByLabel('Title').fill(event.title)
  await form.getByLabel('Starts').fill(`${nextTuesday()}T${event.from}`)
  await form.getByLabel('Ends').fill(`${nextTuesday()}T${event.until}`)
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(eventCardOf(there, event.title)).toBeVisible()
}
