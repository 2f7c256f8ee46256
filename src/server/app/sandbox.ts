import type { FastifyInstance } from 'fastify'
import type { BillingSandbox, BillingSandboxOptions } from '#sandbox/billing/start-billing-sandbox.ts'
import type { CalendarSandbox, CalendarSandboxOptions } from '#sandbox/calendars/start-calendar-sandbox.ts'
import type { DnsSandbox, DnsSandboxOptions } from '#sandbox/dns/start-dns-sandbox.ts'
import type { MailboxPagesDeps } from '#sandbox/mailbox/register-mailbox-pages.ts'
import type { PaypalSandbox, PaypalSandboxOptions } from '#sandbox/paypal/start-paypal-sandbox.ts'
import type { StripeSandbox, StripeSandboxOptions } from '#sandbox/stripe/start-stripe-sandbox.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Mailer } from '#server/ports/mailer.ts'

/**
 * Starts the stand-in of Stripe. The functions of this file are the server's only imports of `sandbox/`. Each stand-in
 * is loaded when it starts, which requires `config.sandbox`: production processes never load one, and the production
 * image does not contain the folder.
 */
export async function startStripeStandIn(options: StripeSandboxOptions): Promise<StripeSandbox> {
  return (await import('#sandbox/stripe/start-stripe-sandbox.ts')).startStripeSandbox(options)
}

export async function startBillingStandIn(options: BillingSandboxOptions): Promise<BillingSandbox> {
  return (await import('#sandbox/billing/start-billing-sandbox.ts')).startBillingSandbox(options)
}

export async function startPaypalStandIn(options: PaypalSandboxOptions): Promise<PaypalSandbox> {
  return (await import('#sandbox/paypal/start-paypal-sandbox.ts')).startPaypalSandbox(options)
}

export async function startGoogleStandIn(options: CalendarSandboxOptions): Promise<CalendarSandbox> {
  return (await import('#sandbox/google/start-google-sandbox.ts')).startGoogleSandbox(options)
}

export async function startMicrosoftStandIn(options: CalendarSandboxOptions): Promise<CalendarSandbox> {
  return (await import('#sandbox/microsoft/start-microsoft-sandbox.ts')).startMicrosoftSandbox(options)
}

export async function startDnsStandIn(options: DnsSandboxOptions): Promise<DnsSandbox> {
  return (await import('#sandbox/dns/start-dns-sandbox.ts')).startDnsSandbox(options)
}

/** Builds a mailer that stores every email for the mailbox page instead of sending it. */
export async function buildMailboxMailer(db: Db): Promise<Mailer> {
  return (await import('#sandbox/mailbox/mailbox.ts')).buildMailboxMailer({ db })
}

/** Adds the mailbox page and the gallery of messages to the product's own server. */
export async function registerMailbox(app: FastifyInstance, deps: MailboxPagesDeps): Promise<void> {
  const { registerMailboxPages } = await import('#sandbox/mailbox/register-mailbox-pages.ts')
  registerMailboxPages(app, deps)
}
