import { findSandboxObject, type SandboxShelf } from '#sandbox/kit/sandbox-objects.ts'
import type { WebhookMessage } from '#sandbox/kit/webhook-sender.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type SandboxAccount, type SandboxFaults, sandboxAccount } from './account.ts'
import { type SandboxCalendar, sandboxCalendar } from './calendar.ts'
import { type EventType, type SandboxEvent, sandboxEvent } from './event.ts'
import type { ProviderFaults } from './sandbox-fault.ts'

type Provider = SandboxShelf<unknown>['provider']

/** What the pages of a stand-in say differently at each provider. */
export type CalendarWords = {
  /** Google. */
  readonly provider: string
  /** Google Calendar. */
  readonly title: string
  readonly exampleEmail: string
  /** The property by which the product recognises its own events. Other people can set it, too. */
  readonly ownProperty: string
  readonly kinds: Readonly<Partial<Record<EventType, string>>>
  /** What the page says of a fault; only those that the provider has. */
  readonly lostCursors: string
  readonly rateLimits: Readonly<Partial<Record<SandboxFaults['rateLimit'], string>>>
}

/** A calendar of a new account. */
export type NewCalendar = Pick<SandboxCalendar, 'id' | 'summary' | 'color' | 'accessRole' | 'isPrimary'>

/** Whose token it is. */
export type TokenHolder = {
  readonly email: string
  readonly scopes: readonly string[]
  /** Epoch. */
  readonly expiresAtMs: number
}

/** A notification on its way to the public address of the product. */
export type PushMessage = Omit<WebhookMessage, 'url'> & { readonly address: string }

/** What all parts of a provider's stand-in share, whatever its API looks like. */
export type CalendarWorld = {
  readonly db: Db
  readonly now: Clock
  readonly provider: Provider
  readonly words: CalendarWords
  /** What a new account has, the main calendar first. */
  readonly listNewCalendars: (email: string) => readonly NewCalendar[]
  /** Notifies everybody who watches a calendar. `not_exists`: it was deleted. */
  readonly tell: (calendarId: string, state: 'exists' | 'not_exists') => Promise<void>
  /** The access tokens of an account are no longer accepted. */
  readonly endAccessTokens: (email: string) => void
  readonly faults: ProviderFaults
  /** Of the product. */
  readonly clientId: string
  readonly clientSecret: string
  /** Access tokens end with the process; the adapter renews them then. */
  readonly accessTokens: Map<string, TokenHolder>
  readonly push: (message: PushMessage) => void
  /** Where the product can be reached instead of at its public address; null while it does not listen. */
  readonly reach: (notifyUrl: string) => string | null
}

export function accountsOf(provider: Provider): SandboxShelf<SandboxAccount> {
  return { provider, kind: 'account', schema: sandboxAccount }
}

export function calendarsOf(provider: Provider): SandboxShelf<SandboxCalendar> {
  return { provider, kind: 'calendar', schema: sandboxCalendar }
}
/** Objects of all kinds share their ids. */
export const calendarKey = (calendarId: string) => `calendar:${calendarId}`

/** The events of one calendar, the cancelled ones included. */
export function eventsOf(provider: Provider, calendarId: string): SandboxShelf<SandboxEvent> {
  return { provider, kind: `event:${calendarId}`, schema: sandboxEvent }
}
export const eventKey = (calendarId: string, eventId: string) => `event:${calendarId}:${eventId}`

/** Null when there is none, or it was deleted. */
export async function findCalendar(
  { provider }: Pick<CalendarWorld, 'provider'>,
  db: Db,
  calendarId: string,
  options: { readonly lock?: boolean } = {},
): Promise<SandboxCalendar | null> {
  const calendar = await findSandboxObject(db, calendarsOf(provider), calendarKey(calendarId), options)
  return calendar === null || calendar.isDeleted ? null : calendar
}
