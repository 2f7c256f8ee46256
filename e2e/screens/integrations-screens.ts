import type { Page } from '@playwright/test'
import type {
  CalendarConnection,
  ExternalCalendar,
  ExternalCalendars,
  ExternalChanges,
} from '#contract/external-calendars.ts'
import { nextTuesday } from '#e2e/support/people.ts'
import { type Answers, answerWith } from './answers.ts'
import { press, tab } from './calendar-tab.ts'
import { keepToast } from './keep-toast.ts'
import { onPlan } from './on-plan.ts'
import { awaited, type Screen } from './screen.ts'

const READ = 'GET **/external-calendars'
const CHANGES = 'GET **/external-changes'
const FEED = 'GET **/feed'
const PATH = tab('integrations', 'demo')
const FEED_URL = 'webcal://meridian.example/api/feeds/N2Q0ZTkyZmQ4YzQ1NDUxZTk0ZGM5YTg1'
const MINUTE_MS = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString()

const MAIN: ExternalCalendar = {
  id: '00000000-0000-4000-8000-000000000901',
  name: 'Rosa Calder',
  color: '#0b8043',
  is_primary: true,
  can_write: true,
  is_gone: false,
  synced_at: ago(2),
  reads_busy_times: true,
  writes_events: true,
  unreadable_events: { count: 0, first: [] },
  read_by_other: null,
}
const OTHERS: readonly ExternalCalendar[] = [
  { ...MAIN, id: MAIN.id.replace('901', '902'), name: 'Family', color: '#d50000', writes_events: false },
  {
    ...MAIN,
    id: MAIN.id.replace('901', '903'),
    name: 'Holidays in the United Kingdom',
    color: '#f6bf26',
    can_write: false,
    reads_busy_times: false,
    writes_events: false,
  },
]
const GOOGLE: CalendarConnection = {
  id: '00000000-0000-4000-8000-000000000801',
  provider: 'google',
  account_name: 'rosa.calder@gmail.example',
  state: 'active',
  problem: null,
  troubled_since: null,
  last_success_at: ago(2),
  next_sync_at: ago(-8),
  can_write: true,
  calendars: [MAIN, ...OTHERS],
}
const FASTMAIL: CalendarConnection = {
  ...GOOGLE,
  id: GOOGLE.id.replace('801', '802'),
  provider: 'caldav',
  account_name: 'caldav.fastmail.com',
  calendars: [{ ...MAIN, id: MAIN.id.replace('901', '911'), name: 'Default', writes_events: false }],
}
const MICROSOFT: CalendarConnection = {
  ...GOOGLE,
  id: GOOGLE.id.replace('801', '803'),
  provider: 'microsoft',
  account_name: 'rosa.calder@outlook.example',
  calendars: [{ ...MAIN, name: 'Calendar', color: null }, ...OTHERS],
}
const READ_ONLY: CalendarConnection = {
  ...GOOGLE,
  can_write: false,
  calendars: [{ ...MAIN, writes_events: false }, ...OTHERS],
}
const NONE: ExternalCalendars = {
  offered: ['google', 'microsoft', 'caldav', 'ics'],
  sandbox: [],
  connections: [],
  settings: { auto_sync: true, two_way_sync: true, hide_customer: false, when_unchecked: 'trust_copy' },
  waiting_events: 0,
  offers_nothing: false,
}
const CHANGE: ExternalChanges['changes'][number] = {
  id: '00000000-0000-4000-8000-000000000a01',
  appointment_id: '00000000-0000-4000-8000-000000000501',
  kind: 'deleted',
  reason: 'many_deletions',
  customer_name: 'Ada Lovelace',
  title: 'Online session',
  appointment_starts_at: `${nextTuesday()}T14:00:00Z`,
  appointment_ends_at: `${nextTuesday()}T14:50:00Z`,
  starts_at: null,
  ends_at: null,
  noticed_at: ago(10),
}

function known(over: Partial<ExternalCalendars>, changes: ExternalChanges['changes'] = []): Answers {
  return {
    [READ]: { json: { ...NONE, ...over } },
    [CHANGES]: { json: { changes } },
    [FEED]: { json: { url: null } },
  }
}

/** Addresses of calendar files that cannot be used, and what is said of them. */
const WRONG_ADDRESSES: readonly {
  readonly name: string
  readonly typed: string
  /** Undefined: the form says it by itself. */
  readonly answer?: Answers[string]
  readonly sees: Screen['sees']
}[] = [
  {
    name: 'none',
    typed: 'my calendar',
    sees: 'Please type the whole address of the calendar, beginning with https://.',
  },
  {
    name: 'private',
    typed: 'http://127.0.0.1:5232/calendar.ics',
    answer: 'external_calendar.address_refused',
    sees: /^This address leads into a private network/,
  },
  {
    name: 'page',
    typed: 'https://example.com/about',
    answer: 'external_calendar.connect_failed',
    sees: /^The calendar server did not answer as expected/,
  },
]

