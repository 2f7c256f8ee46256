import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { endTokensOf, type TokenHolder } from '#server/platform/sandbox/calendar/access.ts'
import { registerCalendarPages } from '#server/platform/sandbox/calendar/calendar-pages.ts'
import { startSandboxServer } from '#server/platform/sandbox/sandbox-server.ts'
import { buildWebhookSender } from '#server/platform/sandbox/webhook-sender.ts'
import type { MicrosoftSettings } from './microsoft-settings.ts'
import { registerApi } from './sandbox/api.ts'
import { registerConsent } from './sandbox/consent-pages.ts'
import { notFound } from './sandbox/graph-fault.ts'
import { tellSubscribers } from './sandbox/subscriptions.ts'
import { registerTokens } from './sandbox/tokens.ts'
import { listNewCalendars, type SandboxWorld, WORDS } from './sandbox/world.ts'

type SandboxOptions = {
  readonly db: Db
  readonly now: Clock
  /** Where the product can be reached instead of at the public address of a subscription; null while it does not listen. */
  readonly reach: (notifyUrl: string) => string | null
}

export type MicrosoftSandbox = {
  /** The adapter talks to it with these instead of to Microsoft. */
  readonly settings: MicrosoftSettings & { readonly sandboxUrl: string }
  readonly stop: () => Promise<void>
}

/**
 * Starts a stand-in of Microsoft on loopback: the consent page, tokens, the part of Graph that is used, with notifications, and
 * at `/calendar` a page on which a person adds, moves and deletes events, and lets things go wrong. What it knows is in the database.
 */
export async function startMicrosoftSandbox({ db, now, reach }: SandboxOptions): Promise<MicrosoftSandbox> {
  const keys = { clientId: randomUUID(), clientSecret: randomBytes(24).toString('base64url') }
  const sender = buildWebhookSender()
  const accessTokens = new Map<string, TokenHolder>()
  const world: SandboxWorld = {
    db,
    now,
    provider: 'microsoft',
    words: WORDS,
    listNewCalendars,
    tell: (calendarId, state) => tellSubscribers(world, calendarId, state),
    endAccessTokens: (email) => endTokensOf(accessTokens, email),
    notFound,
    ...keys,
    accessTokens,
    reach,
    push: ({ address, body }) =>
      sender.send(() => {
        const url = reach(address)
        const headers = { 'content-type': 'application/json; charset=utf-8' }
        return url === null ? null : { url, headers, body: JSON.stringify(body) }
      }),
  }
  const server = await startSandboxServer((app) => {
    registerConsent(app, world)
    registerTokens(app, world)
    registerApi(app, world)
    registerCalendarPages(app, world)
  })
  return {
    settings: { ...keys, sandboxUrl: server.url, now },
    stop: async () => {
      await sender.stop()
      await server.stop()
    },
  }
}
