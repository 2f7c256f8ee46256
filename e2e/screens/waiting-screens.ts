import type { Page } from '@playwright/test'
import type { FittingTimes, WaitingCounts, WaitingListResponse, WaitingView } from '#contract/waiting.ts'
import { nextTuesday } from '#e2e/support/people.ts'
import { tab as calendarTab, press } from './calendar-tab.ts'
import { awaited, FAILING, type Screen } from './screen.ts'
import type { World } from './world.ts'

const LINK = `/waiting/00000000-0000-4000-8000-000000000001.${'A'.repeat(43)}`
const VIEW = '**/api/public/waiting-list/*'
const LIST = '**/waiting-list?*'
const TIMES = '**/waiting-list/*/times'
const TUESDAY = nextTuesday()

const OFFER: NonNullable<WaitingView['offer']> = {
  state: 'open',
  starts_at: `${TUESDAY}T14:00:00Z`,
  ends_at: `${TUESDAY}T14:50:00Z`,
  expires_at: `${TUESDAY}T10:30:00Z`,
  is_held: true,
  price: 60,
  policy_text: 'You can ask to cancel this appointment. The practice decides about it.',
  payment: 'optional',
  providers: ['stripe'],
  appointment_id: null,
  manage_token: null,
  pay_until: null,
}

const WAITING: WaitingView = {
  state: 'waiting',
  calendar_name: 'Demo Practice',
  calendar_color: '#2a6f97',
  calendar_slug: 'demo',
  customer_name: 'Grace Hopper',
  appointment_type_name: 'Individual session',
  from_date: TUESDAY,
  to_date: TUESDAY,
  weekdays: [1, 2, 3],
  day_parts: ['morning', 'afternoon'],
  valid_until: TUESDAY,
  time_zone: 'Europe/London',
  customer_time_zone: 'Europe/London',
  offer: null,
}

function withView(view: Partial<WaitingView>) {
  return { [VIEW]: { json: { ...WAITING, ...view } } }
}

const ENTRY: WaitingListResponse['entries'][number] = {
  id: '00000000-0000-4000-8000-000000000101',
  place: 1,
  state: 'offered',
  added_by: 'customer',
  customer_name: 'Grace Hopper',
  customer_email: 'grace.hopper@example.com',
  customer_phone: '+44 20 7946 0958',
  appointment_type_id: null,
  appointment_type_name: 'Individual session',
  from_date: TUESDAY,
  to_date: TUESDAY,
  weekdays: [0, 1, 2, 3, 4, 5, 6],
  day_parts: ['morning', 'afternoon', 'evening'],
  created_at: `${TUESDAY}T08:00:00Z`,
  valid_until: TUESDAY,
  offers: [
    {
      id: '00000000-0000-4000-8000-000000000201',
      state: 'open',
      starts_at: OFFER.starts_at,
      offered_at: `${TUESDAY}T09:00:00Z`,
      expires_at: OFFER.expires_at,
      is_held: true,
      made_by: 'list',
    },
  ],
}

const LISTED = {
  [LIST]: {
    json: {
      time_zone: 'Europe/London',
      waiting: 2,
      total: 3,
      entries: [
        ENTRY,
        {
          ...ENTRY,
          id: '00000000-0000-4000-8000-000000000102',
          place: 2,
          state: 'waiting',
          added_by: 'owner',
          customer_name: 'Bartholomew Featherstonehaugh-Cholmondeley the Younger',
          customer_email: 'bartholomew.featherstonehaugh@a-long-name-of-a-host.example.com',
          customer_phone: null,
          weekdays: [1, 3],
          day_parts: ['morning'],
          offers: [],
        },
        {
          ...ENTRY,
          id: '00000000-0000-4000-8000-000000000103',
          place: null,
          state: 'unconfirmed',
          customer_name: 'Alan Turing',
          customer_email: 'alan@example.com',
          offers: [],
        },
      ],
    } satisfies WaitingListResponse,
  },
}

const TIMES_OF_DAY: FittingTimes = {
  time_zone: 'Europe/London',
  starts_at: ['09:00', '10:30', '14:00'].map((time) => `${TUESDAY}T${time}:00Z`),
}

const tab = calendarTab('appointments', 'demo')

