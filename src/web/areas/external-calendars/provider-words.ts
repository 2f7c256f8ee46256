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
      'We don’t offer customers times when you’re busy in Google Calendar. We can also add your appointments to it.',
    connect: 'Connect to Google Calendar',
    connected: 'Connected to Google Calendar',
  },
  microsoft: {
    name: 'Microsoft 365',
    description: 'Outlook and Microsoft 365 calendars, for work and personal accounts.',
    connect: 'Connect to Microsoft 365',
    connected: 'Connected to Microsoft 365',
  },
  caldav: {
    name: 'CalDAV',
    description: 'Calendars from iCloud, Fastmail, Nextcloud and other CalDAV servers.',
    connect: 'Connect to CalDAV',
    connected: 'Connected to CalDAV',
  },
  ics: {
    name: 'Calendar address',
    description: 'Any calendar with an .ics address. We only read it.',
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
