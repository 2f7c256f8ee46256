import type { z } from 'zod'
import type { PaymentSettings, paymentSettingsChanges } from '#contract/payments/payment-settings.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseStaleChange } from '#server/platform/http/refuse-stale-change.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import type {
  PaymentAccount,
  PaymentProviderApp,
  PaymentProviderName,
  PaymentProviders,
} from '#server/ports/payment-provider.ts'
import {
  type CalendarsDeps,
  getOwnCalendar,
  lockOwnCalendar,
  type OpenCheckoutStatus,
  setPaymentTerms,
} from '#server/records/calendars/use-cases.ts'
import { type DefaultPlanSettings, refuseFeatureOutsidePlan } from '#server/records/subscription/use-cases.ts'
import {
  findPaymentSettings,
  listAccountsOfOthers,
  type PaymentSettingsRow,
  upsertPaymentSettings,
} from './repository.ts'

export type PaymentsDeps = Pick<CalendarsDeps, 'db' | 'now' | 'baseUrl'> &
  DefaultPlanSettings & {
    readonly providers: PaymentProviders
    readonly secrets: SecretBox
    /**
     * Ends the open checkouts at a provider, before its account is removed. It is slow, because it calls the provider.
     */
    readonly endCheckouts: (calendarId: string, provider: PaymentProviderName) => Promise<OpenCheckoutStatus>
    /**
     * True when a payment at the provider is open because it began after `endCheckouts`. The caller has locked the
     * calendar.
     */
    readonly isPaymentOpen: (trx: Trx, calendarId: string, provider: PaymentProviderName) => Promise<boolean>
  }

type Changes = z.output<typeof paymentSettingsChanges>

const PROVIDERS = ['stripe', 'paypal'] as const satisfies readonly PaymentProviderName[]

/**
 * Returns the payment settings of a calendar. A secret is never returned, only whether one is stored.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getPaymentSettings(
  deps: PaymentsDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<PaymentSettings> {
  const { payment_required, payment_enabled } = await getOwnCalendar(deps, ownerId, calendarId)
  const row = await findPaymentSettings(deps.db, ownerId, calendarId)
  return {
    payment_enabled,
    payment_required,
    stripe_connected: row?.stripe_connected ?? false,
    stripe_account_id: row?.stripe_account_id ?? null,
    paypal_connected: row?.paypal_connected ?? false,
    paypal_merchant_id: row?.paypal_merchant_id ?? null,
    paypal_email: row?.paypal_email ?? null,
    paypal_client_id: row?.paypal_client_id ?? null,
    has_paypal_client_secret: (row?.paypal_client_secret_encrypted ?? null) !== null,
    paypal_redirect_uri: row?.paypal_redirect_uri ?? null,
    paypal_mode: row?.paypal_mode ?? 'sandbox',
    payment_provider: row?.payment_provider ?? null,
    currency: row?.currency ?? 'eur',
    offered: PROVIDERS.filter((name) => deps.providers[name] !== undefined),
    sandbox: PROVIDERS.filter((name) =>
      deps.providers[name]?.isSandbox(name === 'paypal' ? { mode: row?.paypal_mode ?? 'sandbox' } : null),
    ),
    paypal_callback_url: toCallbackUrl(deps, 'paypal'),
    reusable_accounts: await listReusableAccounts(deps, ownerId, calendarId, row),
  }
}

/** Lists the accounts of other calendars at providers where this calendar has none. Source: rule F14. */
async function listReusableAccounts(
  deps: PaymentsDeps,
  ownerId: OwnerId,
  calendarId: string,
  row: PaymentSettingsRow | null,
): Promise<PaymentSettings['reusable_accounts']> {
  const found: PaymentSettings['reusable_accounts'] = []
  for (const provider of PROVIDERS) {
    if (deps.providers[provider] === undefined || row?.[`${provider}_connected`]) continue
    const accounts = await listAccountsOfOthers(deps.db, ownerId, { calendarId, provider })
    found.push(...accounts.map((account) => ({ provider, ...account })))
  }
  return found
}

/**
 * Saves the given payment settings. While PayPal is connected, its app cannot be changed, but the app's secret can be
 * replaced. Source: rule F6.
 * @throws ProblemError `calendar.*`, `payment.not_in_plan`, `payment.paypal_connected`, `request.changed_meanwhile`
 */
