import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { PaymentAccount, PaymentProviderName } from '#server/ports/payment-provider.ts'
import { getOwnCalendar, lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { getProvider, withProviderErrors } from './connection-use-cases.ts'
import { findPaymentSettings, type PaymentSettingsRow, upsertPaymentSettings } from './repository.ts'
import {
  getPaymentSettings,
  type PaymentsDeps,
  refuseProviderOutsidePlan,
  toPaymentAccount,
  toPaypalSecretPurpose,
  toWebhookUrl,
} from './use-cases.ts'

/** A calendar without an account at the provider, and another calendar of the owner whose account it will use. */
type Reuse = {
  readonly calendarId: string
  readonly provider: PaymentProviderName
  readonly sourceId: string
}

/**
 * Connects to a calendar the account that another calendar of the owner uses. The calendar gets a copy of the connection, with a
 * webhook of its own, so disconnecting either calendar leaves the other one connected. Idempotent. Source: rule F14.
 * @throws ProblemError `calendar.*`, `payment.provider_not_offered`, `payment.not_in_plan`, `payment.account_connected`,
 * `payment.account_unavailable`, `payment.connect_failed` with the provider's message
 */
export async function connectAccountOfCalendar(
  deps: PaymentsDeps,
  ownerId: OwnerId,
  reuse: Reuse,
): Promise<PaymentSettings> {
  const { calendarId, provider: name, sourceId } = reuse
  await getOwnCalendar(deps, ownerId, calendarId)
  await getOwnCalendar(deps, ownerId, sourceId)
  const provider = getProvider(deps, name)
  await refuseProviderOutsidePlan(deps, ownerId, name)
  const source = await getSource(deps, ownerId, reuse)
  const present = await findPaymentSettings(deps.db, ownerId, calendarId)
  if (isConnectedTo(deps, name, present, source.account)) return getPaymentSettings(deps, ownerId, calendarId)
  const { app } = source.account
  const { addWebhook } = provider
  // Call the provider before any row is locked.
  const webhookId =
    app === null || addWebhook === null
      ? null
      : await withProviderErrors('payment.connect_failed', () => addWebhook(app, toWebhookUrl(deps, reuse)))
  await inTransaction(deps.db, async (trx) => {
    await lockBoth(trx, ownerId, reuse)
    const inside = { ...deps, db: trx }
    // Another request may have disconnected the account or connected another one in the meantime.
    const { row, account } = await getSource(inside, ownerId, reuse)
    if (!isSameAccount(account, source.account)) throw new ProblemError('payment.account_unavailable')
    const before = await findPaymentSettings(trx, ownerId, calendarId)
    if (isConnectedTo(deps, name, before, account)) return
    await upsertPaymentSettings(trx, calendarId, {
      ...toCopiedColumns(deps, { calendarId, row, account, webhookId }),
      payment_provider: before?.payment_provider ?? name,
      currency: 'eur',
      updated_at: new Date(deps.now()),
    })
  })
  return getPaymentSettings(deps, ownerId, calendarId)
}

/** Locks both calendars, always in the same order, so that two requests do not wait for each other. */
async function lockBoth(trx: Trx, ownerId: OwnerId, { calendarId, sourceId }: Reuse): Promise<void> {
  for (const id of [...new Set([calendarId, sourceId])].sort()) await lockOwnCalendar(trx, ownerId, id)
}

/** @throws ProblemError `payment.account_unavailable` */
async function getSource(
  deps: PaymentsDeps,
  ownerId: OwnerId,
  { provider, sourceId }: Reuse,
): Promise<{ readonly row: PaymentSettingsRow; readonly account: PaymentAccount }> {
  const row = await findPaymentSettings(deps.db, ownerId, sourceId)
  const account = row?.[`${provider}_connected`] ? toPaymentAccount(deps, provider, row) : null
  // PayPal also needs the secret of the owner's app, which may have been encrypted with a lost key.
  if (row === null || account === null || (provider === 'paypal' && account.app === null)) {
    throw new ProblemError('payment.account_unavailable')
  }
  return { row, account }
}

/**
 * True when a calendar is connected to the account already.
 * @throws ProblemError `payment.account_connected` when it is connected to another one
 */
function isConnectedTo(
  deps: PaymentsDeps,
  provider: PaymentProviderName,
  row: PaymentSettingsRow | null,
  account: PaymentAccount,
): boolean {
  const present = row?.[`${provider}_connected`] ? toPaymentAccount(deps, provider, row) : null
  if (present === null) return false
  if (!isSameAccount(present, account)) throw new ProblemError('payment.account_connected')
  return true
}

function isSameAccount(one: PaymentAccount, other: PaymentAccount): boolean {
  return one.accountId === other.accountId && one.app?.clientId === other.app?.clientId
}

/** Returns the columns of the copied connection. The secret is encrypted for its new calendar. */
function toCopiedColumns(
  { secrets }: PaymentsDeps,
  {
    calendarId,
    row,
    account: { app },
    webhookId,
  }: {
    readonly calendarId: string
    readonly row: PaymentSettingsRow
    readonly account: PaymentAccount
    readonly webhookId: string | null
  },
) {
  if (app === null) {
    return {
      stripe_connected: true,
      stripe_account_id: row.stripe_account_id,
      // The account was connected at Stripe then, and a late event that it was cut off concerns both calendars. Source: rule P18.
      stripe_connected_at: row.stripe_connected_at,
    }
  }
  return {
    paypal_connected: true,
    paypal_merchant_id: row.paypal_merchant_id,
    paypal_email: row.paypal_email,
    paypal_client_id: app.clientId,
    paypal_client_secret_encrypted: secrets.seal(app.clientSecret, toPaypalSecretPurpose(calendarId)),
    paypal_redirect_uri: row.paypal_redirect_uri,
    paypal_mode: app.mode,
    paypal_webhook_id: webhookId,
  }
}
