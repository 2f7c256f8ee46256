import type { Page } from '@playwright/test'
import { INFORMATION_PAGES } from '#contract/information/information-pages.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
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

const PUBLIC_PATHS = [
  '/',
  '/pricing',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?token=none',
  '/nothing-here',
  '/book/demo',
  '/cancel/00000000-0000-4000-8000-000000000000',
  '/payment-success',
  '/payment-cancelled?calendar_slug=demo',
  '/sandbox/ui',
]
const PUBLIC_PAGES = [
  ['public pages', PUBLIC_PATHS],
  ['information pages', Object.values(INFORMATION_PAGES).map(({ path }) => path)],
] as const

/** In both themes, axe checks each page, and no page may scroll sideways at 320 px. */
for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, { tag: colorScheme === 'dark' ? '@slow' : [] }, () => {
    test.use({ colorScheme })

    for (const [pages, pathsOfPages] of PUBLIC_PAGES) {
      test(`the ${pages} are accessible`, { tag: '@phone' }, async ({ page, allowConsole }) => {
        allowConsole(/404/)
        for (const path of pathsOfPages) {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await inspect(page, path)
        }
      })
    }

    test('the pages around an appointment are accessible', { tag: '@phone' }, async ({
      page,
      newVisitor,
    }) => {
      const ownerPage = await newVisitor()
      await signUp(ownerPage, makePerson('Ida Berg'))
      const calendar = await createCalendar(ownerPage)
      const { id } = await bookAppointment(ownerPage.context().request, calendar, {
        startsAt: toInstant(nextTuesday(), '15:00'),
        person: makePerson('Alan Turing'),
      })
      await page.goto(`/book/${calendar.slug}/confirmation?appointment_id=${id}`)
      await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
      await inspect(page, 'confirmation')
      await page.goto(`/cancel/${id}`)
      await expect(page.getByRole('button', { name: 'Request cancellation' })).toBeVisible()
      await inspect(page, 'cancel')
    })

    test('the owner’s pages are accessible', async ({ page }) => {
      await signUp(page, makePerson('Ida Berg'))
      const calendar = await createCalendar(page)
      await createAppointmentType(page, calendar, {
        name: 'A talk with a rather long name that wants a second line',
        duration: 30,
      })
      await page.goto('/dashboard')
      await expect(page.getByRole('button', { name: 'Delete Calendar' })).toBeVisible()
      await inspect(page, 'dashboard')
      for (const tab of ['general', 'appointments', 'types']) {
        await page.goto(`/calendar/${calendar.id}/settings?tab=${tab}`)
        await expect(page.getByRole('heading', { name: calendar.name })).toBeVisible()
        await expect(page.getByText(/loading/i)).toHaveCount(0)
        await inspect(page, tab)
      }
      // The list reloads every few seconds, which would interrupt the check.
      await page.route('**/sandbox/mail', async (route) => {
        const response = await route.fetch()
        const { refresh: _, ...headers } = response.headers()
        await route.fulfill({ response, headers })
      })
      await page.goto('/sandbox/mail')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await inspect(page, 'mailbox')
      await page.getByRole('link', { name: 'gallery of messages' }).click()
      await expect(page.getByRole('link', { name: 'Booking confirmation' })).toBeVisible()
      await inspect(page, 'gallery of messages')
    })
  })
}

test('any other path is a page that says so and leads home', { tag: '@slow' }, async ({
  page,
  allowConsole,
}) => {
  allowConsole(/404/)
  const response = await page.goto('/there/is/nothing')
  expect(response?.status()).toBe(404)
  await expect(page.getByText('Page Not Found')).toBeVisible()
  await expect(page.getByText('/there/is/nothing')).toBeVisible()
  await page.getByRole('link', { name: 'Go Home' }).click()
  await expect(page).toHaveURL(/\/$/)
})

async function inspect(page: Page, name: string): Promise<void> {
  await test.step(name, async () => {
    await expectNoAxeFindings(page)
    const size = page.viewportSize()
    await page.setViewportSize({ width: 320, height: 640 })
    // Poll until the layout settles: the browser may still be resizing the page.
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await expect.poll(overflow, `${name} scrolls sideways at 320 px`).toBeLessThanOrEqual(0)
    if (size !== null) await page.setViewportSize(size)
  })
}
