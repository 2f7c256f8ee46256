import { expect, type Page } from '@playwright/test'
import { PROBLEMS } from '#contract/problem.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { book, chooseDate, makePerson, nextTuesday } from '#e2e/support/people.ts'
import { keepToast } from './keep-toast.ts'
import type { Screen } from './screen.ts'
import type { World } from './world.ts'

const DEMO = '/book/demo'
const paidPage = ({ calendars }: World) => `/book/${calendars.paid.slug}`
const plainPage = ({ calendars }: World) => `/book/${calendars.plain.slug}`
const wordyPage = ({ calendars }: World) => `/book/${calendars.wordy.slug}`
const CLOCK = /^\d+:\d\d [AP]M$/
/** Five weeks ahead the demo practice has no appointments yet. */
const TUESDAY = addDays(nextTuesday(), 35)
const SUNDAY = addDays(TUESDAY, 5)

/** The public booking page, step by step. */
export const BOOKING_SCREENS: readonly Screen[] = [
  { name: 'start', path: DEMO, sees: 'Individual session' },
  { name: 'start-without-types', path: plainPage, sees: 'Select a Date & Time' },
  { name: 'type-chosen', path: DEMO, does: chooseType, sees: /^Next: / },
  {
    name: 'another-zone',
    path: DEMO,
    timeZone: 'Asia/Kathmandu',
    does: async (page) => {
      await page.getByRole('radio', { name: /Online session/ }).check()
      await chooseDate(page, TUESDAY)
    },
    sees: /^Your time: Kathmandu time/,
  },
  { name: 'times', path: DEMO, does: chooseDay, sees: '10:00 AM' },
  {
    name: 'times-loading',
    path: DEMO,
    answers: { '**/api/public/calendars/*/slots*': 'never', '**/api/public/calendars/*/days*': 'never' },
    does: async (page) => {
      await chooseType(page)
      await chooseDate(page, TUESDAY)
    },
    sees: 'Loading available times...',
  },
  {
    name: 'times-failed',
    path: DEMO,
    answers: { '**/api/public/calendars/*/slots*': 'error' },
    complains: /500/,
    fails: true,
    does: async (page) => {
      await chooseType(page)
      await chooseDate(page, TUESDAY)
    },
    sees: 'Try again',
  },
  {
    name: 'no-times',
    path: DEMO,
    does: async (page) => {
      await chooseType(page)
      await chooseDate(page, SUNDAY)
    },
    sees: 'No available times for this date',
  },
  { name: 'time-chosen', path: DEMO, does: chooseTime, sees: 'Payment will be handled manually.' },
  { name: 'form-errors', path: DEMO, does: bookNothing, sees: /^Please fill in all required fields/ },
  { name: 'form-filled', path: DEMO, does: fillForm, sees: '10:00 AM' },
  {
    name: 'taken-meanwhile',
    path: plainPage,
    does: bookTooLate,
    complains: /409/,
    sees: /^This time is no longer available/,
  },
  {
    name: 'booked',
    path: plainPage,
    does: async (page) => {
      await chooseDate(page, TUESDAY)
      const times = page.getByRole('button', { name: CLOCK })
      // Both widths book, and never the same time.
      await (isPhone(page) ? times.last() : times.first()).click()
      await fillIn(page)
      await page.getByRole('button', { name: 'Book Appointment' }).click()
      await keepToast(page)
    },
    sees: ['Booking Confirmed!', 'Appointment booked successfully! Confirmation email sent.'],
  },
  {
    name: 'pay-or-later',
    path: paidPage,
    does: (page) => payUpTo(page, /^Massage/),
    sees: 'Book & Pay Later',
  },
  { name: 'pay-required', path: paidPage, does: (page) => payUpTo(page, /^Long massage/), sees: 'Pay Now' },
  {
    name: 'pay-choice',
    path: paidPage,
    does: async (page) => {
      await payUpTo(page, /^Massage/)
      await page.getByRole('button', { name: 'Pay Now' }).click()
    },
    sees: 'How would you like to pay?',
  },
  {
    name: 'pay-refused',
    path: paidPage,
    answers: { '**/api/public/calendars/*/checkouts': 'payment.initiation_failed' },
    complains: /502/,
    fails: true,
    does: async (page) => {
      await payUpTo(page, /^Massage/)
      await page.getByRole('button', { name: 'Pay Now' }).click()
      await page.getByRole('button', { name: 'Credit Card' }).click()
      await keepToast(page)
    },
    sees: 'Failed to initiate payment',
  },
  { name: 'wordy', path: wordyPage, sees: 'Select a Date & Time' },
  {
    name: 'loading',
    path: '/',
    isPageless: true,
    only: 'phone',
    answers: { '**/api/public/calendars/demo': 'never' },
    does: openWithoutData,
    sees: 'Loading booking page...',
  },
  {
    name: 'overloaded',
    path: '/',
    answers: { '**/api/public/calendars/demo': 'server.unavailable' },
    complains: /503/,
    does: openWithoutData,
    sees: PROBLEMS['server.unavailable'].title,
  },
  { name: 'not-found', path: '/book/nobody-has-this-link', sees: 'Calendar Not Found', complains: /404/ },
]

async function chooseType(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /Individual session/ }).check()
}

async function chooseDay(page: Page): Promise<void> {
  await chooseType(page)
  await chooseDate(page, TUESDAY)
  await expect(page.getByRole('button', { name: '10:00 AM' })).toBeVisible()
}

async function chooseTime(page: Page): Promise<void> {
  await chooseDay(page)
  await page.getByRole('button', { name: '10:00 AM' }).click()
}

async function bookNothing(page: Page): Promise<void> {
  await chooseTime(page)
  await page.getByRole('button', { name: 'Book Appointment' }).click()
}

async function fillForm(page: Page): Promise<void> {
  await chooseTime(page)
  await fillIn(page)
}

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Full Name').fill('Ada Lovelace')
  await page.getByLabel('Email Address').fill('ada.lovelace@example.com')
  await page.getByLabel('Phone (optional)').fill('+44 20 7946 0110')
  await page.getByLabel('Additional Notes').fill('I would like to talk about the analytical engine.')
}

/** Somebody else books the time while the form is filled in. */
async function bookTooLate(page: Page, { calendars }: World): Promise<void> {
  const slots = page.getByRole('group', { name: /./ }).getByRole('button', { name: CLOCK })
  await chooseDate(page, nextTuesday())
  await slots.first().click()
  await fillIn(page)
  const { slots: offered } = await (
    await page.request.get(`/api/public/calendars/${calendars.plain.slug}/slots?date=${nextTuesday()}`)
  ).json()
  await book(page.context().request, calendars.plain, {
    startsAt: offered[0].starts_at,
    person: makePerson('Early Emma'),
  })
  await page.getByRole('button', { name: 'Book Appointment' }).click()
}

async function payUpTo(page: Page, type: RegExp): Promise<void> {
  await page.getByRole('radio', { name: type }).check()
  await chooseDate(page, TUESDAY)
  await page.getByRole('button', { name: '2:00 PM', exact: true }).click()
  await page.getByLabel('Appointment Title').fill('Stiff shoulders')
  await fillIn(page)
}

/** The page as a server sends it whose database is away: without its first data, which it then asks for itself. */
async function openWithoutData(page: Page): Promise<void> {
  await page.route('**/book/demo', async (route) =>
    route.fulfill({ response: await route.fetch({ url: new URL('/confirmation', page.url()).href }) }),
  )
  await page.goto(DEMO)
}

function isPhone(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) < 640
}
