import type { Locator, Page } from '@playwright/test'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { chooseDate, nextTuesday } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('on a desktop, no scrolling leads from the service to the time', async ({ page }) => {
  await page.goto('/book/demo')
  await page.getByRole('radio', { name: /First conversation/ }).check()
  const change = page.getByRole('button', { name: 'Change appointment type' })
  await expect(change).toBeInViewport({ ratio: 1 })
  const grid = page.getByRole('grid')
  const offered = page.getByRole('group', { name: /^Next: / })
  await expect(grid).toBeInViewport({ ratio: 1 })
  await expect(offered).toBeInViewport({ ratio: 1 })
  expect(await grid.getByRole('row').count()).toBe(6)

  // From left to right: the professional and the summary, the days, the times. The service is above the days.
  const professional = await boxOf(page.getByRole('heading', { level: 1 }))
  const summary = page.locator('.booking-summary')
  await expect(summary).toContainText('First conversation')
  const [days, times] = [await boxOf(grid), await boxOf(offered)]
  expect(professional.x + professional.width).toBeLessThan(days.x)
  expect((await boxOf(summary)).y).toBeGreaterThan(professional.y)
  expect(days.x + days.width).toBeLessThan(times.x)
  expect((await boxOf(change)).y).toBeLessThan(days.y)
  expect(await scrolled(page)).toBe(0)
  await expectNoAxeFindings(page)

  await chooseDate(page, nextTuesday())
  const slot = page.getByRole('button', { name: /^\d+:\d\d [AP]M$/ }).first()
  await expect(slot).toBeInViewport({ ratio: 1 })
  const label = await slot.innerText()
  await slot.click()
  await expect(summary).toContainText(`at ${label}`)
  await expect(summary).toBeInViewport({ ratio: 1 })
  expect(await scrolled(page)).toBe(0)

  await change.click()
  await expect(page.getByRole('radio', { name: /First conversation/ })).toBeFocused()
  await page.getByRole('radio', { name: /Couples session/ }).check()
  await expect(summary).toContainText('Couples session')
  await expect(grid).toBeInViewport({ ratio: 1 })
})

async function boxOf(target: Locator) {
  const box = await target.boundingBox()
  if (box === null) throw new Error('The element is not shown')
  return box
}

function scrolled(page: Page): Promise<number> {
  return page.evaluate(() => scrollY)
}
