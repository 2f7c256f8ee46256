import type { Page } from '@playwright/test'
import { PROBLEMS } from '#contract/problem.ts'
import { press } from './calendar-tab.ts'
import { OVERLAPS, PEOPLE } from './people-answers.ts'
import { awaited, type Screen } from './screen.ts'

const PATH = '/dashboard'

/** The owner's first page. */
export const DASHBOARD_SCREENS: readonly Screen[] = [
  { name: 'empty', path: PATH, as: 'newcomer', sees: "You haven't created any calendars yet." },
  { name: 'one-calendar', path: PATH, as: 'beginner', sees: 'Berg Yoga' },
  { name: 'full', path: PATH, as: 'demo', sees: 'Riverside Massage' },
  {
    name: 'cancellation-requests',
    path: PATH,
    as: 'demo',
    does: (page) => page.getByRole('button', { name: /to cancel wait/ }).click(),
    sees: 'Requests to cancel',
  },
  { name: 'wordy', path: PATH, as: 'wordy', sees: 'Manage' },
  { name: 'menu', path: PATH, as: 'demo', only: 'phone', does: openMenu, sees: 'Sign Out' },
  {
    name: 'loading',
    path: PATH,
    as: 'demo',
    answers: { '**/api/calendars': 'never', '**/api/appointments/upcoming*': 'never' },
    sees: ['Loading your calendars...', 'Loading appointments...'],
  },
  {
    name: 'failed',
    path: PATH,
    as: 'demo',
    answers: { '**/api/calendars': 'error', '**/api/appointments/upcoming*': 'error' },
    complains: /500/,
    fails: true,
    sees: ['Error loading your calendars. Please try again.', 'Failed to load appointments'],
  },
  // Before it is known who is signed in there is no page at all.
  ...awaited(
    { name: 'guard', isPageless: true, path: PATH, as: 'demo', complains: /500|ApiProblem/ },
    ['**/api/auth/session'],
    {
      loading: 'Loading...',
      failed: PROBLEMS['server.unexpected'].title,
    },
  ),
  { name: 'create-calendar', path: PATH, as: 'newcomer', does: openCreate, sees: 'Create Calendar' },
  {
    name: 'create-calendar-errors',
    path: PATH,
    as: 'newcomer',
    sees: /required/i,
    does: async (page) => {
      await openCreate(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Create Calendar' }).click()
    },
  },
  {
    name: 'create-calendar-limit',
    path: PATH,
    as: 'beginner',
    does: openCreate,
    sees: /^You have reached your calendar limit/,
  },
  // The demo has further calendars, and no limit.
  { name: 'create-further-calendar', path: PATH, as: 'demo', does: openCreate, sees: 'Whose time is this?' },
  {
    name: 'create-calendar-of-somebody',
    path: PATH,
    as: 'demo',
    answers: { '**/api/people': { json: PEOPLE } },
    does: async (page) => {
      await openCreate(page)
      await page.getByRole('radio', { name: 'Somebody else’s' }).check()
      await press(/^Dr[.] Maximiliane/)(page)
      await page.getByText('Whose time is this?').scrollIntoViewIfNeeded()
    },
    sees: 'Or choose somebody who has a calendar already:',
  },
  {
    name: 'create-calendar-of-nobody',
    path: PATH,
    as: 'demo',
    does: async (page) => {
      await openCreate(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(/^Name/).fill('Riverside Walks at night')
      await dialog.getByRole('radio', { name: 'Somebody else’s' }).check()
      await dialog.getByRole('button', { name: 'Create Calendar' }).click()
    },
    sees: 'Please say whose time this is.',
  },
  {
    name: 'overlaps',
    path: PATH,
    as: 'demo',
    answers: { '**/api/people/overlaps': { json: OVERLAPS } },
    sees: ['Appointments at the same time', 'Hide this list'],
  },
  {
    name: 'delete-calendar',
    path: PATH,
    as: 'beginner',
    does: (page) => page.getByRole('button', { name: 'Delete Calendar' }).click(),
    sees: /Delete/,
  },
  { name: 'subscribed', path: '/dashboard?subscription=success', as: 'beginner', sees: 'Berg Yoga' },
]

async function openCreate(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Create (Your First )?Calendar$/ })
    .first()
    .click()
}

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open menu' }).click()
}
