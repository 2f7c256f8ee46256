import { expect, type Locator, type Page } from '@playwright/test'

/** The list of a calendar's settings: beside the chosen tab, or on a phone a page of its own. */
export function settingsList(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Calendar settings' })
}

/** Opens a tab of a calendar's settings from the list. On a phone, it returns to the list first. */
export async function showSettingsTab(page: Page, name: string): Promise<void> {
  const back = page.getByRole('link', { name: 'All settings' })
  await settingsList(page).or(back).first().waitFor()
  if (await back.isVisible()) await back.click()
  await settingsList(page).getByRole('link', { name, exact: true }).click()
  await expectSettingsTab(page, name)
}

/** Expects a tab of the settings: marked in the list, or on a phone named below the calendar's name. */
export async function expectSettingsTab(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('region', { name, exact: true })).toBeVisible()
  const entry = settingsList(page).getByRole('link', { name, exact: true })
  const isChosen = entry.and(page.locator('[aria-current="page"]'))
  await expect(isChosen.or(page.getByRole('link', { name: 'All settings' }))).toBeVisible()
}
