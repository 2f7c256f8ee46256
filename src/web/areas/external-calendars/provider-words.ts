import type { CalendarProviderName } from '#contract/external-calendars/external-calendars.ts'

/** Providers with a consent page. For the other providers, the owner types an address. */
export type ConsentProvider = 'google' | 'microsoft'

type ProviderWords = {
  /** The provider's display name. */
  readonly name: string
  readonly description: string
  readonly connect: string
  /** The text shown when an account is connected. */
  readonly connected: string
}

/** The texts about each provider. */
export const PROVIDER_TEXTS: Readonly<Record<CalendarProviderName, ProviderWords>> = {
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

export const CALENDAR_PROVIDERS = [
  'google',
  'microsoft',
  'caldav',
  'ics',
] as const satisfies CalendarProviderName[]

/** True if the provider has a consent page. */
export function hasConsentPage(provider: CalendarProviderName): provider is ConsentProvider {
  return provider === 'google' || provider === 'microsoft'
}

/** Returns the text of the toast shown when access to an account has expired. Source: rule G17. */
export function expiredAccessMessage(provider: CalendarProviderName): string {
  return `${PROVIDER_TEXTS[provider].name} connection expired. Click to reconnect.`
}
