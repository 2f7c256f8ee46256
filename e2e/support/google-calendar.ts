import { expect, type Locator, type Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars.ts'
import type { ExternalCalendars } from '#contract/external-calendars.ts'
import { nextTuesday, post } from './people.ts'

/** Connects an account of Google's stand-in to read and to write, without the settings' screen. */
export async function connectGoogle(page: Page, calendar: Calendar, email: string): Promise<void> {
  const path = `/api/calendars/${calendar.id}/external-calendars/google/authorization`
  const { authorization_url } = await post<{ authorization_url: string }>(page.context().request, path, {
    access: 'write',
  })
  await page.goto(authorization_url)
  await allowAccess(page, email)
}

/** Says yes on the consent page of the stand-in. */
export async function allowAccess(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address of the Google account').fill(email)
  await page.getByRole('button', { name: 'Allow access' }).click()
  await expect(page.getByText('Connected to Google Calendar')).toBeVisible()
}

/** Opens the week of the next Tuesday in somebody's calendar at the stand-in, on London's clocks. */
export async function openGoogleCalendar(
  google: Page,
  owner: Page,
  calendar: Calendar,
  email: string,
): Promise<void> {
  const answer = await owner.context().request.get(`/api/calendars/${calendar.id}/external-calendars`)
  const { sandbox }: ExternalCalendars = await answer.json()
  const page = sandbox.find(({ provider }) => provider === 'google')?.page
  await google.goto(`${page}/${encodeURIComponent(email)}?week=${nextTuesday()}`)
  await google.getByLabel('Time zone').fill('Europe/London')
  await google.getByRole('button', { name: 'Save' }).click()
}

/** The card of an event on the page of the stand-in. */
export function eventOf(google: Page, title: string): Locator {
  return google.locator('section').filter({ has: google.getByRole('heading', { name: title }) })
}
