import type { Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars.ts'
import { answerWith } from './answers.ts'
import { press, tab } from './calendar-tab.ts'
import { OVERLAPS, PEOPLE, SOMEBODY } from './people-answers.ts'
import { awaited, type Screen } from './screen.ts'

const CALENDAR = '**/api/calendars/*'

/** What a calendar is, and why there may be none to set. */
export const GENERAL_SCREENS: readonly Screen[] = [
  { name: 'general', path: tab('general', 'demo'), as: 'demo', sees: 'Danger Zone' },
  { name: 'general-new', path: tab('general', 'empty'), as: 'beginner', sees: 'Danger Zone' },
  { name: 'general-wordy', path: tab('general', 'wordy'), as: 'wordy', sees: 'Danger Zone' },
  {
    name: 'general-email-codes',
    path: tab('general', 'demo'),
    as: 'demo',
    answers: { [CALENDAR]: (calendar: Calendar) => ({ ...calendar, email_confirmation_required: true }) },
    does: (page) => page.getByRole('switch', { name: /^Confirm email/ }).scrollIntoViewIfNeeded(),
    sees: /^A booking counts once its customer has typed the code/,
  },
  {
    name: 'general-website',
    path: tab('general', 'demo'),
    as: 'demo',
    does: press('Add to website'),
    sees: ['Copy code', 'Save Websites'],
  },
  {
    name: 'general-website-named',
    path: tab('general', 'demo'),
    as: 'demo',
    answers: {
      [CALENDAR]: (calendar: Calendar) => ({ ...calendar, embed_sites: ['https://www.example.com'] }),
    },
    does: async (page) => {
      await press('Add to website')(page)
      await page.getByRole('radio', { name: 'Floating button' }).check()
      await page.getByLabel('Websites', { exact: true }).fill('https://www.example.com\nmy website')
      await page.getByRole('button', { name: 'Save Websites' }).click()
      await page.getByText(/^Please give the address/).scrollIntoViewIfNeeded()
    },
    sees: /^Please give the address of each website/,
  },
  {
    name: 'general-person',
    path: tab('general', 'demo'),
    as: 'demo',
    answers: { [CALENDAR]: ofSomebody, '**/api/people': { json: PEOPLE } },
    does: (page) => page.getByText('Also booked on:').scrollIntoViewIfNeeded(),
    sees: [SOMEBODY.name, /^Also booked on: Tenancy law/],
  },
  {
    name: 'general-person-change',
    path: tab('general', 'demo'),
    as: 'demo',
    answers: { '**/person/overlaps?*': { json: { total: 0, overlaps: [] } } },
    does: (page) => giveTo(page, SOMEBODY.name),
    sees: /^This calendar will take/,
  },
  {
    name: 'general-person-change-rtl',
    path: tab('general', 'demo'),
    as: 'demo',
    answers: { '**/person/overlaps?*': { json: { total: 0, overlaps: [] } } },
    does: (page) => giveTo(page, 'שרה לוי־כהן'),
    sees: /^This calendar will take/,
  },
  {
    name: 'general-person-overlaps',
    path: tab('general', 'demo'),
    as: 'demo',
    answers: { '**/person/overlaps?*': { json: OVERLAPS } },
    does: (page) => giveTo(page, 'Jon Osei'),
    sees: [/^14 appointments overlap/, '12 more follow.'],
  },
  {
    name: 'general-person-refused',
    path: tab('general', 'demo'),
    as: 'demo',
    complains: /409/,
    answers: {
      '**/person/overlaps?*': { json: { total: 0, overlaps: [] } },
      'PUT **/api/calendars/*/person': 'person.overlaps',
    },
    does: async (page) => {
      await giveTo(page, 'Jon Osei')
      await page.getByText(/^This calendar will take/).waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Change person' }).click()
    },
    sees: /^Appointments of this calendar overlap/,
  },
  ...awaited(
    {
      name: 'general-person-change',
      path: tab('general', 'demo'),
      as: 'demo',
      does: (page) => giveTo(page, 'Jon Osei'),
    },
    ['**/person/overlaps?*'],
    { loading: 'Checking for overlaps...', failed: 'Failed to check for overlaps' },
  ),
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
  {
    name: 'general-changed-elsewhere',
    path: tab('general', 'demo'),
    as: 'demo',
    complains: /409/,
    does: saveTooLate,
    sees: /^This was changed in another window/,
  },
  ...awaited({ name: 'calendar', isPageless: true, path: tab('general', 'demo'), as: 'demo' }, [CALENDAR], {
    loading: 'Loading calendar...',
    failed: 'Error loading calendar',
  }),
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
]

function ofSomebody(calendar: Calendar): Calendar {
  return { ...calendar, person: SOMEBODY }
}

/** Chooses somebody else for the calendar, who has not got it yet. */
async function giveTo(page: Page, name: string): Promise<void> {
  await press('Change person')(page)
  await page.getByRole('radio', { name: 'Somebody else’s' }).check()
  await page.getByLabel(/^Their name/).fill(name)
}

/** Another window saves another name while this one is being typed. */
async function saveTooLate(page: Page): Promise<void> {
  const form = page.getByRole('form', { name: 'Professional details' })
  await form.getByLabel('First Name').fill('Merry')
  await form.getByLabel('Last Name').fill('Gray')
  await answerWith(page, {
    [`PATCH ${CALENDAR}`]: 'request.changed_meanwhile',
    [`GET ${CALENDAR}`]: (calendar: Calendar) => ({ ...calendar, professional_last_name: 'Grey-Shepherd' }),
  })
  await form.getByRole('button', { name: 'Save Details' }).click()
}
