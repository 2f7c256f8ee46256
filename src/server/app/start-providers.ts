import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { CaldavSettings } from '#server/integrations/caldav/adapter.ts'
import { buildLazyGoogleProvider } from '#server/integrations/google/lazy-provider.ts'
import type { IcsSettings } from '#server/integrations/ics/adapter.ts'
import { buildLazyMicrosoftProvider } from '#server/integrations/microsoft/lazy-provider.ts'
import { buildPaypalProvider } from '#server/integrations/paypal/adapter.ts'
import { buildIsolatedParser } from '#server/integrations/reading/isolated-parser.ts'
import { buildLazyStripeBilling } from '#server/integrations/stripe/billing/lazy-provider.ts'
import { buildLazyStripeProvider } from '#server/integrations/stripe/lazy-provider.ts'
import { toMessageIdHost } from '#server/messages/emails/mail-origin.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { toAllowedNetworks } from '#server/platform/http/reachable-networks.ts'
import type { BillingProvider } from '#server/ports/billing-provider.ts'
import type { CalendarProvider, CalendarProviders } from '#server/ports/external-calendar.ts'
import { buildLazyCalendarProvider } from '#server/ports/lazy-calendar-provider.ts'
import type { PaymentProvider, PaymentProviders } from '#server/ports/payment-provider.ts'
import { buildLazyOwnerUrlFetcher } from './build-lazy-owner-url-fetcher.ts'
import type { Config } from './config.ts'
import {
  startBillingStandIn,
  startGoogleStandIn,
  startMicrosoftStandIn,
  startPaypalStandIn,
  startStripeStandIn,
} from './sandbox.ts'

type Surroundings = {
  readonly db: Db
  readonly now: Clock
  /** The product's own server; null until it is listening. */
  readonly app: () => FastifyInstance | null
}

type Started<Thing> = Thing & { readonly stop: () => Promise<void> }

/**
 * Starts the calendar providers: those with keys, and those whose URL an owner enters. In development, stand-ins
 * replace providers without keys; in production, providers without keys are absent.
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
  const readApart = buildIsolatedParser({ program: READING_PROCESS })
  const settings = {
    fetchAddress: buildLazyOwnerUrlFetcher(toAllowedNetworks(allowedNetworks)),
    ownUidHost: toMessageIdHost(new URL(BASE_URL).hostname),
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

/**
 * Starts the payment providers that have keys, and PayPal, whose keys each owner enters. In development, stand-ins
 * replace providers without keys.
 */
export async function startPaymentProviders(
  config: Config,
  surroundings: Surroundings,
): Promise<Started<{ readonly providers: PaymentProviders }>> {
  const stripe = await startStripe(config, surroundings)
  const paypal = await startPaypal(config, surroundings)
  return {
    providers: { paypal: paypal.provider, ...(stripe === null ? {} : { stripe: stripe.provider }) },
    stop: async () => {
      await stripe?.stop()
      await paypal.stop()
    },
  }
}

async function startStripe(
  config: Config,
  { db, now, app }: Surroundings,
): Promise<Started<{ readonly provider: PaymentProvider }> | null> {
  if (config.stripe !== null) {
    return { provider: buildLazyStripeProvider({ ...config.stripe, now }), stop: async () => {} }
  }
  if (!config.sandbox) return null
  const webhookUrl = () => addressOf(app(), '/api/webhooks/stripe')
  const { settings, stop } = await startStripeStandIn({ db, now, webhookUrl })
  return { provider: buildLazyStripeProvider(settings), stop }
}

async function startPaypal(
  config: Config,
  { db, now, app }: Surroundings,
): Promise<Started<{ readonly provider: PaymentProvider }>> {
  if (!config.sandbox) return { provider: buildPaypalProvider({ now }), stop: async () => {} }
  const reach = (webhookUrl: string) => addressOf(app(), new URL(webhookUrl).pathname)
  const { settings, stop } = await startPaypalStandIn({ db, now, reach })
  return { provider: buildPaypalProvider(settings), stop }
}

/**
 * Starts the provider that sells the plans, if the operator has configured it. In development without keys, a stand-in
 * replaces it. Returns null when no plans are for sale. Source: rule S9.
 */
export async function startBillingProvider(
  { billing, sandbox }: Pick<Config, 'billing' | 'sandbox'>,
  { db, now, app }: Surroundings,
): Promise<Started<{ readonly provider: BillingProvider | null }>> {
  if (billing !== null) {
    return { provider: buildLazyStripeBilling({ ...billing, now }), stop: async () => {} }
  }
  if (!sandbox) return { provider: null, stop: async () => {} }
  const webhookUrl = () => addressOf(app(), '/api/webhooks/stripe-billing')
  const { provider, stop } = await startBillingStandIn({ db, now, webhookUrl })
  return { provider, stop }
}

/** Returns a URL of this server, whose port the operating system may have chosen; null while it is not listening. */
function addressOf(app: FastifyInstance | null, path: string): string | null {
  const address = app?.server.address()
  return typeof address === 'object' && address !== null ? `http://localhost:${address.port}${path}` : null
}

/** Builds the CalDAV provider, whose libraries are loaded on first use. */
function buildLazyCaldavProvider(settings: CaldavSettings): CalendarProvider {
  const load = async () =>
    (await import('#server/integrations/caldav/adapter.ts')).buildCaldavProvider(settings)
  return buildLazyCalendarProvider(load, {
    isSandbox: false,
    authorization: null,
    canWrite: true,
    hasPush: false,
  })
}

/** Builds the provider for published files, whose libraries are loaded on first use. */
function buildLazyIcsProvider(settings: IcsSettings): CalendarProvider {
  const load = async () => (await import('#server/integrations/ics/adapter.ts')).buildIcsProvider(settings)
  return buildLazyCalendarProvider(load, {
    isSandbox: false,
    authorization: null,
    canWrite: false,
    hasPush: false,
  })
}
