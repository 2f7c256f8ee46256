import type { Page } from '@playwright/test'
import { goToProvider } from '#e2e/support/connect.ts'
import type { Screen } from './screen.ts'
import type { World } from './world.ts'

type Which = keyof World['calendars']
const tab =
  (name: string, of: Which) =>
  ({ calendars }: World) =>
    `/calendar/${calendars[of].id}/settings?tab=${name}`
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

/** The tabs of a calendar's settings, with what opens in them. Its appointments have a table of their own. */
export const SETTINGS_SCREENS: readonly Screen[] = [
  { name: 'general', path: tab('general', 'demo'), as: 'demo', sees: 'Danger Zone' },
  { name: 'general-new', path: tab('general', 'empty'), as: 'beginner', sees: 'Danger Zone' },
  { name: 'general-wordy', path: tab('general', 'wordy'), as: 'wordy', sees: 'Danger Zone' },
  {
    name: 'general-delete',
    path: tab('general', 'demo'),
    as: 'demo',
    does: press('Delete Calendar'),
    sees: /future appointments will be cancelled/,
  },
  {
    name: 'general-time-zone',
    path: tab('general', 'demo'),
    as: 'demo',
    sees: /^Change the time zone/,
    does: async (page) => {
      await page.getByRole('combobox', { name: 'Time zone' }).fill('kathmandu')
      await page.getByRole('option', { name: /Kathmandu/ }).click()
      await press('Update Time Zone')(page)
    },
  },
  {
    name: 'general-other-category',
    path: tab('general', 'demo'),
    as: 'demo',
    sees: 'Your category',
    does: async (page) => {
      await page.getByRole('combobox', { name: 'Category' }).click()
      await page.getByRole('option', { name: 'Other' }).click()
    },
  },
  { name: 'availability', path: tab('availability', 'demo'), as: 'demo', sees: 'What customers see' },
  {
    name: 'availability-unsuitable',
    path: tab('availability', 'wordy'),
    as: 'wordy',
    sees: /does not suit these settings/,
  },
  {
    name: 'availability-errors',
    path: tab('availability', 'demo'),
    as: 'demo',
    does: (page) =>
      page.getByRole('form', { name: 'Add hours' }).getByRole('button', { name: 'Add hours' }).click(),
    sees: /^This time range overlaps/,
  },
  {
    name: 'availability-add-hours',
    path: tab('availability', 'demo'),
    as: 'demo',
    does: press('Add hours on Sunday'),
    sees: 'Until midnight',
  },
  {
    name: 'availability-copy',
    path: tab('availability', 'demo'),
    as: 'demo',
    does: press('Copy Monday to other days'),
    sees: 'Copy Monday to other days',
  },
  { name: 'types', path: tab('types', 'demo'), as: 'demo', sees: 'Couples session' },
  {
    name: 'types-empty',
    path: tab('types', 'empty'),
    as: 'beginner',
    sees: 'No appointment types created yet',
  },
  { name: 'types-wordy', path: tab('types', 'wordy'), as: 'wordy', sees: '120 min' },
  {
    name: 'types-create',
    path: tab('types', 'demo'),
    as: 'demo',
    does: press('Add Type'),
    sees: 'Create Appointment Type',
  },
  {
    name: 'types-errors',
    path: tab('types', 'paid'),
    as: 'demo',
    sees: /required/i,
    does: async (page) => {
      await press('Add Type')(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Duration').fill('2')
      await dialog.getByRole('button', { name: 'Create' }).click()
    },
  },
  {
    name: 'types-edit',
    path: tab('types', 'paid'),
    as: 'demo',
    does: press('Edit Massage'),
    sees: 'Edit Appointment Type',
  },
  {
    name: 'types-delete',
    path: tab('types', 'demo'),
    as: 'demo',
    does: press('Delete Couples session'),
    sees: 'Are you sure you want to delete this appointment type?',
  },
  {
    name: 'payments-off',
    path: tab('payments', 'empty'),
    as: 'beginner',
    sees: 'Enable payment for appointments',
  },
  { name: 'payments-on', path: tab('payments', 'unconnected'), as: 'demo', sees: 'Connect Stripe' },
  { name: 'payments-connected', path: tab('payments', 'paid'), as: 'demo', sees: 'Connected as' },
  {
    name: 'payments-disconnect',
    path: tab('payments', 'paid'),
    as: 'demo',
    does: press(/^Disconnect/),
    sees: /Disconnect Stripe/,
  },
  { name: 'transactions', path: tab('transactions', 'paid'), as: 'demo', sees: 'Money overview' },
  { name: 'transactions-by-hand', path: tab('transactions', 'demo'), as: 'demo', sees: 'Mary Somerville' },
  {
    name: 'transactions-empty',
    path: tab('transactions', 'empty'),
    as: 'beginner',
    sees: 'No Transactions Yet',
  },
  { name: 'reminders', path: tab('reminders', 'demo'), as: 'demo', sees: 'Your next appointment' },
  { name: 'reminders-sample', path: tab('reminders', 'empty'), as: 'beginner', sees: 'Sample values' },
  {
    name: 'reminders-errors',
    path: tab('reminders', 'demo'),
    as: 'demo',
    sees: 'Please choose between 1 and 72 hours.',
    does: async (page) => {
      await page.getByLabel('Subject').fill('See you, {who}')
      await page.getByLabel(/^Hours before/).fill('100')
      await press('Save Reminder Settings')(page)
    },
  },
  { name: 'locations', path: tab('locations', 'demo'), as: 'demo', sees: 'Riverside Practice' },
  { name: 'locations-empty', path: tab('locations', 'empty'), as: 'beginner', sees: 'No locations yet' },
  { name: 'locations-wordy', path: tab('locations', 'wordy'), as: 'wordy', sees: 'Primary' },
  {
    name: 'locations-errors',
    path: tab('locations', 'empty'),
    as: 'beginner',
    sees: 'Location name is required',
    does: async (page) => {
      await press('Add your first location')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Add Location' }).click()
    },
  },
  {
    name: 'locations-edit',
    path: tab('locations', 'demo'),
    as: 'demo',
    does: press(/^Edit Riverside/),
    sees: 'Edit Location',
  },
  {
    name: 'locations-remove',
    path: tab('locations', 'demo'),
    as: 'demo',
    does: press(/^Remove Riverside/),
    sees: /stays? there as booked|No future appointment|Nothing/,
  },
  {
    name: 'strangers',
    path: tab('general', 'demo'),
    as: 'beginner',
    complains: /403/,
    sees: "You don't have permission to edit this calendar's availability.",
  },
  {
    name: 'not-found',
    path: '/calendar/00000000-0000-4000-8000-000000000000/settings',
    as: 'beginner',
    complains: /404/,
    sees: 'Calendar not found',
  },
  { name: 'connect-at-stripe', path: '/', as: 'demo', does: goToStripe, sees: 'Allow access' },
]

/** The stand-in's page on which an owner connects an account. */
async function goToStripe(page: Page, { calendars }: World): Promise<void> {
  await goToProvider(page, calendars.demo, 'stripe')
}
