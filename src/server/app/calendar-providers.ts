import type { FastifyInstance } from 'fastify'
import { buildLaterGoogleProvider } from '#server/integrations/google/load-later.ts'
import { startGoogleSandbox } from '#server/integrations/google/sandbox.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CalendarProvider, CalendarProviders } from '#server/ports/external-calendar.ts'
import { addressOf } from './address-of.ts'
import type { Config } from './config.ts'

type Surroundings = {
  readonly db: Db
  readonly now: Clock
  /** The product's own server, once it listens. */
  readonly app: () => FastifyInstance | null
}

type Started<Thing> = Thing & { readonly stop: () => Promise<void> }

/**
 * The providers of calendars that have keys. On a developer's machine stand-ins replace those without keys; in production
 * they are absent.
 */
export async function startCalendarProviders(
  config: Pick<Config, 'google' | 'sandbox'>,
  surroundings: Surroundings,
): Promise<Started<{ readonly providers: CalendarProviders }>> {
  const google = await startGoogle(config, surroundings)
  return {
    providers: google === null ? {} : { google: google.provider },
    stop: async () => {
      await google?.stop()
    },
  }
}

async function startGoogle(
  { google, sandbox }: Pick<Config, 'google' | 'sandbox'>,
  { db, now, app }: Surroundings,
): Promise<Started<{ readonly provider: CalendarProvider }> | null> {
  if (google !== null) {
    return { provider: buildLaterGoogleProvider({ ...google, now }), stop: async () => {} }
  }
  if (!sandbox) return null
  const reach = (notifyUrl: string) => addressOf(app(), new URL(notifyUrl).pathname)
  const { settings, stop } = await startGoogleSandbox({ db, now, reach })
  return { provider: buildLaterGoogleProvider(settings), stop }
}
