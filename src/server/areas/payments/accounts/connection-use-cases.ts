import { createHash, randomBytes } from 'node:crypto'
import type { OwnerId, SignedInOwner } from '#server/platform/auth/owner-id.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  type ConnectedAccount,
  type PaymentProvider,
  type PaymentProviderApp,
  PaymentProviderError,
  type PaymentProviderName,
} from '#server/ports/payment-provider.ts'
import { getOwnCalendar, lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import {
  consumeConnectState,
  disconnectAccountFromCalendar,
  findPaymentSettings,
  insertConnectState,
  isStripeAccountUsedElsewhere,
  type PaymentSettingsRow,
  restorePaymentAccount,
  upsertPaymentSettings,
} from './repository.ts'
import {
  type PaymentsDeps,
  refuseProviderOutsidePlan,
  toCallbackUrl,
  toPaymentAccount,
  toProviderApp,
  toWebhookUrl,
} from './use-cases.ts'

type Session = Pick<SignedInOwner, 'ownerId' | 'sessionId'>
type ConnectionKey = { readonly calendarId: string; readonly provider: PaymentProviderName }

/** How long an OAuth state is valid, in milliseconds. Source: rule F3. */
const CONNECT_MS = 10 * 60_000

/**
 * Creates the provider's OAuth URL, where the owner allows us to act for their account. The callback works once, for the same
 * session. Source: rule F3.
 * @throws ProblemError `calendar.*`, `payment.provider_not_offered`, `payment.not_in_plan`, `payment.paypal_incomplete`,
 *   `payment.paypal_credentials_incomplete`
 */
export async function createConnectUrl(
  deps: PaymentsDeps,
  { ownerId, sessionId }: Session,
  { calendarId, provider: name }: ConnectionKey,
): Promise<{ url: string }> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const provider = getProvider(deps, name)
  await refuseProviderOutsidePlan(deps, ownerId, name)
  const row = await findPaymentSettings(deps.db, ownerId, calendarId)
  const way = getAppAndCallback(deps, name, row)
  const state = randomBytes(32).toString('base64url')
  await insertConnectState(deps.db, {
    state_hash: hashOf(state),
    session_id: sessionId,
    calendar_id: calendarId,
    provider: name,
    expires_at: new Date(deps.now() + CONNECT_MS),
  })
  return { url: provider.buildConnectUrl({ state, ...way }) }
}

/**
 * Completes the OAuth callback and stores the connected account. Source: rule F4.
 * @throws ProblemError `payment.callback_invalid`, `payment.not_in_plan`, `payment.connect_failed` with the provider's
 *   message
 */
export async function completeConnection(
  deps: PaymentsDeps,
  { ownerId, sessionId }: Session,
  callback: { readonly provider: PaymentProviderName; readonly code: string; readonly state: string },
): Promise<{ calendar_id: string; provider: PaymentProviderName }> {
  const { provider: name, code } = callback
  const provider = getProvider(deps, name)
  const calendarId = await consumeConnectState(deps.db, {
    stateHash: hashOf(callback.state),
    sessionId,
    provider: name,
    now: new Date(deps.now()),
  })
  if (calendarId === null) throw new ProblemError('payment.callback_invalid')
  // The owner's plan may have ended while they were on the provider's page.
  await refuseProviderOutsidePlan(deps, ownerId, name)
  const row = await findPaymentSettings(deps.db, ownerId, calendarId)
  const way = getAppAndCallback(deps, name, row)
  const webhookUrl = toWebhookUrl(deps, { calendarId, provider: name })
  const account = await withProviderErrors('payment.connect_failed', () =>
    provider.connect({ ...way, code, webhookUrl }),
  )
  await inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, calendarId)
    const before = await findPaymentSettings(trx, ownerId, calendarId)
    const connectedAt = new Date(deps.now())
    await upsertPaymentSettings(trx, calendarId, {
      ...toAccountColumns(name, account, connectedAt),
      payment_provider: before?.payment_provider ?? name,
      currency: 'eur',
      updated_at: connectedAt,
    })
  })
  return { calendar_id: calendarId, provider: name }
}

