import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { createCalendar, makePerson, signUp } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner closes on public holidays, keeps one open, and opens one again', async ({ page }) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await page.goto(`/calendar/${calendar.id}/settings?tab=availability`)
  await page.getByRole('button', { name: 'Choose a country' }).click()
  const dialog = page.getByRole('dialog', { name: 'Public holidays' })
  await dialog.getByRole('combobox', { name: 'Country' }).fill('Germ')
  await page.getByRole('option', { name: 'Germany' }).click()
  await dialog.getByRole('combobox', { name: 'Region' }).fill('Bay')
  await page.getByRole('option', { name: 'Bayern', exact: true }).click()
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Bayern, Germany')).toBeVisible()

  // The dates depend on today, but there are always more than six proposals.
  const proposals = page.getByRole('list', { name: 'Public holidays' }).getByRole('listitem')
  await expect(proposals).toHaveCount(6)
  const daysOff = page.getByRole('list', { name: 'Days off and special hours' }).getByRole('article')
  await expect(daysOff).toHaveCount(0)
  await page.getByRole('heading', { name: 'Public holidays' }).scrollIntoViewIfNeeded()
  await expectNoAxeFindings(page)

  await proposals
    .first()
    .getByRole('button', { name: /^Keep open/ })
    .click()
  await expect(page.getByText('The day stays open')).toBeVisible()
  const [name = '', day = ''] = await proposals.first().locator('p').allTextContents()
  await proposals
    .first()
    .getByRole('button', { name: /^Close/ })
    .click()
  const entry = page.getByRole('article', { name: day })
  await expect(entry.getByText(name)).toBeVisible()
  await expect(entry.getByText('Closed')).toBeVisible()

  await page.getByRole('button', { name: /^Close on all/ }).click()
  await expect(page.getByText('Nothing left to decide.')).toBeVisible()
  await entry.getByRole('button', { name: /^Remove/ }).click()
  await expect(entry).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('Nothing left to decide.')).toBeVisible()
  await page.getByRole('button', { name: /^Show all \d+ holidays/ }).click()
  await expect(page.getByRole('list', { name: 'Public holidays' }).getByText(day)).toHaveCount(0)
  await expectNoAxeFindings(page)
})
