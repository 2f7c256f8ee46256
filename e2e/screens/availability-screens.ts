import { press, tab } from './calendar-tab.ts'
import { awaited, type Screen } from './screen.ts'

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
  ...awaited({ name: 'availability', path: tab('availability', 'demo'), as: 'demo' }, ['**/availability'], {
    loading: 'Loading availability...',
    failed: 'Failed to load availability settings',
  }),
  ...awaited(
    { name: 'availability-preview', path: tab('availability', 'demo'), as: 'demo' },
    ['**/availability/preview*'],
    { loading: 'Loading the preview...', failed: 'Failed to load the preview' },
  ),
]
