import type { Locator, Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'

/** Opens the form for the first appointment type of a calendar, and enters a name. */
export async function openTypeForm(page: Page, calendar: Calendar, name: string): Promise<Locator> {
  await page.goto(`/calendar/${calendar.id}/settings?tab=types`)
  await page.getByRole('button', { name: 'Create your first appointment type' }).click()
  const form = page.getByRole('dialog', { name: 'Create Appointment Type' })
  await form.getByLabel('Name').fill(name)
  return form
}
