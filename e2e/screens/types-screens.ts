import { press, tab } from './calendar-tab.ts'
import { awaited, type Screen } from './screen.ts'

/** What can be booked on a calendar. */
export const TYPES_SCREENS: readonly Screen[] = [
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
    name: 'types-own-policy',
    path: tab('types', 'paid'),
    as: 'demo',
    does: async (page) => {
      await press('Edit Massage')(page)
      await page.getByRole('switch', { name: 'Changes and cancellations differ' }).check()
      await page.getByText('Customers read before they book').scrollIntoViewIfNeeded()
    },
    sees: 'Customers read before they book',
  },
  {
    name: 'types-delete',
    path: tab('types', 'demo'),
    as: 'demo',
    does: press('Delete Couples session'),
    sees: 'Are you sure you want to delete this appointment type?',
  },
  ...awaited({ name: 'types', path: tab('types', 'demo'), as: 'demo' }, ['**/appointment-types'], {
    loading: 'Loading appointment types...',
    failed: 'Failed to load appointment types',
  }),
]