export async function savePaymentSettings(
  deps: PaymentsDeps,
  ownerId: OwnerId,
  calendarId: string,
  { was, payment_required, payment_enabled, ...paypal }: Changes,
): Promise<PaymentSettings> {
  return inTransaction(deps.db, async (trx) => {
    const inside = { ...deps, db: trx }
    const changedAt = new Date(deps.now())
    await lockOwnCalendar(trx, ownerId, calendarId)
    const before = await getPaymentSettings(inside, ownerId, calendarId)
    refuseStaleChange(before, was)
    await setPaymentTerms(trx, ownerId, calendarId, { payment_required, payment_enabled, changedAt })
    if (Object.values(paypal).some((value) => value !== undefined)) {
      await refuseProviderOutsidePlan(inside, ownerId, 'paypal')
      refuseOtherApp(before, paypal)
      const columns = toPaypalColumns(deps, calendarId, paypal)
      await upsertPaymentSettings(trx, calendarId, { ...columns, currency: 'eur', updated_at: changedAt })
    }
    return getPaymentSettings(inside, ownerId, calendarId)
  })
}

type PaypalChanges = Omit<Changes, 'was' | 'payment_required' | 'payment_enabled'>

/**
 * Refuses a different PayPal app while PayPal is connected.
 * @throws ProblemError `payment.paypal_connected`
 */
function refuseOtherApp(before: PaymentSettings, changes: PaypalChanges): void {
  const { paypal_client_id = before.paypal_client_id ?? '', paypal_mode = before.paypal_mode } = changes
  const isSame = paypal_client_id === before.paypal_client_id && paypal_mode === before.paypal_mode
  if (before.paypal_connected && !isSame) throw new ProblemError('payment.paypal_connected')
}

function toPaypalColumns({ secrets }: PaymentsDeps, calendarId: string, changes: PaypalChanges) {
  const { paypal_client_id: clientId, paypal_redirect_uri: redirectUri, paypal_client_secret } = changes
  return {
    ...(clientId === undefined ? {} : { paypal_client_id: clientId || null }),
    ...(redirectUri === undefined ? {} : { paypal_redirect_uri: redirectUri || null }),
    ...(changes.paypal_mode === undefined ? {} : { paypal_mode: changes.paypal_mode }),
    ...(paypal_client_secret === undefined
      ? {}
      : {
          paypal_client_secret_encrypted: secrets.seal(
            paypal_client_secret,
            toPaypalSecretPurpose(calendarId),
          ),
        }),
  }
}

/**
 * Returns the owner's own PayPal app; null while its credentials are incomplete. A secret that cannot be decrypted,
 * because the installation has a new key, counts as missing: the owner can enter it again or disconnect.
 */
export function toProviderApp(
  deps: Pick<PaymentsDeps, 'secrets'>,
  row: PaymentSettingsRow,
): PaymentProviderApp | null {
  const { paypal_client_id: clientId, paypal_client_secret_encrypted: sealed } = row
  const clientSecret = sealed === null ? null : readSecret(deps, sealed, row.calendar_id)
  if (!clientId || clientSecret === null) return null
  return { clientId, clientSecret, mode: row.paypal_mode, webhookId: row.paypal_webhook_id }
}

function readSecret(
  { secrets }: Pick<PaymentsDeps, 'secrets'>,
  sealed: Buffer,
  calendarId: string,
): string | null {
  try {
    return secrets.open(sealed, toPaypalSecretPurpose(calendarId))
  } catch {
    return null
  }
}

/** Returns the connected account at a provider; null when there is none. */
export function toPaymentAccount(
  deps: Pick<PaymentsDeps, 'secrets'>,
  name: PaymentProviderName,
  row: PaymentSettingsRow,
): PaymentAccount | null {
  const accountId = name === 'stripe' ? row.stripe_account_id : row.paypal_merchant_id
  if (accountId === null) return null
  return { accountId, app: name === 'stripe' ? null : toProviderApp(deps, row) }
}

/** Returns the purpose that binds the encrypted PayPal secret to its calendar. */
export function toPaypalSecretPurpose(calendarId: string): string {
  return `paypal:${calendarId}`
}

/** Returns the URL that receives a provider's events about the payments of a calendar. */
export function toWebhookUrl(
  { baseUrl }: Pick<PaymentsDeps, 'baseUrl'>,
  { calendarId, provider }: { readonly calendarId: string; readonly provider: PaymentProviderName },
): string {
  return `${baseUrl}/api/webhooks/${provider === 'paypal' ? `paypal/${calendarId}` : provider}`
}

/** Returns the OAuth callback URL to which a provider redirects the owner. */
export function toCallbackUrl(
  { baseUrl }: Pick<PaymentsDeps, 'baseUrl'>,
  provider: PaymentProviderName,
): string {
  return `${baseUrl}/${provider}-connect-callback`
}

/**
 * Refuses a provider that the owner's plan does not include.
 * @throws ProblemError `payment.not_in_plan`
 */
export function refuseProviderOutsidePlan(
  deps: Pick<PaymentsDeps, 'db' | 'now' | 'defaultTier'>,
  ownerId: OwnerId,
  provider: PaymentProviderName,
): Promise<void> {
  return refuseFeatureOutsidePlan(deps, ownerId, provider)
}
