import { z } from 'zod'
import { partialUpdateSchema } from '#contract/shared/changes.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { idSchema, idSchemaWithError, singleLineSchema } from '#contract/shared/primitives.ts'

export const providerName = z.enum(['stripe', 'paypal'])

/**
 * A calendar's payment settings. Secrets never leave the server: a response only states whether a secret is stored. Source: rule
 * F7.
 */
export const paymentSettingsSchema = componentSchema('PaymentSettings', {
  /** The switch 'Enable payment for appointments': customers can pay online. Source: rule F1. */
  payment_enabled: z.boolean(),
  /** True when customers must pay when they book. Source: rule B5. */
  payment_required: z.boolean(),
  stripe_connected: z.boolean(),
  stripe_account_id: z.string().nullable(),
  paypal_connected: z.boolean(),
  paypal_merchant_id: z.string().nullable(),
  paypal_email: z.string().nullable(),
  paypal_client_id: z.string().nullable(),
  has_paypal_client_secret: z.boolean(),
  paypal_redirect_uri: z.string().nullable(),
  paypal_mode: z.enum(['sandbox', 'live']),
  payment_provider: providerName.nullable(),
  currency: z.string(),
  /** The providers that the operator has configured on this installation. */
  offered: z.array(providerName),
  /** The providers that are sandboxed, so that payments are simulated. */
  sandbox: z.array(providerName),
  /** The redirect URI that the owner enters at PayPal. */
  paypal_callback_url: z.string(),
  /**
   * Accounts of the owner's other calendars, at providers where this calendar has none. Each account is listed once, with one of
   * its calendars. Source: rule F14.
   */
  reusable_accounts: z.array(
    z.object({
      provider: providerName,
      calendar_id: idSchema,
      calendar_name: z.string(),
      /** How people know the account: the email address at PayPal, the id at Stripe. */
      account: z.string(),
    }),
  ),
})
export type PaymentSettings = z.infer<typeof paymentSettingsSchema>

/** The owner's own PayPal app. Source: rule F2. */
export const paypalFields = z.object({
  paypal_client_id: singleLineSchema(LIMITS.paypalClientId),
  paypal_redirect_uri: z.union([
    z.literal(''),
    singleLineSchema(LIMITS.url).pipe(z.url({ protocol: /^https?$/, error: 'payment.redirect_uri_invalid' })),
  ]),
  paypal_mode: z.enum(['sandbox', 'live']),
})
export const paypalSecret = singleLineSchema(LIMITS.paypalClientSecret)

/** New payment settings. An absent secret stays unchanged. */
export const paymentSettingsChanges = partialUpdateSchema({
  payment_enabled: z.boolean(),
  payment_required: z.boolean(),
  ...paypalFields.shape,
})
  .extend({ paypal_client_secret: paypalSecret.min(1).optional() })
  .meta({ id: 'PaymentSettingsChanges' })
export type PaymentSettingsChanges = z.input<typeof paymentSettingsChanges>

export const connectionParams = z.object({
  id: idSchemaWithError('calendar.not_found'),
  provider: providerName,
})
/** The calendar whose payment account another calendar will use. */
export const accountSourceBody = componentSchema('PaymentAccountSource', {
  calendar_id: idSchema,
})

export const connectUrlResponse = componentSchema('ConnectUrl', { url: z.string() })

/** The parameters of the provider's redirect. Source: rule F4. */
export const completeConnectionBody = componentSchema('ConnectionCallback', {
  provider: providerName,
  code: singleLineSchema(LIMITS.oauthCode, 'payment.callback_invalid').min(1, 'payment.callback_invalid'),
  state: singleLineSchema(LIMITS.oauthCode, 'payment.callback_invalid').min(1, 'payment.callback_invalid'),
})
export type CompleteConnectionBody = z.input<typeof completeConnectionBody>
export const completeConnectionResponse = componentSchema('CompletedConnection', {
  calendar_id: idSchema,
  provider: providerName,
})
