import type { SpecialDaysEntry } from '#contract/special-days.ts'
import { press, tab } from './calendar-tab.ts'
import { awaited, type Screen } from './screen.ts'

/** Far ahead, so that the pictures stay the same. */
const SPECIAL_DAYS: readonly SpecialDaysEntry[] = [
  {
    id: '00000000-0000-4000-8000-000000000b01',
    first_date: '2098-12-24',
    last_date: '2099-01-01',
    hours: [],
    note: null,
    appointments: 3,
  },
  {
    id: '00000000-0000-4000-8000-000000000b02',
    first_date: '2099-07-06',
    last_date: '2099-07-06',
    hours: [
      { start_time: '10:00:00', end_time: '13:00:00' },
      { start_time: '14:00:00', end_time: '16:00:00' },
    ],
    note: 'Summer opening, as every year',
    appointments: 0,
  },
]

/** When a calendar can be booked. */
export const AVAILABILITY_SCREENS: readonly Screen[] = [
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
  {
    name: 'availability-special-days',
    path: tab('availability', 'demo'),
    as: 'demo',
    answers: { '**/special-days': { json: { special_days: SPECIAL_DAYS } } },
    does: (page) => page.getByText('Summer opening, as every year').scrollIntoViewIfNeeded(),
    sees: ['Summer opening, as every year', '3 appointments on these days stay'],
  },
  {
    name: 'availability-add-days',
    path: tab('availability', 'demo'),
    as: 'demo',
    does: press('Add days'),
    sees: 'Only you see this.',
  },
  {
    name: 'availability-add-days-hours',
    path: tab('availability', 'demo'),
    as: 'demo',
    does: async (page) => {
      await press('Add days')(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Other hours').check()
      await dialog.getByRole('button', { name: 'Add a time range' }).click()
      await dialog.getByLabel('Start time').last().fill('16:00')
      await dialog.getByRole('button', { name: 'Add days' }).click()
    },
    sees: 'This time range overlaps with the one before it.',
  },
  ...awaited({ name: 'availability', path: tab('availability', 'demo'), as: 'demo' }, ['**/availability'], {
    loading: 'Loading availability...',
    failed: 'Failed to load availability settings',
  }),
  ...awaited(
    { name: 'availability-preview', path: tab('availability', 'demo'), as: 'demo' },
    ['**/availability/preview*'],
    { loading: 'Loading the preview...', failed: 'Failed to load the preview' },
  ),
  ...awaited(
    { name: 'availability-special-days', path: tab('availability', 'demo'), as: 'demo' },
    ['**/special-days'],
    { loading: 'Loading special days...', failed: 'Failed to load special days' },
  ),
]