/** The waiting list: asking for a place, the page of its emails, and the owner's list. */
export const WAITING_SCREENS: readonly Screen[] = [
  { name: 'waiting-request', path: '/book/demo', does: askForPlace, sees: 'Join the waiting list' },
  {
    name: 'waiting-request-incomplete',
    path: '/book/demo',
    only: 'phone',
    does: async (page) => {
      await askForPlace(page)
      await page.getByRole('button', { name: 'Ask for a place' }).click()
    },
    sees: 'Please enter your name.',
  },
  {
    name: 'waiting-request-sent',
    path: '/book/demo',
    answers: { '**/api/public/calendars/*/waiting-list': { json: { email: 'grace@example.com' } } },
    does: async (page) => {
      await askForPlace(page)
      await page.getByRole('dialog').getByLabel('Full Name').fill('Grace Hopper')
      await page.getByRole('dialog').getByLabel('Email Address').fill('grace@example.com')
      await page.getByRole('button', { name: 'Ask for a place' }).click()
    },
    sees: 'Please confirm your email',
  },
  {
    name: 'waiting-unconfirmed',
    path: LINK,
    answers: withView({ state: 'unconfirmed' }),
    sees: 'Join the Waiting List',
  },
  { name: 'waiting-place', path: LINK, answers: withView({}), sees: 'You Are on the Waiting List' },
  {
    name: 'waiting-offer',
    path: LINK,
    answers: withView({ state: 'offered', offer: OFFER }),
    sees: 'A Time Is Free for You',
  },
  {
    name: 'waiting-offer-to-all',
    path: LINK,
    answers: withView({
      state: 'offered',
      offer: { ...OFFER, is_held: false, payment: 'none', providers: [] },
    }),
    sees: 'A Time Is Free for You',
  },
  {
    name: 'waiting-offer-ended',
    path: LINK,
    answers: withView({ offer: { ...OFFER, state: 'expired' } }),
    sees: 'This Offer Has Ended',
  },
  {
    name: 'waiting-offer-unpaid',
    path: LINK,
    only: 'phone',
    answers: withView({ offer: { ...OFFER, state: 'unpaid' } }),
    sees: 'This Time Was Not Paid',
  },
  {
    name: 'waiting-left',
    path: LINK,
    answers: withView({ state: 'removed' }),
    sees: 'You Left the Waiting List',
  },
  {
    name: 'waiting-not-found',
    path: LINK,
    only: 'phone',
    complains: /404/,
    sees: 'Link Not Found',
  },
  ...awaited({ name: 'waiting', isPageless: true, path: LINK }, [VIEW], {
    loading: 'Loading your place on the list...',
    failed: 'This page could not be loaded',
  }),
  { name: 'waiting-list', as: 'demo', path: tab, answers: LISTED, sees: '1. Grace Hopper' },
  {
    name: 'waiting-list-counted',
    as: 'demo',
    path: tab,
    answers: LISTED,
    does: showCounts,
    sees: '12 customers wait · 1 offer open',
  },
  {
    name: 'waiting-counts',
    as: 'demo',
    path: '/dashboard',
    does: showCounts,
    sees: '12 customers wait · 1 offer open',
  },
  { name: 'waiting-list-empty', as: 'demo', path: tab, only: 'phone', sees: 'Nobody Waits' },
  ...awaited({ name: 'waiting-list', as: 'demo', path: tab }, [LIST], {
    loading: 'Loading the waiting list...',
    failed: 'Error loading the waiting list',
  }),
  {
    name: 'waiting-list-offer',
    as: 'demo',
    path: tab,
    answers: { ...LISTED, [TIMES]: { json: TIMES_OF_DAY } },
    does: press('Offer a time'),
    sees: 'It is held for them, and they get an email with one button.',
  },
  {
    name: 'waiting-list-offer-loading',
    as: 'demo',
    path: tab,
    only: 'phone',
    answers: { ...LISTED, [TIMES]: 'never' },
    does: press('Offer a time'),
    waits: true,
    sees: 'Looking for free times...',
  },
  {
    ...FAILING,
    name: 'waiting-list-offer-failed',
    as: 'demo',
    path: tab,
    only: 'phone',
    answers: { ...LISTED, [TIMES]: 'error' },
    does: press('Offer a time'),
    sees: 'The free times could not be loaded',
  },
  {
    name: 'waiting-list-add',
    as: 'demo',
    path: tab,
    does: press('Add customer'),
    sees: 'Add to the waiting list',
  },
]

async function showCounts(page: Page, { calendars }: World): Promise<void> {
  const counts = [{ calendar_id: calendars.demo.id, waiting: 12, offered: 1 }]
  await page.route('**/api/waiting-lists', (route) =>
    route.fulfill({ json: { calendars: counts } satisfies WaitingCounts }),
  )
  await page.reload()
}

async function askForPlace(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /Individual session/ }).check()
  await page.getByRole('button', { name: 'None of these times suits' }).click()
  await page.getByRole('dialog').getByLabel('Full Name').waitFor()
}
