import { press, tab } from './calendar-tab.ts'
import type { Screen } from './screen.ts'

/** What customers are reminded with. */
export const REMINDERS_SCREENS: readonly Screen[] = [
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
]
