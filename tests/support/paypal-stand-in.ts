import { type PaypalSandbox, startPaypalSandbox } from '#sandbox/paypal/start-paypal-sandbox.ts'
import { buildPaypalProvider } from '#server/integrations/paypal/adapter.ts'
import type { Db } from '#server/platform/db/database.ts'
import type {
  ConnectedAccount,
  PaymentProviderApp,
  ProviderCheckout,
  WebhookRequest,
} from '#server/ports/payment-provider.ts'
import type { PaymentProviderActions, PaymentProviderUnderTest } from '#tests/ports/payment-provider.ts'
import { waitFor } from './meridian.ts'
import { postForm } from './post-form.ts'
import { type RecordedExchange, startRecordingProxy } from './recording-proxy.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

export type PaypalSandboxWithAdapter = PaymentProviderUnderTest & {
  readonly people: PaymentProviderActions
  readonly app: PaymentProviderApp
  /** Logs the owner in again. */
  readonly connect: () => Promise<ConnectedAccount>
  readonly sandbox: PaypalSandbox
  /** The adapter's requests so far, each with its response. */
  readonly exchanges: readonly RecordedExchange[]
  /** Approves a payment with one of the sandbox's payment instruments. */
  readonly payWith: (checkout: ProviderCheckout, instrument: string) => Promise<Response>
  /** Presses an order's button in the owner's account. */
  readonly press: (checkout: ProviderCheckout, action: 'accept' | 'deny' | 'refund') => Promise<Response>
  /** Waits for the webhook message that contains all of these parts. */
  readonly getMessage: (...parts: readonly string[]) => Promise<WebhookRequest>
}

const RETURN = { redirectUri: 'http://localhost:3000/paypal-connect-callback', state: 'the state' }
const WEBHOOK_URL = 'http://localhost:3000/api/webhooks/paypal/of-the-tests'

/** Starts the PayPal sandbox with an adapter, one connected account, and functions that press its buttons. */
export async function startPaypalSandboxWithAdapter(db: Db): Promise<PaypalSandboxWithAdapter> {
  const clock = { ms: Date.now() }
  const now = () => clock.ms
  const receiver = await startWebhookReceiver()
  const reach = (url: string) => (url === WEBHOOK_URL ? receiver.url : null)
  const sandbox = await startPaypalSandbox({ db, now, reach })
  const recorder = await startRecordingProxy(sandbox.settings.sandboxUrl)
  const provider = buildPaypalProvider({ now, sandboxUrl: recorder.url, timeoutMs: 20_000 })

  const keys: PaymentProviderApp = {
    clientId: 'app',
    clientSecret: 'secret',
    mode: 'sandbox',
    webhookId: null,
  }
  const connect = async () => {
    const back = await decide(provider.buildConnectUrl({ ...RETURN, app: keys }), 'allow')
    const code = back.searchParams.get('code') ?? ''
    return provider.connect({ ...RETURN, code, app: keys, webhookUrl: WEBHOOK_URL })
  }
  const connected = await connect()
  const app = { ...keys, webhookId: connected.webhookId }
  const account = { accountId: connected.accountId, app }

  const payWith = (checkout: ProviderCheckout, instrument: string) =>
    postForm(checkout.url, { action: 'pay', instrument })
  const press = ({ id }: ProviderCheckout, action: string, fields: Record<string, string> = {}) =>
    postForm(`${sandbox.settings.sandboxUrl}/dashboard/orders/${id}`, { action, ...fields })
  const getMessage = async (...parts: readonly string[]) => {
    const isIt = ({ rawBody }: WebhookRequest) => parts.every((part) => rawBody.includes(part))
    return { ...(await waitFor(() => receiver.webhooks.find(isIt))), account }
  }

  return {
    provider,
    account,
    app,
    now,
    canEnd: false,
    people: {
      allow: (url) => decide(url, 'allow'),
      cancel: (url) => decide(url, 'cancel'),
      pay: async (checkout) => void (await payWith(checkout, 'balance')),
      decline: async (checkout) => void (await postForm(checkout.url, { action: 'decline' })),
      payLater: async (checkout) => {
        await payWith(checkout, 'review')
        await provider.captureCheckout(account, checkout.id, 'of-the-payment')
      },
      refundInDashboard: async (checkout, amountCents) =>
        void (await press(checkout, 'refund', { amount_cents: String(amountCents) })),
      customerEmails: { unavailable: '500@paypal.example', refused: 'refused@paypal.example' },
      getWebhook: ({ id }) => getMessage(id),
      wait: (ms) => {
        clock.ms += ms
      },
    },
    connect,
    sandbox,
    exchanges: recorder.exchanges,
    payWith,
    press,
    getMessage,
    stop: async () => {
      await sandbox.stop()
      await recorder.stop()
      await receiver.stop()
    },
  }
}

async function decide(connectUrl: string, decision: 'allow' | 'cancel'): Promise<URL> {
  const response = await postForm(connectUrl, { decision, email: 'owner@business.example' })
  return new URL(response.headers.get('location') ?? '')
}
