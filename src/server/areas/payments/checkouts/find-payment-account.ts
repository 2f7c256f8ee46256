import type { PublicBookingDeps } from '#server/areas/appointments/bookings/booking-budgets.ts'
import { toPaymentAccount, toProviderApp } from '#server/areas/payments/accounts/use-cases.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import type { ToPseudonym } from '#server/platform/secrets/signer.ts'
import type {
  PaymentAccount,
  PaymentProvider,
  PaymentProviderName,
  PaymentProviders,
} from '#server/ports/payment-provider.ts'
import { PaymentProviderError } from '#server/ports/payment-provider.ts'
import type { Payment } from '#server/records/ledger/ledger-repository.ts'
import { findPaymentAccountSettings } from './repository.ts'

export type CheckoutsDeps = PublicBookingDeps & {
  readonly log: Pick<Log, 'error' | 'warn' | 'info'>
  readonly providers: PaymentProviders
  readonly secrets: SecretBox
  readonly toPseudonym: ToPseudonym
}

/** A payment provider, and an account there. */
export type ProviderAccount = { readonly provider: PaymentProvider; readonly account: PaymentAccount }

/**
 * Finds the account that receives new payments of a calendar, and its currency. Null when the provider is not connected, or not
 * available on this installation.
 */
export async function findPaymentAccount(
  deps: Pick<CheckoutsDeps, 'providers' | 'secrets'>,
  db: Db,
  { calendarId, provider: name }: { calendarId: string; provider: PaymentProviderName },
): Promise<(ProviderAccount & { readonly currency: string }) | null> {
  const accounts = await findPaymentAccountSettings(db, calendarId)
  const provider = deps.providers[name]
  if (accounts === null || provider === undefined) return null
  const isConnected = name === 'stripe' ? accounts.stripe_connected : accounts.paypal_connected
  const account = isConnected ? toPaymentAccount(deps, name, accounts) : null
  if (account === null || (name === 'paypal' && account.app === null)) return null
  return { provider, account, currency: accounts.currency }
}

/**
 * Returns the account with which a payment was started, even after it was disconnected, as long as we can still ask the
 * provider about it.
 * @throws PaymentProviderError `isAccountGone`
 */
export async function getAccountOfPayment(
  deps: Pick<CheckoutsDeps, 'db' | 'providers' | 'secrets'>,
  payment: Pick<Payment, 'calendar_id' | 'provider' | 'provider_account_id' | 'app_client_id'>,
): Promise<ProviderAccount> {
  const {
    calendar_id: calendarId,
    provider: name,
    provider_account_id: accountId,
    app_client_id: appClientId,
  } = payment
  const provider = deps.providers[name]
  if (provider === undefined) throw accountGone('This payment provider isn’t available on this site.')
  if (name === 'stripe') return { provider, account: { accountId, app: null } }
  const accounts = await findPaymentAccountSettings(deps.db, calendarId)
  const app = accounts === null ? null : toProviderApp(deps, accounts)
  const isOtherAccount =
    accounts !== null && accounts.paypal_merchant_id !== null && accounts.paypal_merchant_id !== accountId
  // A PayPal app can read only the payments that it started.
  const isOtherApp = app !== null && appClientId !== null && app.clientId !== appClientId
  if (app === null || isOtherAccount || isOtherApp) {
    throw accountGone('The PayPal account for this payment is no longer connected.')
  }
  return { provider, account: { accountId, app } }
}

function accountGone(message: string): PaymentProviderError {
  return new PaymentProviderError('refused', message, { isAccountGone: true })
}