/** The owner's own calendars, in every state that they may be in. */
export const INTEGRATIONS_SCREENS: readonly Screen[] = [
  {
    name: 'integrations-none',
    path: PATH,
    as: 'demo',
    answers: known({ sandbox: [{ provider: 'google', page: 'http://localhost:1/calendar' }] }),
    sees: ['Connect to Google Calendar', 'Connect to Microsoft 365', 'Add an address'],
  },
  {
    name: 'integrations-not-in-plan',
    path: PATH,
    as: 'demo',
    answers: {
      ...known({}),
      '**/api/subscription': (body: never) => {
        const subscription = onPlan('Free')(body)
        return { ...subscription, limits: { ...subscription.limits, integrations: [] } }
      },
    },
    sees: 'Google Calendar is not available on the Free plan.',
  },
  {
    name: 'integrations-connected',
    path: PATH,
    as: 'demo',
    answers: { ...known({ connections: [GOOGLE] }), [FEED]: { json: { url: FEED_URL } } },
    sees: ['Connected to Google Calendar', /^Checked \d minutes? ago/, 'Revoke address'],
  },
  {
    name: 'integrations-read-for-other',
    path: PATH,
    as: 'demo',
    answers: known({
      connections: [
        {
          ...GOOGLE,
          calendars: GOOGLE.calendars.map((calendar) => ({
            ...calendar,
            reads_busy_times: false,
            writes_events: false,
            read_by_other: calendar.reads_busy_times ? { id: MAIN.id, name: 'Couples and families' } : null,
          })),
        },
      ],
    }),
    sees: ['Read for Couples and families', /^What counts as busy for /],
  },
  {
    name: 'integrations-several',
    path: PATH,
    as: 'demo',
    answers: known({ connections: [READ_ONLY, FASTMAIL] }),
    sees: ['Allow writing', 'caldav.fastmail.com'],
  },
  {
    name: 'integrations-troubled',
    path: PATH,
    as: 'demo',
    answers: known({
      connections: [
        { ...GOOGLE, problem: 'Google did not answer within 10 seconds.', last_success_at: ago(95) },
      ],
      waiting_events: 3,
    }),
    sees: ['The last check failed', /3 appointments wait to be written/],
  },
  {
    name: 'integrations-unreadable',
    path: PATH,
    as: 'demo',
    answers: known({
      connections: [
        {
          ...FASTMAIL,
          calendars: [
            ...FASTMAIL.calendars,
            {
              ...MAIN,
              id: MAIN.id.replace('901', '912'),
              name: 'Choir',
              writes_events: false,
              unreadable_events: {
                count: 23,
                first: [
                  { title: 'Dentist', part: 'date' },
                  { title: null, part: 'date' },
                  { title: 'Rehearsal in the church hall', part: 'times' },
                  { title: 'חזרה כללית 12', part: 'zone' },
                ],
              },
            },
          ],
        },
      ],
    }),
    sees: [/^23 events cannot be read in/, 'Dentist', 'And 19 more events.'],
  },
  {
    name: 'integrations-expired',
    path: PATH,
    as: 'demo',
    answers: known({
      connections: [{ ...GOOGLE, state: 'expired' }],
      settings: { ...NONE.settings, when_unchecked: 'offer_nothing' },
      offers_nothing: true,
    }),
    sees: ['Google Calendar connection expired.', 'customers are offered no times.'],
  },
  {
    name: 'integrations-expired-toast',
    path: PATH,
    as: 'demo',
    answers: {
      ...known({ connections: [GOOGLE] }),
      'POST **/external-calendars/sync': 'external_calendar.authorization_expired',
    },
    complains: /409/,
    does: async (page) => {
      await page.getByRole('button', { name: 'Sync Now' }).waitFor()
      await answerWith(page, known({ connections: [{ ...GOOGLE, state: 'expired' }] }))
      await page.getByRole('button', { name: 'Sync Now' }).click()
      await keepToast(page)
    },
    sees: 'Google Calendar connection expired. Click to reconnect.',
  },
  {
    name: 'integrations-calendar-gone',
    path: PATH,
    as: 'demo',
    answers: known({
      connections: [{ ...GOOGLE, calendars: [{ ...MAIN, is_gone: true }, ...OTHERS] }],
      waiting_events: 1,
    }),
    sees: [/^Appointments wait to be written/, 'It is not there any more. Please choose another one.'],
  },
  {
    name: 'integrations-being-removed',
    path: PATH,
    as: 'demo',
    answers: known({ connections: [{ ...GOOGLE, state: 'revoked', calendars: [] }, FASTMAIL] }),
    sees: ['is disconnected. The events there are being removed.', 'Connected to CalDAV'],
  },
  {
    name: 'integrations-microsoft',
    path: PATH,
    as: 'demo',
    answers: known({
      connections: [MICROSOFT],
      sandbox: [{ provider: 'microsoft', page: 'http://localhost:1/calendar' }],
    }),
    sees: ['Connected to Microsoft 365', 'Sandbox: a calendar to try things with.'],
  },
  {
    name: 'integrations-changes',
    path: PATH,
    as: 'demo',
    answers: known({ connections: [GOOGLE] }, [
      CHANGE,
      { ...CHANGE, id: '2', customer_name: 'Alan Turing', title: 'Individual session' },
      {
        ...CHANGE,
        id: '3',
        customer_name: 'Grace Hopper',
        kind: 'moved',
        reason: 'reconnected',
        starts_at: `${nextTuesday()}T16:00:00Z`,
        ends_at: `${nextTuesday()}T16:50:00Z`,
      },
    ]),
    sees: ['Please decide', 'Deleted there', 'Moved there'],
  },
  {
    name: 'integrations-changes-cancel',
    path: PATH,
    as: 'demo',
    answers: known({ connections: [GOOGLE] }, [CHANGE, { ...CHANGE, id: '2', customer_name: 'Alan Turing' }]),
    does: press('Cancel these appointments'),
    sees: 'Cancel these 2 appointments?',
  },
  {
    name: 'integrations-disconnect',
    path: PATH,
    as: 'demo',
    answers: known({ connections: [GOOGLE] }),
    does: press('Disconnect'),
    sees: 'Disconnect Google Calendar?',
  },
  {
    name: 'integrations-caldav',
    path: PATH,
    as: 'demo',
    answers: { ...known({}), 'POST **/external-calendars/caldav': 'external_calendar.login_refused' },
    complains: /400/,
    does: async (page) => {
      const dialog = await openDialog(page, 'Connect to CalDAV')
      await dialog.getByLabel(/^Address of the server/).fill('https://caldav.fastmail.com')
      await dialog.getByLabel(/^User name/).fill('rosa@fastmail.example')
      await dialog.getByLabel(/^Password/).fill('wrong')
      await dialog.getByText('Fastmail', { exact: true }).click()
      await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    },
    sees: /^The server refuses this user name and password/,
  },
  {
    name: 'integrations-address',
    path: PATH,
    as: 'demo',
    answers: known({}),
    does: (page) => openDialog(page, 'Add an address'),
    sees: 'Add a calendar address',
  },
  ...WRONG_ADDRESSES.map(
    ({ name, typed, answer, sees }): Screen => ({
      name: `integrations-address-${name}`,
      path: PATH,
      as: 'demo',
      only: 'phone',
      answers: {
        ...known({}),
        ...(answer === undefined ? {} : { 'POST **/external-calendars/ics': answer }),
      },
      ...(answer === undefined ? {} : { complains: /400|502/ }),
      does: async (page) => {
        const dialog = await openDialog(page, 'Add an address')
        await dialog.getByLabel(/^Address of the calendar/).fill(typed)
        await dialog.getByRole('button', { name: 'Add address' }).click()
      },
      sees,
    }),
  ),
  ...awaited({ name: 'integrations', path: PATH, as: 'demo' }, [READ, CHANGES], {
    loading: 'Loading integrations...',
    failed: 'Failed to load integrations',
  }),
  ...awaited({ name: 'integrations-feed', path: PATH, as: 'demo', answers: known({}) }, [FEED], {
    loading: 'Loading the address...',
    failed: 'Failed to load the address',
  }),
  {
    name: 'dashboard-expired',
    path: '/dashboard',
    as: 'demo',
    answers: known({ connections: [{ ...GOOGLE, state: 'expired' }] }),
    sees: 'Google Calendar connection expired',
  },
  {
    name: 'dashboard-troubled',
    path: '/dashboard',
    as: 'demo',
    answers: known({
      connections: [
        {
          ...GOOGLE,
          problem: 'Google did not answer within 10 seconds.',
          troubled_since: ago(70),
          last_success_at: ago(190),
        },
      ],
    }),
    sees: 'Google Calendar cannot be read',
  },
  {
    name: 'integrations-denied',
    path: (world) => `${PATH(world)}&calendar_failed=denied`,
    as: 'demo',
    answers: known({}),
    does: keepToast,
    sees: 'You did not allow the access, so nothing was connected.',
  },
]

async function openDialog(page: Page, name: string) {
  await page.getByRole('button', { name }).click()
  return page.getByRole('dialog')
}
