import type { Page } from '@playwright/test'
import type { OwnerDayResponse } from '#contract/appointments.ts'
import { awaited, type Screen } from './screen.ts'

const PATH = '/today'
const DAY = '**/api/appointments/day'

/** The owner's day, which is made for a phone. */
export const DAY_SCREENS: readonly Screen[] = [
  { name: 'today', path: PATH, as: 'demo', answers: { [DAY]: fullDay }, sees: 'Today' },
  {
    name: 'today-opened',
    path: PATH,
    as: 'demo',
    answers: { [DAY]: fullDay },
    does: openFirst,
    sees: 'Route',
  },
  { name: 'today-empty', path: PATH, as: 'beginner', sees: 'Nobody is coming today.' },
  {
    name: 'today-old',
    path: PATH,
    as: 'demo',
    answers: { [DAY]: fullDay },
    does: loseConnection,
    complains: /ERR_FAILED/,
    sees: 'This is old: there is no connection',
  },
  ...awaited({ name: 'today', path: PATH, as: 'demo' }, [DAY], {
    loading: 'Loading your day...',
    failed: 'Failed to load appointments',
  }),
]

/** The appointments to come, the first three of them today: the demo has none on most days. */
function fullDay(day: OwnerDayResponse): OwnerDayResponse {
  const today = new Date()
  const appointments = day.appointments.map((one, index) => {
    if (index > 2) return one
    const startsAt = new Date(today.getTime() + (index * 75 - 60) * 60_000)
    return {
      ...one,
      date: today.toISOString().slice(0, 10),
      starts_at: startsAt.toISOString(),
      ends_at: new Date(startsAt.getTime() + 45 * 60_000).toISOString(),
    }
  })
  return { ...day, appointments }
}

async function openFirst(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Today' }).getByRole('button', { expanded: false }).nth(1).click()
}

async function loseConnection(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Today' }).waitFor()
  await page.route(DAY, (route) => route.abort())
  await page.reload()
}
