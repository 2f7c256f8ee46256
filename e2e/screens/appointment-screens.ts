import type { Page } from '@playwright/test'
import { nextTuesday } from '#e2e/support/people.ts'
import type { Screen } from './screen.ts'
import type { World } from './world.ts'

const tab =
  (of: keyof World['calendars'], query = '') =>
  ({ calendars }: World) =>
    `/calendar/${calendars[of].id}/settings?tab=appointments${query}`
const week = `&view=week&date=${nextTuesday()}`

/** A calendar's appointments as a list, a week and a day, and the dialogs around them. */
export const APPOINTMENT_SCREENS: readonly Screen[] = [
  { name: 'upcoming', path: tab('demo'), as: 'demo', sees: 'Walter Walkin' },
  { name: 'past', path: tab('demo', '&filter=past'), as: 'demo', sees: 'Tomás Ribeiro' },
  { name: 'last-page', path: tab('demo', '&filter=all&page=2'), as: 'demo', sees: 'Booking reference' },
  { name: 'empty', path: tab('empty', '&filter=past'), as: 'beginner', sees: 'No appointments found' },
  { name: 'nothing-matches', path: tab('demo', '&search=nobody'), as: 'demo', sees: 'Clear search' },
  { name: 'wordy', path: tab('wordy'), as: 'wordy', sees: 'Booking reference' },
  {
    name: 'loading',
    path: tab('demo'),
    as: 'demo',
    answers: { '**/appointments?*': 'never' },
    sees: 'Loading appointments...',
  },
  {
    name: 'failed',
    path: tab('demo'),
    as: 'demo',
    answers: { '**/appointments?*': 'error' },
    complains: /500/,
    fails: true,
    sees: 'Failed to load appointments',
  },
  {
    name: 'messages',
    path: tab('demo', '&search=Lovelace'),
    as: 'demo',
    does: (page) => pressFirst(page, 'Messages'),
    sees: 'Booking confirmation',
  },
  {
    name: 'payment-menu',
    path: tab('demo', '&search=Lovelace'),
    as: 'demo',
    does: (page) => pressFirst(page, 'Payment'),
    sees: 'Mark as Failed',
  },
  {
    name: 'cancel',
    path: tab('demo', '&search=Lovelace'),
    as: 'demo',
    does: (page) => pressFirst(page, 'Cancel'),
    sees: 'Cancel this appointment?',
  },
  { name: 'requested', path: tab('demo', '&search=Turing'), as: 'demo', sees: 'Approve Cancellation' },
  { name: 'week', path: tab('demo', week), as: 'demo', sees: 'Walter Walkin' },
  { name: 'day', path: tab('demo', `&view=day&date=${nextTuesday()}`), as: 'demo', sees: 'Walter Walkin' },
  {
    name: 'week-empty',
    path: tab('empty', '&view=week&date=2027-03-02'),
    as: 'beginner',
    sees: /No appointments/,
  },
  {
    name: 'details',
    path: tab('demo', week),
    as: 'demo',
    does: (page) => pressFirst(page, /Walter Walkin/),
    sees: 'Booking reference',
  },
  { name: 'new', path: tab('demo'), as: 'demo', does: openNew, sees: 'Appointment type' },
  {
    name: 'new-another-time',
    path: tab('demo'),
    as: 'demo',
    sees: 'This is outside your opening hours.',
    does: async (page) => {
      const dialog = await openNew(page)
      await dialog.getByLabel('Customer').fill('Walter Walkin')
      await dialog.getByRole('combobox', { name: /^Appointment type/ }).click()
      await page.getByRole('option', { name: /^Individual session/ }).click()
      await dialog.getByLabel(/^Date/).fill(nextTuesday())
      await dialog.getByRole('button', { name: 'Another time' }).click()
      await dialog.getByLabel(/^Start/).fill('21:30')
    },
  },
  {
    name: 'new-errors',
    path: tab('demo'),
    as: 'demo',
    sees: /name/i,
    does: async (page) => {
      const dialog = await openNew(page)
      await dialog.getByRole('button', { name: 'Book appointment' }).click()
    },
  },
]

async function pressFirst(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('main').getByRole('button', { name }).first().click()
}

async function openNew(page: Page) {
  await page.getByRole('button', { name: 'New appointment' }).first().click()
  return page.getByRole('dialog', { name: 'New appointment' })
}
