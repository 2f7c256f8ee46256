import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildLazyCaldavProvider } from '#server/integrations/caldav/lazy-provider.ts'
import { buildLazyGoogleProvider } from '#server/integrations/google/lazy-provider.ts'
import { buildLazyIcsProvider } from '#server/integrations/ics/lazy-provider.ts'
import { buildLazyMicrosoftProvider } from '#server/integrations/microsoft/lazy-provider.ts'
import { buildIsolatedReader } from '#server/integrations/reading/isolated-reader.ts'
import { toIdHost } from '#server/messages/emails/mail-origin.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { toAllowedNetworks } from '#server/platform/http/reachable-networks.ts'
import type { CalendarProvider, CalendarProviders } from '#server/ports/external-calendar.ts'
import { addressOf } from './address-of.ts'
import { buildLazyFetch } from './build-lazy-fetch.ts'
import type { Config } from './config.ts'
import { startGoogleStandIn, startMicrosoftStandIn } from './sandbox.ts'

type Surroundings = {
  readonly db: Db
  readonly now: Clock
  /** The product's own server, once it is listening. */
  readonly app: () => FastifyInstance | null
}

type Started<Thing> = Thing & { readonly stop: () => Promise<void> }

/**
 * Starts the calendar providers: those with keys, and those whose address an owner types. In development, stand-ins
 * replace providers without keys; in production these are absent.
 */
export async function startCalendarProviders(
  config: Pick<Config, 'allowedNetworks' | 'BASE_URL' | 'google' | 'microsoft' | 'sandbox'>,
  surroundings: Surroundings,
): Promise<Started<{ readonly providers: CalendarProviders }>> {
  const google = await startGoogle(config, surroundings)
  const microsoft = await startMicrosoft(config, surroundings)
  const typed = buildTypedProviders(config, surroundings.now)
  return {
    providers: {
      ...(google === null ? {} : { google: google.provider }),
      ...(microsoft === null ? {} : { microsoft: microsoft.provider }),
      ...typed.providers,
    },
    stop: async () => {
      typed.stop()
      await google?.stop()
      await microsoft?.stop()
    },
  }
}

const READING_PROCESS = join(import.meta.dirname, 'reading-process.ts')

function buildTypedProviders(
  { allowedNetworks, BASE_URL }: Pick<Config, 'allowedNetworks' | 'BASE_URL'>,
  now: Clock,
) {
  const readApart = buildIsolatedReader({ program: READING_PROCESS })
  const settings = {
    fetchAddress: buildLazyFetch(toAllowedNetworks(allowedNetworks)),
    ownUidHost: toIdHost(new URL(BASE_URL).hostname),
    now,
  }
  return {
    providers: {
      caldav: buildLazyCaldavProvider({ ...settings, read: readApart.of('caldav') }),
      ics: buildLazyIcsProvider({ ...settings, read: readApart.of('ics') }),
    },
    stop: readApart.stop,
  }
}

async function startGoogle(
  { google, sandbox }: Pick<Config, 'google' | 'sandbox'>,
  { db, now, app }: Surroundings,
): Promise<Started<{ readonly provider: CalendarProvider }> | null> {
  if (google !== null) {
    return { provider: buildLazyGoogleProvider({ ...google, now }), stop: async () => {} }
  }
  if (!sandbox) return null
  const reach = (notifyUrl: string) => addressOf(app(), new URL(notifyUrl).pathname)
  const { settings, stop } = await startGoogleStandIn({ db, now, reach })
  return { provider: buildLazyGoogleProvider(settings), stop }
}

async function startMicrosoft(
  { microsoft, sandbox }: Pick<Config, 'microsoft' | 'sandbox'>,
  { db, now, app }: Surroundings,
): Promise<Started<{ readonly provider: CalendarProvider }> | null> {
  if (microsoft !== null) {
    return { provider: buildLazyMicrosoftProvider({ ...microsoft, now }), stop: async () => {} }
  }
  if (!sandbox) return null
  const reach = (notifyUrl: string) => addressOf(app(), new URL(notifyUrl).pathname)
  const { settings, stop } = await startMicrosoftStandIn({ db, now, reach })
  return { provider: buildLazyMicrosoftProvider(settings), stop }
}
