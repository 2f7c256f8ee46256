import { press, tab } from './calendar-tab.ts'
import { awaited, type Screen } from './screen.ts'

/** What the appointments of a calendar add up to. */
export const INSIGHTS_SCREENS: readonly Screen[] = [
  { name: 'insights', path: tab('insights', 'demo'), as: 'demo', sees: 'How full the week is' },
  {
    name: 'insights-numbers',
    path: tab('insights', 'demo'),
    as: 'demo',
    does: (page) => page.getByText('Show the numbers of Bookings by type').click(),
    sees: ['Share', 'Walking session'],
  },
  {
    name: 'insights-two-years',
    path: tab('insights', 'demo'),
    as: 'demo',
    does: press('24'),
    sees: 'Money by month, EUR',
  },
  {
    name: 'insights-empty',
    path: tab('insights', 'empty'),
    as: 'beginner',
    sees: 'Your charts will be here',
  },
  ...awaited({ name: 'insights', path: tab('insights', 'demo'), as: 'demo' }, ['**/insights?*'], {
    loading: 'Loading insights...',
    failed: 'Failed to load the insights',
  }),
]
