import { findSandboxObject, type SandboxCollection } from '#sandbox/kit/sandbox-objects.ts'
import type { WebhookMessage } from '#sandbox/kit/webhook-sender.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type SandboxAccount, type SandboxFaults, sandboxAccountSchema } from './account.ts'
import { type SandboxCalendar, sandboxCalendarSchema } from './calendar.ts'
import { type EventType, type SandboxEvent, sandboxEventSchema } from './event.ts'
import type { ProviderErrors } from './sandbox-fault.ts'

type Provider = SandboxCollection<unknown>['provider']

/** The wording of the pages, which differs between providers. */
export type CalendarPageTexts = {
  /** The provider's name, such as Google. */
  readonly provider: string
  /** The name of the provider's calendar product, such as Google Calendar. */
  readonly title: string
  readonly exampleEmail: string
  /** The property by which Meridian recognizes its own events. Other people can set it, too. */
  readonly ownProperty: string
  readonly kinds: Readonly<Partial<Record<EventType, string>>>
  /** Labels of the failures that the provider supports. */
  readonly lostCursors: string
  readonly rateLimits: Readonly<Partial<Record<SandboxFaults['rateLimit'], string>>>
}

/** A calendar that a new account gets. */
export type NewCalendar = Pick<SandboxCalendar, 'id' | 'summary' | 'color' | 'accessRole' | 'isPrimary'>

/** The account and the scopes of an access token. */
export type TokenHolder = {
  readonly email: string
  readonly scopes: readonly string[]
  /** When the token expires, in milliseconds since the epoch. */
  readonly expiresAtMs: number
}

/** A notification to Meridian's public URL. */
export type PushMessage = Omit<WebhookMessage, 'url'> & { readonly address: string }

/** Shared by all parts of a sandbox, independent of its API. */
export type CalendarSandboxContext = {
  readonly db: Db
  readonly now: Clock
  readonly provider: Provider
  readonly words: CalendarPageTexts
  /** Lists the calendars of a new account, the main calendar first. */
  readonly listNewCalendars: (email: string) => readonly NewCalendar[]
  /** Notifies all watchers of a calendar. `not_exists`: the calendar was deleted. */
  readonly notify: (calendarId: string, state: 'exists' | 'not_exists') => Promise<void>
  /** Invalidates an account's access tokens. */
  readonly endAccessTokens: (email: string) => void
  readonly faults: ProviderErrors
  /** Meridian's client id. */
  readonly clientId: string
  readonly clientSecret: string
  /** Kept in memory only. After a restart the adapter requests new tokens. */
  readonly accessTokens: Map<string, TokenHolder>
  readonly push: (message: PushMessage) => void
  /** Maps Meridian's public URL to its local one; null while Meridian is not listening. */
  readonly reach: (notifyUrl: string) => string | null
}

export function accountsOf(provider: Provider): SandboxCollection<SandboxAccount> {
  return { provider, kind: 'account', schema: sandboxAccountSchema }
}

export function calendarsOf(provider: Provider): SandboxCollection<SandboxCalendar> {
  return { provider, kind: 'calendar', schema: sandboxCalendarSchema }
}
/** Keys have a prefix, because objects of all kinds share one namespace. */
export const calendarKey = (calendarId: string) => `calendar:${calendarId}`

/** The events of one calendar, including cancelled ones. */
export function eventsOf(provider: Provider, calendarId: string): SandboxCollection<SandboxEvent> {
  return { provider, kind: `event:${calendarId}`, schema: sandboxEventSchema }
}
export const eventKey = (calendarId: string, eventId: string) => `event:${calendarId}:${eventId}`

/** Returns a calendar; null when it does not exist or was deleted. */
export async function findCalendar(
  { provider }: Pick<CalendarSandboxContext, 'provider'>,
  db: Db,
  calendarId: string,
  options: { readonly lock?: boolean } = {},
): Promise<SandboxCalendar | null> {
  const calendar = await findSandboxObject(db, calendarsOf(provider), calendarKey(calendarId), options)
  return calendar === null || calendar.isDeleted ? null : calendar
}
