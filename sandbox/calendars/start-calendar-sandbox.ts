import type { FastifyInstance } from 'fastify'
import { startSandboxServer } from '#sandbox/kit/sandbox-server.ts'
import { buildWebhookSender } from '#sandbox/kit/webhook-sender.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { endTokensOf } from './access.ts'
import { registerCalendarPages } from './calendar-pages.ts'
import type { CalendarWorld, TokenHolder } from './world.ts'

export type CalendarSandboxOptions = {
  readonly db: Db
  readonly now: Clock
  /** Where the product can be reached instead of at its public address; null while it does not listen. */
  readonly reach: (notifyUrl: string) => string | null
}

export type CalendarSandbox = {
  /** An adapter talks to it with these instead of to its provider. */
  readonly settings: {
    readonly clientId: string
    readonly clientSecret: string
    readonly sandboxUrl: string
    readonly now: Clock
  }
  readonly stop: () => Promise<void>
}

/** What a stand-in has in the way of its provider. */
type ProviderParts = Pick<
  CalendarWorld,
  'provider' | 'words' | 'listNewCalendars' | 'faults' | 'clientId' | 'clientSecret'
> & {
  readonly tell: (world: CalendarWorld, ...told: Parameters<CalendarWorld['tell']>) => Promise<void>
  /** The consent page, the tokens and the API. */
  readonly register: (app: FastifyInstance, world: CalendarWorld) => void
}

/**
 * Starts the stand-in of a provider of calendars on loopback: a consent page, tokens, the part of its API that is used, with
 * notifications, and at `/calendar` a page on which a person adds, moves and deletes events, and lets things go wrong. What it
 * knows is in the database.
 */
export async function startCalendarSandbox(
  { db, now, reach }: CalendarSandboxOptions,
  { tell, register, ...parts }: ProviderParts,
): Promise<CalendarSandbox> {
  const sender = buildWebhookSender()
  const accessTokens = new Map<string, TokenHolder>()
  const world: CalendarWorld = {
    ...parts,
    db,
    now,
    reach,
    accessTokens,
    tell: (calendarId, state) => tell(world, calendarId, state),
    endAccessTokens: (email) => endTokensOf(accessTokens, email),
    push: ({ address, headers, body }) =>
      sender.send(() => {
        const url = reach(address)
        return url === null ? null : { url, headers, body }
      }),
  }
  const server = await startSandboxServer((app) => {
    register(app, world)
    registerCalendarPages(app, world)
  })
  const { clientId, clientSecret } = parts
  return {
    settings: { clientId, clientSecret, sandboxUrl: server.url, now },
    stop: async () => {
      await sender.stop()
      await server.stop()
    },
  }
}
