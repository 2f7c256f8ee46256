import { type StripeSandbox, startStripeSandbox } from '#sandbox/stripe/start-stripe-sandbox.ts'
import { buildStripeProvider } from '#server/integrations/stripe/adapter.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ProviderCheckout, WebhookRequest } from '#server/ports/payment-provider.ts'
import type { PaymentProviderActions, PaymentProviderUnderTest } from '#tests/ports/payment-provider.ts'
import { waitFor } from './meridian.ts'
import { postForm } from './post-form.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

export type StripeSandboxWithAdapter = PaymentProviderUnderTest & {
  readonly people: PaymentProviderActions
  readonly sandbox: StripeSandbox
  /** The sandbox's current time. Payments change only when a person acts. */
  readonly clock: { ms: number }
  /** All messages to our webhook so far, oldest first. */
  readonly webhooks: readonly WebhookRequest[]
  /** Pays with this card. */
  readonly payWith: (checkout: ProviderCheckout, card: string) => Promise<Response>
  /** Presses a payment's button in the dashboard. */
  readonly press: (checkout: ProviderCheckout, action: 'succeed' | 'fail' | 'refund') => Promise<Response>
}

/** Starts the Stripe sandbox with an adapter, functions that press its buttons, and a webhook that records every message. */
export async function startStripeSandboxWithAdapter(db: Db): Promise<StripeSandboxWithAdapter> {
  const clock = { ms: Date.now() }
  const now = () => clock.ms
  const receiver = await startWebhookReceiver()
  const sandbox = await startStripeSandbox({ db, now, webhookUrl: () => receiver.url })
  const { sandboxUrl } = sandbox.settings
  const payWith = (checkout: ProviderCheckout, card: string) =>
    postForm(checkout.url, { action: 'pay', card })
  const press = (checkout: ProviderCheckout, action: string, fields: Record<string, string> = {}) =>
    postForm(`${sandboxUrl}/dashboard/payments/${checkout.id.replace('cs_test_', '')}`, { action, ...fields })

  return {
    provider: buildStripeProvider({ ...sandbox.settings, timeoutMs: 20_000 }),
    account: { accountId: 'acct_of_the_tests', app: null },
    now,
    canEnd: true,
    people: {
      allow: (url) => decide(url, 'allow'),
      cancel: (url) => decide(url, 'cancel'),
      pay: async (checkout) => void (await payWith(checkout, '4242 4242 4242 4242')),
      decline: async (checkout) => void (await postForm(checkout.url, { action: 'decline' })),
      payLater: async (checkout) => void (await payWith(checkout, 'DE89 3704 0044 0532 0130 00')),
      refundInDashboard: async (checkout, amountCents) =>
        void (await press(checkout, 'refund', { amount_cents: String(amountCents) })),
      customerEmails: { unavailable: '500@stripe.example', refused: 'refused@stripe.example' },
      getWebhook: ({ id }) =>
        waitFor(() => receiver.webhooks.find(({ rawBody }) => rawBody.toString().includes(id))),
      wait: (ms) => {
        clock.ms += ms
      },
    },
    sandbox,
    clock,
    webhooks: receiver.webhooks,
    payWith,
    press,
    stop: async () => {
      await sandbox.stop()
      await receiver.stop()
    },
  }
}

async function decide(connectUrl: string, decision: 'allow' | 'cancel'): Promise<URL> {
  const { searchParams } = new URL(connectUrl)
  const [redirect_uri = '', state = ''] = [searchParams.get('redirect_uri'), searchParams.get('state')].map(
    (value) => value ?? '',
  )
  const response = await postForm(connectUrl, { decision, redirect_uri, state })
  return new URL(response.headers.get('location') ?? '')
}
