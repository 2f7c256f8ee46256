import { z } from 'zod'
import type {
  ConnectedAccount,
  ConnectRequest,
  PaymentAccount,
  PaymentProvider,
  PaymentProviderApp,
} from '#server/ports/payment-provider.ts'
import { getPaypalApp, type PaypalClient, toPaypalHosts } from './paypal-client.ts'
import { PaypalRefusal } from './paypal-refusal.ts'

/** Webhook events that we subscribe to. */
const EVENT_TYPES = [
  'CHECKOUT.ORDER.APPROVED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'PAYMENT.REFUND.FAILED',
]

/**
 * OAuth scopes for the owner's identity. The last part of the user id is the payer id, which identifies the account
 * that receives the money.
 */
const SCOPES = 'openid email https://uri.paypal.com/services/paypalattributes'

const userReply = z.object({
  payer_id: z.string().regex(/^[2-9A-HJ-NP-Z]{13}$/),
  email: z.string().max(320).optional(),
})
const webhook = z.object({ id: z.string().min(1).max(50) })
const webhookList = z.object({ webhooks: z.array(webhook.extend({ url: z.string() })).default([]) })

/** Builds the URL of "Log in with PayPal". Source: https://developer.paypal.com/docs/log-in-with-paypal/integrate/ */
export function buildConnectUrl(sandboxUrl: string | undefined, request: ConnectRequest): string {
  const app = getPaypalApp(request)
  const url = new URL('/signin/authorize', toPaypalHosts(sandboxUrl, app.mode).pages)
  url.search = new URLSearchParams({
    flowEntry: 'static',
    client_id: app.clientId,
    response_type: 'code',
    scope: SCOPES,
    redirect_uri: request.redirectUri,
    state: request.state,
  }).toString()
  return url.toString()
}

/** Identifies the account and subscribes to its webhooks. */
export async function connectAccount(
  client: PaypalClient,
  request: Parameters<PaymentProvider['connect']>[0],
): Promise<ConnectedAccount> {
  const app = getPaypalApp(request)
  const accessToken = await client.redeemCode(app, request.code)
  const user = await client.askAs(app, accessToken, {
    method: 'GET',
    path: '/v1/identity/openidconnect/userinfo?schema=openid',
    reply: userReply,
  })
  const webhookId = await getWebhook(client, app, request.webhookUrl)
  return { accountId: user.payer_id, email: user.email ?? null, webhookId }
}

/**
 * Finds or creates the app's webhook. An existing one is reused: a connection may have been removed without telling
 * PayPal.
 */
export async function getWebhook(
  client: PaypalClient,
  app: PaymentProviderApp,
  url: string,
): Promise<string> {
  const path = '/v1/notifications/webhooks'
  const { webhooks } = await client.ask(app, { method: 'GET', path, reply: webhookList })
  const known = webhooks.find((one) => one.url === url)
  if (known !== undefined) return known.id
  const body = JSON.stringify({ url, event_types: EVENT_TYPES.map((name) => ({ name })) })
  const made = await client.ask(app, { method: 'POST', path, body, reply: webhook })
  return made.id
}

/** Deletes the webhook. A webhook or app that is already gone counts as deleted. */
export async function disconnectAccount(client: PaypalClient, account: PaymentAccount): Promise<void> {
  const webhookId = account.app?.webhookId ?? null
  if (account.app === null || webhookId === null) return
  try {
    await client.ask(account.app, {
      method: 'DELETE',
      path: `/v1/notifications/webhooks/${encodeURIComponent(webhookId)}`,
      reply: z.unknown(),
    })
  } catch (error) {
    const isGone = error instanceof PaypalRefusal && (error.status === 404 || error.status === 401)
    if (!isGone) throw error
  }
}
