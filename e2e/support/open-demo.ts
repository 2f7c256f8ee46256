import type { Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { postToApi } from './people.ts'

/** Logs in to the demo account, and opens the settings of its calendar with half a year of data. */
export async function openDemo(page: Page): Promise<void> {
  await postToApi(page.context().request, '/api/auth/sign-in', {
    email: 'demo@example.com',
    password: 'meridian-demo',
  })
  const { calendars } = (await (await page.context().request.get('/api/calendars')).json()) as {
    calendars: Calendar[]
  } // the response of our own API
  const demo = calendars.find(({ slug }) => slug === 'demo')
  if (demo === undefined) throw new Error('There is no demo calendar')
  await page.goto(`/calendar/${demo.id}/settings`)
}
