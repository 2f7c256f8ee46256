import type { PublicBookingDeps } from '#server/features/bookings/booking-budgets.ts'
import { toPayee, toProviderApp } from '#server/features/payments/use-cases.ts'
import type { Payment } from '#server/features/transactions/ledger-repository.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import type { ToPseudonym } from '#server/platform/secrets/pseudonyms.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import type {
  Payee,
  PaymentProvider,
  PaymentProviders,
  ProviderName,
} from '#server/ports/payment-provider.ts'
import { ProviderError } from '#server/ports/payment-provider.ts'
import { findPayingAccounts } from './settings-repository.ts'

export type CheckoutsDeps = PublicBookingDeps & {
  readonly log: Pick<Log, 'error' | 'warn' | 'info'>
  readonly providers: PaymentProviders
  readonly secrets: SecretBox
  readonly toPseudonym: ToPseudonym
}

/** A provider and whose money it moves. */
export type Till = { readonly provider: PaymentProvider; readonly payee: Payee }

/**
 * Where a new payment of a calendar goes, and in which currency. Null when this way to pay is not connected, or not
 * offered on this installation.
 */
export async function findTill(
  deps: Pick<CheckoutsDeps, 'providers' | 'secrets'>,
  db: Db,
  { calendarId, provider: name }: { calendarId: string; provider: ProviderName },
): Promise<(Till & { readonly currency: string }) | null> {
  const accounts = await findPayingAccounts(db, calendarId)
  const provider = deps.providers[name]
  if (accounts === null || provider === undefined) return null
  const isConnected = name === 'stripe' ? accounts.stripe_connected : accounts.paypal_connected
  const payee = isConnected ? toPayee(deps, name, accounts) : null
  if (payee === null || (name === 'paypal' && payee.app === null)) return null
  return { provider, payee, currency: accounts.currency }
}

/**
 * Where a payment was begun: also after its account was disconnected, as far as that can still be asked.
 * @throws ProviderError `isAccountGone`
 */
export async function getTillOf(
  deps: Pick<CheckoutsDeps, 'db' | 'providers' | 'secrets'>,
  payment: Pick<Payment, 'calendarId' | 'provider' | 'accountId' | 'appClientId'>,
): Promise<Till> {
  const { calendarId, provider: name, accountId, appClientId } = payment
  const provider = deps.providers[name]
  if (provider === undefined) throw accountGone('This payment provider is not set up on this installation.')
  if (name === 'stripe') return { provider, payee: { accountId, app: null } }
  const accounts = await findPayingAccounts(deps.db, calendarId)
  const app = accounts === null ? null : toProviderApp(deps, accounts)
  const isOtherAccount =
    accounts !== null && accounts.paypal_merchant_id !== null && accounts.paypal_merchant_id !== accountId
  // PayPal tells an app about the payments that were begun with it, and no other.
  const isOtherApp = app !== null && appClientId !== null && app.clientId !== appClientId
  if (app === null || isOtherAccount || isOtherApp) {
    throw accountGone('The PayPal account that this payment went to is no longer connected.')
  }
  return { provider, payee: { accountId, app } }
}

function accountGone(message: string): ProviderError {
  return new ProviderError('refused', message, { isAccountGone: true })
}
