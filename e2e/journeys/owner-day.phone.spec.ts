import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { openAppointment, shownAppointment } from '#e2e/support/open-appointment.ts'
import {
  bookAppointment,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('five appointments on a phone take less than the first screen of settings took before', {
  tag: '@slow',
}, async ({ page }) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const { request } = page.context()
  for (const hour of [9, 10, 11, 12, 13]) {
    const startsAt = toInstant(nextTuesday(), `${hour}:00`)
    await bookAppointment(request, calendar, { startsAt, person: makePerson(`Customer ${hour}`) })
  }
  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  await expect(page.getByRole('article')).toHaveCount(5)
  const heights = await page.evaluate(() => {
    const top = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
    return {
      panel: top('section[aria-label=Appointments]')?.top ?? Number.POSITIVE_INFINITY,
      list: top('ul[aria-label=Appointments]')?.height ?? 0,
    }
  })
  // At first, the tabs above the panel began at 503 px, and five appointments took 4,330 px.
  expect(heights.panel).toBeLessThan(200)
  expect(heights.list).toBeLessThan(5 * 64)
  await expect(page.getByRole('searchbox')).toBeHidden()
  await page.getByRole('button', { name: 'Search, filter and export' }).click()
  await expect(page.getByRole('searchbox')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Export CSV' })).toBeVisible()
  await openAppointment(page, 'Customer 9')
  await expect(shownAppointment(page).getByText('Booking reference')).toBeVisible()
  await expectNoAxeFindings(page)
  await page.goto(`/calendar/${calendar.id}/settings`)
  const card = page.getByRole('region', { name: 'Booking Page' })
  expect((await card.boundingBox())?.height).toBeLessThan(70)
})
