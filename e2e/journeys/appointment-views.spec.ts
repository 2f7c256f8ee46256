import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { addDays } from '#core/shared/zoned-time.ts'
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

test('appointments are found by name and reference, in the address, and as a file', async ({
  page,
  isMobile,
}) => {
  const { calendar, booked } = await practice(page)
  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  await expect(page.getByRole('article')).toHaveCount(3)
  await expectNoAxeFindings(page)
  if (!isMobile) {
    await test.step('the head of the card has the main button beside the heading, and one line of others', async () => {
      const card = page
        .locator('section', { has: page.getByRole('heading', { name: 'Appointments' }) })
        .last()
      const middles = async (parts: Locator[]) =>
        Promise.all(
          parts.map(async (part) => {
            const box = await part.boundingBox()
            return box === null ? 0 : Math.round(box.y + box.height / 2)
          }),
        )
      const [views, days, customers] = await middles([
        card.getByRole('group', { name: 'View' }),
        card.getByRole('button', { name: 'Change whole days' }),
        card.getByRole('link', { name: 'Customers' }),
      ])
      expect([days, customers]).toEqual([views, views])
      const [main] = await middles([card.getByRole('button', { name: 'New appointment' })])
      expect(main).toBeLessThan(views ?? 0)
    })
  }

  if (isMobile) await page.getByRole('button', { name: 'Search, filter and export' }).click()
  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.fill('turing')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('article', { name: /Alan Turing/ })).toBeVisible()
  await expect(page).toHaveURL(/search=turing/)
  await page.reload()
  await expect(search).toHaveValue('turing')
  await expect(page.getByRole('article')).toHaveCount(1)

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(
    new RegExp(`^appointments-${calendar.slug}-\\d{4}-\\d\\d-\\d\\d\\.csv$`),
  )
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
  expect(lines[0]).toMatch(/^\uFEFFdate,start_time,/)
  expect(lines[1]).toContain('Alan Turing')
  expect(lines).toHaveLength(3)

  await search.fill(booked[2]?.booking_reference.replace('BK-', '') ?? '')
  await expect(page.getByRole('article', { name: /Grace Hopper/ })).toBeVisible()
  await search.fill('nobody like that')
  await expect(page.getByText('No appointments found')).toBeVisible()
  await expect(page.getByText('Nothing upcoming matches “nobody like that”.')).toBeVisible()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Clear search' }).first().click()
  await expect(page.getByRole('article')).toHaveCount(3)
})

test('the week and the day show when they are, and open their details', async ({ page }) => {
  const { calendar, date } = await practice(page)
  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  await page.getByRole('button', { name: 'Week', exact: true }).click()
  await expect(page).toHaveURL(/view=week/)
  await page.getByLabel('Go to date').fill(date)
  await page.getByLabel('Go to date').press('Enter')
  const tuesday = page.getByRole('region', { name: /^Tuesday/ })
  const ada = tuesday.getByRole('button', { name: /^Ada Lovelace .* Massage Confirmed$/ })
  await expect(ada).toBeVisible()
  await expect(page.getByRole('region', { name: /^Wednesday/ }).getByRole('button')).toHaveCount(1)
  const cut = await page
    .locator('[data-appointment] [style*="max-width"]')
    .evaluateAll((times) =>
      times.filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth),
    )
  expect(cut, 'a time is whole or not there').toEqual([])
  await expectNoAxeFindings(page)

  await ada.focus()
  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog', { name: 'Appointment' })
  await expect(details.getByText('Booking reference')).toBeVisible()
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(ada).toBeFocused()

  await page.getByRole('button', { name: 'Day', exact: true }).click()
  await expect(page.getByRole('button', { name: /Ada Lovelace/ })).toBeVisible()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Next day' }).click()
  await expect(page.getByRole('button', { name: /Grace Hopper/ })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`date=${addDays(date, 1)}`))
  await page.goBack()
  await expect(page.getByRole('button', { name: /Ada Lovelace/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: /Alan Turing/ })).toBeVisible()
})

/** Creates a calendar with two appointments on a Tuesday and one on the Wednesday. */
async function practice(page: Page) {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const type = await createAppointmentType(page, calendar, { name: 'Massage', duration: 45 })
  const date = nextTuesday()
  const { request } = page.context()
  const booked = []
  for (const [startsAt, name] of [
    [toInstant(date, '11:00'), 'Ada Lovelace'],
    [toInstant(date, '14:00'), 'Alan Turing'],
    [toInstant(addDays(date, 1), '12:00'), 'Grace Hopper'],
  ] as const) {
    booked.push(
      await bookAppointment(request, calendar, { startsAt, person: makePerson(name), typeId: type.id }),
    )
  }
  return { calendar, date, booked }
}
