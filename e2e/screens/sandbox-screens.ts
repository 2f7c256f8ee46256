import type { Page } from '@playwright/test'
import { openSandboxCalendar, SANDBOX_WORDS, type SandboxAccount } from '#e2e/support/calendar-sandboxes.ts'
import { post } from '#e2e/support/people.ts'
import type { Screen } from './screen.ts'
import type { World } from './world.ts'

type Provider = SandboxAccount['provider']

/** The pages of the stand-ins of Google and Microsoft: where access is allowed, and the calendar of an account. */
export const SANDBOX_SCREENS: readonly Screen[] = [
  {
    name: 'consent-at-google',
    path: '/',
    as: 'demo',
    does: goToConsent('google'),
    sees: 'Meridian wants to:',
  },
  {
    name: 'consent-at-microsoft',
    path: '/',
    as: 'demo',
    does: goToConsent('microsoft'),
    sees: 'Let Meridian:',
  },
  {
    name: 'consent-without-address',
    path: '/',
    as: 'demo',
    only: 'phone',
    complains: /400/,
    does: async (page, world) => {
      await goToConsent('google')(page, world)
      // The browser itself would refuse an address without a domain only when it is none at all.
      await page.getByLabel(SANDBOX_WORDS.google.account).fill('somebody@nowhere')
      await page.getByRole('button', { name: SANDBOX_WORDS.google.allow }).click()
    },
    sees: 'Please type an email address.',
  },
  {
    name: 'calendar-at-google',
    path: '/',
    as: 'demo',
    does: openCalendar('google'),
    sees: ['Dentist', 'Move or delete', 'What goes wrong'],
  },
  {
    name: 'calendar-at-microsoft',
    path: '/',
    as: 'demo',
    does: openCalendar('microsoft'),
    sees: ['Dentist', 'Move or delete', 'What goes wrong'],
  },
]

/** The consent page, as an owner comes to it who wants appointments to be written. */
function goToConsent(provider: Provider) {
  return async (page: Page, { calendars }: World): Promise<void> => {
    const path = `/api/calendars/${calendars.demo.id}/external-calendars/${provider}/authorization`
    const { authorization_url } = await post<{ authorization_url: string }>(page.context().request, path, {
      access: 'write',
    })
    await page.goto(authorization_url)
  }
}

/** The calendar of a new account, with an event whose form is open and a series of whole days. */
function openCalendar(provider: Provider) {
  return async (page: Page, { calendars }: World): Promise<void> => {
    const email = `rosa-${page.viewportSize()?.width}@${provider}.example`
    await openSandboxCalendar(page, page, calendars.demo, { provider, email })
    const form = page.locator('form').filter({ hasText: 'Add an event' })
    await form.getByLabel('Title').fill('Dentist')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.getByLabel('Title').fill('Practice holiday')
    await form.getByLabel('All day, the last one included').check()
    await form.getByText('More', { exact: true }).click()
    await form.getByLabel('Repeats').selectOption('daily')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Move or delete').first().click()
  }
}
