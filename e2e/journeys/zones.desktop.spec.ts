import {
  chooseDate,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/** Zones whose offset is not a whole hour, so that code which ignores the zone fails visibly. */
const VISITORS = [
  { timeZone: 'Asia/Kathmandu', zoneName: /Kathmandu time/, nineInLondon: /^2:45 PM/ },
  { timeZone: 'America/St_Johns', zoneName: /St Johns time/, nineInLondon: /^5:30 AM/ },
]

for (const [index, { timeZone, zoneName, nineInLondon }] of VISITORS.entries()) {
  test.describe(`a visitor in ${timeZone}`, { tag: index > 0 ? '@slow' : [] }, () => {
    test.use({ timezoneId: timeZone })

    test('sees an online type in their own time and can switch to the calendar’s', async ({
      page,
      newVisitor,
    }) => {
      const ownerPage = await newVisitor()
      await signUp(ownerPage, makePerson('Ida Berg'))
      const calendar = await createCalendar(ownerPage)
      await createAppointmentType(ownerPage, calendar, { name: 'Video call', duration: 30, is_online: true })
      await createAppointmentType(ownerPage, calendar, { name: 'At the practice', duration: 30 })
      const date = winterTuesday()

      await page.goto(`/book/${calendar.slug}`)
      await page.getByRole('radio', { name: /Video call/ }).check()
      await expect(page.getByText(zoneName).first()).toBeVisible()
      await chooseDate(page, date)
      await expect(page.getByRole('button', { name: nineInLondon })).toBeVisible()
      await page.getByRole('radio', { name: /London time/ }).check()
      await expect(page.getByRole('button', { name: /^9:00 AM/ })).toBeVisible()

      // The page saves the chosen type a moment after the last change.
      await expect.poll(() => page.evaluate(() => history.state?.draft?.typeId)).toEqual(expect.any(String))
      await page.goto(`/book/${calendar.slug}`)
      await page.getByRole('button', { name: 'Change appointment type' }).click()
      await page.getByRole('radio', { name: /At the practice/ }).check()
      await chooseDate(page, date)
      await expect(page.getByRole('button', { name: /^9:00 AM/ })).toBeVisible()
    })

    test('reads in the confirmation first the time that they chose', async ({ page, newVisitor }) => {
      const ownerPage = await newVisitor()
      await signUp(ownerPage, makePerson('Ida Berg'))
      const calendar = await createCalendar(ownerPage)
      const customer = makePerson('Alan Turing')
      const times = page.locator('dt', { hasText: 'Time' }).locator('xpath=following-sibling::dd[1]/span')

      await page.goto(`/book/${calendar.slug}`)
      await page.getByRole('radio', { name: zoneName }).check()
      await chooseDate(page, winterTuesday())
      await page.getByRole('button', { name: nineInLondon }).click()
      await page.getByLabel('Full Name').fill(customer.name)
      await page.getByLabel('Email Address').fill(customer.email)
      await page.getByRole('button', { name: 'Book appointment' }).click()
      await expect(times.first()).toHaveText(zoneName)
      await expect(times.last()).toHaveText(/^9:00 AM.*London time/)
      await page.reload()
      await expect(times.first()).toHaveText(zoneName)
    })
  })
}

/** Returns the next Tuesday in December, January or February, when London and St. John's are on winter time. */
function winterTuesday(): string {
  const day = new Date(Date.parse(nextTuesday()))
  while (![11, 0, 1].includes(day.getUTCMonth())) day.setUTCDate(day.getUTCDate() + 7)
  return day.toISOString().slice(0, 10)
}