/**
 * Disconnects a provider from a calendar, here and at the provider, after ending all checkouts that can still be paid
 * through it. Does nothing if the calendar is not connected. A Stripe account that other calendars use stays connected
 * for them. Source: rules F8 and P15.
 * @throws ProblemError `calendar.*`, `payment.disconnect_under_way`, `payment.disconnect_failed` with the provider's
 * message
 */
export async function disconnectProvider(
  deps: PaymentsDeps,
  ownerId: OwnerId,
  { calendarId, provider: name }: ConnectionKey,
): Promise<void> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const row = await findPaymentSettings(deps.db, ownerId, calendarId)
  const account = row === null ? null : toPaymentAccount(deps, name, row)
  if (row === null || account === null) return
  const { accountId } = account
  // Refuse while checkouts are open, because after disconnecting we can no longer ask whether a payment has arrived.
  // Source: rule P15.
  if ((await deps.endCheckouts(calendarId, name)) !== 'ended') {
    throw new ProblemError('payment.disconnect_under_way')
  }
  const updatedAt = new Date(deps.now())
  // Change our record first, so that no payment begins while we call the provider.
  await inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, calendarId)
    if (await deps.isPaymentOpen(trx, calendarId, name))
      throw new ProblemError('payment.disconnect_under_way')
    await disconnectAccountFromCalendar(trx, calendarId, { provider: name, accountId, updatedAt })
  })
  const isShared =
    name === 'stripe' && (await isStripeAccountUsedElsewhere(deps.db, { calendarId, accountId }))
  if (isShared) return
  try {
    await withProviderErrors('payment.disconnect_failed', async () =>
      deps.providers[name]?.disconnect(account),
    )
  } catch (error) {
    await restorePaymentAccount(deps.db, row, { provider: name, updatedAt: new Date(deps.now()) })
    throw error
  }
}

/**
 * Returns a provider that this installation offers.
 * @throws ProblemError `payment.provider_not_offered`
 */
export function getProvider({ providers }: PaymentsDeps, name: PaymentProviderName): PaymentProvider {
  const provider = providers[name]
  if (provider === undefined) throw new ProblemError('payment.provider_not_offered')
  return provider
}

/**
 * Returns the provider app that starts the OAuth flow, and the callback URL. Source: rule F2.
 * @throws ProblemError `payment.paypal_incomplete`, `payment.paypal_credentials_incomplete`
 */
function getAppAndCallback(
  deps: PaymentsDeps,
  name: PaymentProviderName,
  row: PaymentSettingsRow | null,
): { redirectUri: string; app: PaymentProviderApp | null } {
  if (name === 'stripe') return { redirectUri: toCallbackUrl(deps, name), app: null }
  if (!row?.paypal_client_id || !row.paypal_redirect_uri) throw new ProblemError('payment.paypal_incomplete')
  const app = toProviderApp(deps, row)
  if (app === null) throw new ProblemError('payment.paypal_credentials_incomplete')
  return { redirectUri: row.paypal_redirect_uri, app }
}

function toAccountColumns(name: PaymentProviderName, account: ConnectedAccount, connectedAt: Date) {
  if (name === 'stripe') {
    return { stripe_connected: true, stripe_account_id: account.accountId, stripe_connected_at: connectedAt }
  }
  return {
    paypal_connected: true,
    paypal_merchant_id: account.accountId,
    paypal_email: account.email,
    paypal_webhook_id: account.webhookId,
  }
}

/** Converts a provider's error into the refusal `code`, with the provider's message. */
export async function withProviderErrors<Answer>(
  code: 'payment.connect_failed' | 'payment.disconnect_failed',
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    throw new ProblemError(code, [{ path: 'provider', message: error.message }])
  }
}

/**
 * Returns the hash under which an OAuth state is stored: read access to the table is not enough to complete the
 * callback. Source: rule F3.
 */
function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('hex')
}
