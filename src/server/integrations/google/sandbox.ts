import { randomBytes } from 'node:crypto'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { startSandboxServer } from '#server/platform/sandbox/sandbox-server.ts'
import { buildWebhookSender } from '#server/platform/sandbox/webhook-sender.ts'
import type { GoogleSettings } from './google-settings.ts'
import { registerApi } from './sandbox/api.ts'
import { registerCalendarPages } from './sandbox/calendar-pages.ts'
import { registerConsent } from './sandbox/consent-pages.ts'
import { registerTokens } from './sandbox/tokens.ts'
import type { SandboxWorld } from './sandbox/world.ts'

type SandboxOptions = {
  readonly db: Db
  readonly now: Clock
  /** Where the product can be reached instead of at the public address of a channel; null while it does not listen. */
  readonly reach: (notifyUrl: string) => string | null
}

export type GoogleSandbox = {
  /** The adapter talks to it with these instead of to Google. */
  readonly settings: GoogleSettings & { readonly sandboxUrl: string }
  readonly stop: () => Promise<void>
}

/**
 * Starts a stand-in of Google on loopback: the consent page, tokens, the calendars' API with notifications, and at `/calendar`
 * a page on which a person adds, moves and deletes events, and lets things go wrong. What it knows is in the database.
 */
export async function startGoogleSandbox({ db, now, reach }: SandboxOptions): Promise<GoogleSandbox> {
  const keys = {
    clientId: 'sandbox.apps.googleusercontent.com',
    clientSecret: `GOCSPX-${randomBytes(18).toString('base64url')}`,
  }
  const sender = buildWebhookSender()
  const world: SandboxWorld = {
    db,
    now,
    ...keys,
    accessTokens: new Map(),
    push: ({ address, headers }) =>
      sender.send(() => {
        const url = reach(address)
        return url === null ? null : { url, headers, body: '' }
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
