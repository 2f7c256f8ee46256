import type { CalendarProviderName } from '#contract/external-calendars/external-calendars.ts'

/** Providers where owners allow the access on a page of the provider. At the others they type an address. */
export type ConsentProvider = 'google' | 'microsoft'

type ProviderWords = {
  /** What people call it. */
  readonly name: string
  readonly description: string
  readonly connect: string
  /** Said of an account that is connected. */
  readonly connected: string
}

/** In the order in which they are offered. */
export const PROVIDER_WORDS: Readonly<Record<CalendarProviderName, ProviderWords>> = {
  google: {
    name: 'Google Calendar',
    description:
      'Times that are taken in your Google Calendar are not offered to customers. If you want, your appointments appear there.',
    connect: 'Connect to Google Calendar',
    connected: 'Connected to Google Calendar',
  },
  microsoft: {
    name: 'Microsoft 365',
    description: 'The calendars of Outlook and Microsoft 365, for work and at home.',
    connect: 'Connect to Microsoft 365',
    connected: 'Connected to Microsoft 365',
  },
  caldav: {
    name: 'CalDAV',
    description: 'Calendars of iCloud, Fastmail, Nextcloud and other servers that speak CalDAV.',
    connect: 'Connect to CalDAV',
    connected: 'Connected to CalDAV',
  },
  ics: {
    name: 'Calendar address',
    description: 'Any calendar that has an .ics address. It is only read.',
    connect: 'Add an address',
    connected: 'Reads a calendar address',
  },
}

export const PROVIDERS = ['google', 'microsoft', 'caldav', 'ics'] as const satisfies CalendarProviderName[]

/** Says whether the owner allows the access on a page of the provider. */
export function asksForConsent(provider: CalendarProviderName): provider is ConsentProvider {
  return provider === 'google' || provider === 'microsoft'
}

/** What is said when a provider refuses the credentials of an account. Source: rule G17. */
export function expiredSentence(provider: CalendarProviderName): string {
  return `${PROVIDER_WORDS[provider].name} connection expired. Click to reconnect.`
}
