import type { Calendar } from '#contract/calendars/calendars.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { openDemo } from '#e2e/support/open-demo.ts'
import {
  bookAppointment,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  postToApi,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { showSettingsTab } from '#e2e/support/settings-list.ts'
import { expect, test } from '#e2e/support/test.ts'

test('the demo practice shows what half a year adds up to, and each chart its numbers', async ({ page }) => {
  await openDemo(page)
  await showSettingsTab(page, 'Insights')
  await expect(page).toHaveURL(/tab=insights/)
  await expect(
    page.getByText(/€[\d,]+\.\d\d taken, €[\d,]+\.\d\d refunded, €[\d,]+\.\d\d outstanding\./),
  ).toBeVisible()
  for (const title of [
    'Money by month, EUR',
    'Money by month, test payments in EUR',
    'How full the week is',
    'Weekdays and hours',
    'Bookings by type',
    'Lead time',
    'New and returning customers',
    'Cancellations',
    'No-shows',
  ]) {
    await test.step(title, async () => {
      const card = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
        .last() // The first match is the section of the whole tab.
      await expect(card.getByRole('img').first()).toBeVisible()
      const table = card.getByRole('table', { name: title })
      await expect(table).toBeHidden()
      await card.getByText('Show the numbers').click()
      await expect(table).toBeVisible()
      expect(await table.getByRole('row').count()).toBeGreaterThan(3)
    })
  }
  // The charts still count a type that is no longer offered.
  await expect(page.getByRole('cell', { name: 'Walking session' })).toBeVisible()
  await expectNoAxeFindings(page)

  await page.getByRole('group', { name: 'Months' }).getByRole('button', { name: '3', exact: true }).click()
  const months = page.getByRole('table', { name: 'Cancellations' }).getByRole('row')
  await expect(months).toHaveCount(4)
})

test('a new practice reads what will be here, and sees its first booking counted', { tag: '@slow' }, async ({
  page,
}) => {
  await signUp(page, makePerson('Ada Lovelace'))
  const calendar = await createCalendar(page)
  await page.goto(insightsOf(calendar))
  await expect(page.getByText('Your charts will be here')).toBeVisible()
  await expectNoAxeFindings(page)

  const type = await createAppointmentType(page, calendar, { name: 'Talk', duration: 60 })
  // The 24-month chart ends with the current month and leaves out later appointments, so the owner books an hour in the past.
  await postToApi(page.context().request, `/api/calendars/${calendar.id}/appointments`, {
    appointment_type_id: type.id,
    starts_at: new Date(Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000).toISOString(),
    outside_hours: true,
    customer: { name: 'Grace Hopper' },
  })
  await bookAppointment(page.context().request, calendar, {
    startsAt: toInstant(nextTuesday(), '10:00'),
    person: makePerson('Alan Turing'),
    typeId: type.id,
  })
  await page.reload()
  await expect(page.getByText(/^Most booked: Talk, [12] of [12] appointments?\.$/)).toBeVisible()
  await expect(page.getByText('At least half of the appointments are booked less than')).toBeVisible()
  await expect(page.getByText(/0 of [12] appointments? were cancelled: 0%\./)).toBeVisible()
})

test('charts keep their parts apart where the system sets the colours, and fit a phone', {
  tag: ['@phone', '@slow'],
}, async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openDemo(page)
  await showSettingsTab(page, 'Insights')
  const chart = page.getByRole('img', { name: /^Money by month, EUR/ })
  await expect(chart).toBeVisible()
  const fills = await chart
    .locator('g rect')
    .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).fill))
  const [solid, dotted] = ['rgb', 'url'].map((kind) =>
    fills.find((fill) => fill.startsWith(kind) && fill !== 'rgba(0, 0, 0, 0)'),
  )
  expect(solid, 'what was taken is not drawn').toBeDefined()
  expect(dotted, 'what is outstanding has no pattern').toBeDefined()
  const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  expect(solid).not.toBe(background)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})

function insightsOf(calendar: Calendar): string {
  return `/calendar/${calendar.id}/settings?tab=insights`
}
