import { START_REASON_SENTENCES } from '#contract/appointments/owner-booking-problems.ts'
import { addDays, localDateOf, localTimeOf } from '#core/shared/zoned-time.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { createCalendar, makePerson, nextTuesday, signUp, toInstant } from '#e2e/support/people.ts'
import { showSettingsTab } from '#e2e/support/settings-list.ts'
import { expect, test } from '#e2e/support/test.ts'

/** The Friday after the Tuesday that `nextTuesday` returns. */
const FRIDAY = addDays(nextTuesday(), 3)

test('the why of yesterday: a day that was closed and opened again is explained for the moment at which a customer was refused', async ({
  page,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const { request } = page.context()
  const api = `/api/calendars/${calendar.id}`
  const closed = await request.post(`${api}/special-days`, {
    data: { first_date: FRIDAY, last_date: FRIDAY, note: 'Away', hours: [] },
  })
  expect(closed.ok()).toBe(true)
  const refused = await request.post(`/api/public/calendars/${calendar.slug}/appointments`, {
    data: {
      starts_at: toInstant(FRIDAY, '10:00'),
      customer: { name: 'Mrs Kay', email: 'kay@example.com' },
      title: 'Check-up',
    },
  })
  expect(refused.status()).toBe(409)
  const minuteMs = Math.floor(Date.now() / 60_000) * 60_000
  // An owner asks about whole minutes, so the day has to stay closed until the minute is over.
  await expect.poll(() => Date.now() - minuteMs, { timeout: 70_000 }).toBeGreaterThan(60_000)
  const { id } = (await closed.json()) as { id: string }
  expect((await request.delete(`${api}/special-days/${id}`)).ok()).toBe(true)

  await page.goto(`/calendar/${calendar.id}/settings?tab=availability`)
  await page.getByRole('button', { name: 'Why isn’t a time offered?' }).click()
  const dialog = page.getByRole('dialog', { name: 'Why isn’t this time offered?' })
  await dialog.getByLabel('Date').fill(FRIDAY)
  await dialog.getByLabel('Start').fill('10:00')
  await expect(dialog.getByText('Customers can book this time.')).toBeVisible()
  await dialog.getByRole('button', { name: 'At an earlier moment' }).click()
  await dialog.getByLabel('Earlier day').fill(localDateOf(minuteMs, calendar.timezone))
  await dialog.getByLabel('Earlier time').fill(localTimeOf(minuteMs, calendar.timezone).slice(0, 5))
  const sentence = dialog.getByText(START_REASON_SENTENCES.special_day)
  await expect(sentence.first()).toBeVisible()
  await expect(dialog.getByRole('region', { name: 'Refused bookings' })).toContainText(
    START_REASON_SENTENCES.special_day,
  )
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await showSettingsTab(page, 'Activity')
  const changes = page.getByRole('region', { name: 'Activity' })
  await expect(changes.getByText(/^Special days removed: .* \(Away\)$/)).toBeVisible()
  await expect(changes.getByText(/^Special days added: .* \(Away\)$/)).toBeVisible()
  await expect(changes.getByText(/^You · /).first()).toBeVisible()
  await expectNoAxeFindings(page)
  await changes.getByRole('combobox', { name: 'Settings' }).click()
  await page.getByRole('option', { name: 'Branding' }).click()
  await expect(changes.getByText('No changes')).toBeVisible()
  await changes.getByRole('button', { name: 'Refused bookings' }).click()
  await expect(changes.getByText(START_REASON_SENTENCES.special_day)).toBeVisible()
  await expect(changes.getByText(/^A customer was refused on /)).toBeVisible()
  await expectNoAxeFindings(page)
  await expect(page.getByText('Kay')).toHaveCount(0)
})
