import type { PublicBookingDeps } from '#server/features/bookings/use-cases.ts'
import { toPaymentAccount, toProviderApp } from '#server/features/payments/use-cases.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import type { ToPseudonym } from '#server/platform/secrets/pseudonyms.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import type {
  PaymentAccount,
  PaymentProvider,
  PaymentProviders,
  ProviderApp,
  ProviderName,
} from '#server/ports/payment-provider.ts'
import { ProviderError } from '#server/ports/payment-provider.ts'
import type { Payment } from './repository.ts'
import { findPayingAccounts } from './settings-repository.ts'

export type CheckoutsDeps = PublicBookingDeps & {
  readonly log: Pick<Log, 'error' | 'warn' | 'info'>
  readonly providers: PaymentProviders
  readonly secrets: SecretBox
  readonly toPseudonym: ToPseudonym
}

/** A provider, and the account whose money it moves. */
export type Till = { readonly provider: PaymentProvider; readonly paymentAccount: PaymentAccount }

/**
 * The account that gets a new payment of a calendar, and its currency. Null when this way to pay is not connected, or
 * not offered on this installation.
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
  const paymentAccount = isConnected ? toPaymentAccount(deps, name, accounts) : null
  if (paymentAccount === null || (name === 'paypal' && paymentAccount.app === null)) return null
  return { provider, paymentAccount, currency: accounts.currency }
}

/**
 * The account that a payment was begun with, also after it was disconnected, as far as it can still be asked.
 * @throws ProviderError `isAccountGone`
 */
export async function getTillOf(
  deps: Pick<CheckoutsDeps, 'db' | 'providers' | 'secrets'>,
  payment: Pick<Payment, 'calendarId' | 'provider' | 'accountId' | 'appClientId'>,
): Promise<Till> {
  const { calendarId, provider: name, accountId, appClientId } = payment
  const provider = deps.providers[name]
  if (provider === undefined) throw accountGone('This payment provider is not set up on this installation.')
  if (name === 'stripe') return { provider, paymentAccount: { accountId, app: null } }
  const accounts = await findPayingAccounts(deps.db, calendarId)
  const app = accounts === null ? null : readApp(deps, accounts)
  const isOtherAccount =
    accounts !== null && accounts.paypal_merchant_id !== null && accounts.paypal_merchant_id !== accountId
  // PayPal tells an app about the payments that were begun with it, and no other.
  const isOtherApp = app !== null && appClientId !== null && app.clientId !== appClientId
  if (app === null || isOtherAccount || isOtherApp) {
    throw accountGone('The PayPal account that this payment went to is no longer connected.')
  }
  return { provider, paymentAccount: { accountId, app } }
}

/** @throws ProviderError `isAccountGone` when the secret was sealed with another key of the installation */
function readApp(
  deps: Pick<CheckoutsDeps, 'secrets'>,
  accounts: Parameters<typeof toProviderApp>[1],
): ProviderApp | null {
  try {
    return toProviderApp(deps, accounts)
  } catch (error) {
    throw accountGone('The PayPal client secret can no longer be read.', error)
  }
}

function accountGone(message: string, cause?: unknown): ProviderError {
  return new ProviderError('refused', message, { isAccountGone: true, cause })
}
