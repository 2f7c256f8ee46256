import { expect, type Locator, type Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { ExternalCalendars } from '#contract/external-calendars/external-calendars.ts'
import { nextTuesday, postToApi } from './people.ts'

type SandboxWords = {
  /** The provider's name in Meridian. */
  readonly name: string
  /** The labels of the account and of the allow button on the consent page. */
  readonly account: string
  readonly allow: string
  /** Returns the name of an account's main calendar. */
  readonly mainOf: (email: string) => string
}

/** The words that the stand-ins of the providers use on their pages. */
export const SANDBOX_PAGE_TEXTS = {
  google: {
    name: 'Google Calendar',
    account: 'Email address of the Google account',
    allow: 'Allow access',
    mainOf: (email) => email,
  },
  microsoft: {
    name: 'Microsoft 365',
    account: 'Email address of the Microsoft account',
    allow: 'Accept',
    mainOf: () => 'Calendar',
  },
} as const satisfies Record<string, SandboxWords>

/** An account at a provider's stand-in. */
export type SandboxAccount = { readonly provider: keyof typeof SANDBOX_PAGE_TEXTS; readonly email: string }

/** Connects an account for reading and writing without using the settings page. */
export async function connectAccount(page: Page, calendar: Calendar, account: SandboxAccount): Promise<void> {
  const path = `/api/calendars/${calendar.id}/external-calendars/${account.provider}/authorization`
  const { authorization_url } = await postToApi<{ authorization_url: string }>(page.context().request, path, {
    access: 'write',
  })
  await page.goto(authorization_url)
  await grantAccess(page, account)
}

/** Grants access on the stand-in's consent page. */
export async function grantAccess(page: Page, { provider, email }: SandboxAccount): Promise<void> {
  const { name, account, allow } = SANDBOX_PAGE_TEXTS[provider]
  await page.getByLabel(account).fill(email)
  await page.getByRole('button', { name: allow }).click()
  // Both the message and the account's card may say so.
  await expect(page.getByText(`Connected to ${name}`).first()).toBeVisible()
}

/**
 * Opens the week of the next Tuesday in the account's calendar at the stand-in, in London's time zone. Creates the account if
 * needed.
 */
export async function openSandboxCalendar(
  there: Page,
  owner: Page,
  calendar: Calendar,
  { provider, email }: SandboxAccount,
): Promise<void> {
  const answer = await owner.context().request.get(`/api/calendars/${calendar.id}/external-calendars`)
  const { sandbox }: ExternalCalendars = await answer.json()
  const page = sandbox.find((known) => known.provider === provider)?.page ?? ''
  await there.request.post(page, { form: { email }, maxRedirects: 0 })
  await there.goto(`${page}/${encodeURIComponent(email)}?week=${nextTuesday()}`)
  await there.getByLabel('Time zone').fill('Europe/London')
  await there.getByRole('button', { name: 'Save' }).click()
}

/** Returns the card of an event on the stand-in's page. */
export function eventCardOf(there: Page, title: string): Locator {
  return there.locator('section').filter({ has: there.getByRole('heading', { name: title }) })
}
