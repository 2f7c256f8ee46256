import type { Locator, Page } from '@playwright/test'

/**
 * Opens an appointment of the list by its customer's name. Returns the panel beside the list, or the sheet on a phone, which has
 * everything about the appointment and all actions.
 */
export async function openAppointment(page: Page, name: string): Promise<Locator> {
  await page.getByRole('article', { name }).getByRole('button', { name, exact: true }).click()
  return shownAppointment(page)
}

/** Returns the panel or the sheet of the open appointment. */
export function shownAppointment(page: Page): Locator {
  const name = { name: 'Appointment', exact: true }
  return page.getByRole('region', name).or(page.getByRole('dialog', name))
}
