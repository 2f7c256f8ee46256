import type { Page } from '@playwright/test'
import { CONTACT_PROBLEMS } from '#contract/contact-problems.ts'
import type { Screen } from './screen.ts'

const CONTACT_MESSAGES = '**/api/public/contact-messages'

/** What anyone may read. */
export const SITE_SCREENS: readonly Screen[] = [
  { name: 'home', path: '/', sees: 'How It Works' },
  { name: 'home-as-owner', path: '/', as: 'newcomer', sees: 'Dashboard' },
  { name: 'home-menu', path: '/', only: 'phone', does: openMenu, sees: 'Get Started' },
  { name: 'home-menu-as-owner', path: '/', as: 'newcomer', only: 'phone', does: openMenu, sees: 'Sign Out' },
  { name: 'home-sample-details', path: '/', does: chooseSampleTime, sees: 'Your Details' },
  {
    name: 'home-sample-booked',
    path: '/',
    does: async (page) => {
      await chooseSampleTime(page)
      await page.getByRole('button', { name: 'Book Appointment' }).click()
    },
    sees: 'This was a sample',
  },
  { name: 'home-account-deleted', path: '/?account=deleted', sees: /^Your account is deleted/ },
  {
    name: 'pricing-question',
    path: '/pricing',
    does: (page) => page.getByText('How free is the free plan?').click(),
    sees: /^It has one calendar/,
  },
  { name: 'about', path: '/about', sees: /Who runs/ },
  { name: 'contact', path: '/contact', sees: 'Message' },
  {
    name: 'contact-errors',
    path: '/contact',
    does: (page) => page.getByRole('button', { name: 'Send message' }).click(),
    sees: CONTACT_PROBLEMS['contact.message_required'].title,
  },
  {
    name: 'contact-sent',
    path: '/contact',
    answers: { [CONTACT_MESSAGES]: { json: { ok: true } } },
    does: writeToOperator,
    sees: 'Your message is on its way.',
  },
  {
    name: 'contact-refused',
    path: '/contact',
    answers: { [CONTACT_MESSAGES]: 'contact.too_many' },
    complains: /429/,
    does: writeToOperator,
    sees: CONTACT_PROBLEMS['contact.too_many'].title,
  },
  { name: 'privacy', path: '/privacy', sees: 'Privacy' },
  { name: 'terms', path: '/terms', sees: 'Terms' },
  { name: 'cookies', path: '/cookies', sees: 'Cookies' },
  { name: 'not-found', path: '/there/is/nothing', sees: 'Page Not Found', complains: /404/ },
  { name: 'kit', path: '/sandbox/ui', sees: 'UI kit', complains: /404/, waits: true, fails: true },
]

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open menu' }).click()
}

async function chooseSampleTime(page: Page): Promise<void> {
  const sample = page.getByRole('region', { name: 'Nora Lindqvist' })
  await sample.scrollIntoViewIfNeeded()
  await sample
    .getByRole('button', { name: /^\d+:\d\d [AP]M$/ })
    .first()
    .click()
}

async function writeToOperator(page: Page): Promise<void> {
  await page.getByLabel('Full Name').fill('Alex Morgan')
  await page.getByLabel('Email Address').fill('alex.morgan@example.com')
  await page.getByLabel('Message').fill('Good morning,\n\ncan you help me with my account?')
  await page.getByRole('button', { name: 'Send message' }).click()
}
