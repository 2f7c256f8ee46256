import type { Page } from '@playwright/test'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import {
  connectAccount,
  eventCardOf,
  grantAccess,
  openSandboxCalendar,
  type SandboxAccount,
} from '#e2e/support/calendar-sandboxes.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import {
  bookAppointment,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/** A timeout for a sync: it starts within seconds of a change at the provider, but a shared machine may need longer. */
const SYNCED = { timeout: 30_000 }
const NAMES = ['Ada Lovelace', 'Alan Turing', 'Grace Hopper', 'Emmy Noether'] as const

test('many deletions are asked about, an expired connection is renewed, and disconnecting tidies up', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  test.slow()
  const owner = makePerson('Ida Berg')
  await signUp(page, owner)
  const calendar = await createCalendar(page)
  const account: SandboxAccount = { provider: 'google', email: owner.email }
  await connectAccount(page, calendar, account)
  const google = await newVisitor()
  await openSandboxCalendar(google, page, calendar, account)
  const integrations = `/calendar/${calendar.id}/settings?tab=integrations`

  await test.step('four appointments are written', async () => {
    for (const [index, name] of NAMES.entries()) {
      const startsAt = toInstant(nextTuesday(), `${10 + index}:00`)
      await bookAppointment(page.context().request, calendar, { startsAt, person: makePerson(name) })
    }
    await expectEvents(google, NAMES.length)
  })

  await test.step('all of them are deleted there: the owner is asked, and keeps them', async () => {
    await google.getByRole('button', { name: 'Delete all events' }).click()
    await expectEvents(google, 0)
    await expect(async () => {
      await page.goto(integrations)
      await expect(page.getByRole('heading', { name: 'Please review' })).toBeVisible({ timeout: 2_000 })
    }).toPass(SYNCED)
    for (const name of NAMES) await expect(page.getByText(name)).toBeVisible()
    await expectNoAxeFindings(page)
    await page.getByRole('button', { name: 'Keep them' }).click()
    await expect(page.getByText('4 appointments kept')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Please review' })).toHaveCount(0)
    await expectEvents(google, NAMES.length)
  })

  await test.step('the access is withdrawn there: the owner is told, and reconnects', async () => {
    await google.getByLabel('The access was withdrawn').check()
    await google.getByRole('button', { name: 'Switch' }).click()
    allowConsole(/409/)
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Sync with Google Calendar' }).click()
    await expect(page.getByText('Google Calendar connection expired. Click to reconnect.')).toBeVisible()
    await waitForMail({ to: owner.email, subject: 'Please reconnect your calendar' })
    await page.reload()
    await expect(page.getByText('Google Calendar connection expired')).toBeVisible()
    await expectNoAxeFindings(page)
    await page.getByRole('button', { name: 'Reconnect Google Calendar' }).click()
    await grantAccess(page, account)
    await expect(page.getByText('Google Calendar connection expired')).toHaveCount(0)
  })

  await test.step('disconnected, the events there are removed and the appointments stay', async () => {
    await page.goto(integrations)
    await page.getByRole('button', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('radio', { name: 'Remove them' }).check()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.getByText('Google Calendar disconnected')).toBeVisible()
    await expectEvents(google, 0)
    await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
    for (const name of NAMES) await expect(page.getByRole('article', { name })).toContainText('Confirmed')
  })
})

/** Waits until the calendar at the stand-in holds `count` appointments. */
async function expectEvents(google: Page, count: number): Promise<void> {
  await expect(async () => {
    await google.reload()
    const counts = await Promise.all(NAMES.map((name) => eventCardOf(google, name).count()))
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(count)
  }).toPass(SYNCED)
}
