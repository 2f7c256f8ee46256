import { z } from 'zod'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { findSandboxObject, type SandboxShelf } from '#server/platform/sandbox/sandbox-objects.ts'
import { type SandboxAccount, sandboxAccount } from './account.ts'
import { type SandboxCalendar, sandboxCalendar } from './calendar.ts'
import { type SandboxEvent, sandboxEvent } from './event.ts'

/** A notification on its way. It has no body. */
export type PushMessage = { readonly address: string; readonly headers: Readonly<Record<string, string>> }

export type TokenHolder = {
  readonly email: string
  readonly scopes: readonly string[]
  /** Epoch. */
  readonly expiresAtMs: number
}

/** What all parts of the stand-in share. */
export type SandboxWorld = {
  readonly db: Db
  readonly now: Clock
  readonly clientId: string
  readonly clientSecret: string
  /** Access tokens end with the process; the adapter renews them then. */
  readonly accessTokens: Map<string, TokenHolder>
  readonly push: (message: PushMessage) => void
}

export const ACCOUNTS: SandboxShelf<SandboxAccount> = {
  provider: 'google',
  kind: 'account',
  schema: sandboxAccount,
}

export const CALENDARS: SandboxShelf<SandboxCalendar> = {
  provider: 'google',
  kind: 'calendar',
  schema: sandboxCalendar,
}
/** Objects of all kinds share their ids. */
export const calendarKey = (calendarId: string) => `calendar:${calendarId}`

/** The events of one calendar, the cancelled ones included. */
export function eventsOf(calendarId: string): SandboxShelf<SandboxEvent> {
  return { provider: 'google', kind: `event:${calendarId}`, schema: sandboxEvent }
}
export const eventKey = (calendarId: string, eventId: string) => `event:${calendarId}:${eventId}`

/** What a person allowed, with the code that stands for that once. */
export const CODES = {
  provider: 'google',
  kind: 'code',
  schema: z.object({
    email: z.string(),
    scopes: z.array(z.string()),
    redirectUri: z.string(),
    codeChallenge: z.string(),
    isUsed: z.boolean(),
  }),
} as const

/** Lasting access. */
export const REFRESH_TOKENS = {
  provider: 'google',
  kind: 'refresh_token',
  schema: z.object({ email: z.string(), scopes: z.array(z.string()), isRevoked: z.boolean() }),
} as const

const sandboxChannel = z.object({
  id: z.string(),
  calendarId: z.string(),
  resourceId: z.string(),
  address: z.string(),
  token: z.string(),
  expiresAtMs: z.number(),
  messages: z.number(),
  isStopped: z.boolean(),
})
export type SandboxChannel = z.infer<typeof sandboxChannel>
export function channelsOf(calendarId: string): SandboxShelf<SandboxChannel> {
  return { provider: 'google', kind: `channel:${calendarId}`, schema: sandboxChannel }
}
export const channelKey = (id: string) => `channel:${id}`

/** Null when there is none, or it was deleted. */
export async function findCalendar(
  db: Db,
  calendarId: string,
  options: { readonly lock?: boolean } = {},
): Promise<SandboxCalendar | null> {
  const calendar = await findSandboxObject(db, CALENDARS, calendarKey(calendarId), options)
  return calendar === null || calendar.isDeleted ? null : calendar
}
