import type { FastifyInstance } from 'fastify'
import { startSandboxServer } from '#sandbox/kit/sandbox-server.ts'
import { buildWebhookSender } from '#sandbox/kit/webhook-sender.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalidateTokens } from './access.ts'
import { registerCalendarPages } from './calendar-pages.ts'
import type { CalendarSandboxContext, TokenHolder } from './world.ts'

export type CalendarSandboxOptions = {
  readonly db: Db
  readonly now: Clock
  /** Maps Meridian's public URL to its local one; null while Meridian is not listening. */
  readonly reach: (notifyUrl: string) => string | null
}

export type CalendarSandbox = {
  /** Settings with which the adapter uses the sandbox instead of the provider. */
  readonly settings: {
    readonly clientId: string
    readonly clientSecret: string
    readonly sandboxUrl: string
    readonly now: Clock
  }
  readonly stop: () => Promise<void>
}

/** The parts in which the providers differ. */
type ProviderParts = Pick<
  CalendarSandboxContext,
  'provider' | 'words' | 'listNewCalendars' | 'faults' | 'clientId' | 'clientSecret'
> & {
  readonly notify: (
    world: CalendarSandboxContext,
    ...sent: Parameters<CalendarSandboxContext['notify']>
  ) => Promise<void>
  /** Registers the consent page, the token endpoint and the API. */
  readonly register: (app: FastifyInstance, world: CalendarSandboxContext) => void
}

/**
 * Starts a calendar provider's sandbox on a loopback port: consent page, tokens, the part of the API that Meridian uses,
 * notifications, and at `/calendar` a page to change events and switch on failures. Stores its data in the database.
 */
export async function startCalendarSandbox(
  { db, now, reach }: CalendarSandboxOptions,
  { notify, register, ...parts }: ProviderParts,
): Promise<CalendarSandbox> {
  const sender = buildWebhookSender()
  const accessTokens = new Map<string, TokenHolder>()
  const world: CalendarSandboxContext = {
    ...parts,
    db,
    now,
    reach,
    accessTokens,
    notify: (calendarId, state) => notify(world, calendarId, state),
    endAccessTokens: (email) => invalidateTokens(accessTokens, email),
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
