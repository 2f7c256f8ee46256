import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { type PaymentSettings, paypalFields, paypalSecret } from '#contract/payments/payment-settings.ts'
import { toPartialUpdate } from '#web/kit/changed-fields.ts'
import { useRecordForm } from '#web/kit/use-record-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { cachePaymentSettings, paymentSettingsQuery, savePaymentSettings } from './payment-queries.ts'

const paymentForm = paypalFields.extend({
  payment_enabled: z.boolean(),
  payment_required: z.boolean(),
  paypal_client_secret: paypalSecret,
})

export type PaymentFormValues = {
  payment_enabled: boolean
  payment_required: boolean
  paypal_client_id: string
  /** A new client secret; empty to keep the stored one. */
  paypal_client_secret: string
  paypal_redirect_uri: string
  paypal_mode: PaymentSettings['paypal_mode']
}

export type PaymentForm = ReturnType<typeof usePaymentForm>

/** The labels of the fields. Notices use them too. */
export const PAYMENT_FIELD_LABELS = {
  payment_enabled: 'Enable payment for appointments',
  payment_required: 'Require payment when booking',
  paypal_client_id: 'Client ID',
  paypal_client_secret: 'Client Secret',
  paypal_redirect_uri: 'Redirect URI',
  paypal_mode: 'Mode',
} as const satisfies Record<keyof PaymentFormValues, string>

/** The state of the Payments tab's form. Source: rule F1. */
export function usePaymentForm(calendar: Calendar, settings: PaymentSettings) {
  const client = useQueryClient()
  return useRecordForm<PaymentSettings, PaymentFormValues>({
    stored: settings,
    draftKey: `payments:${calendar.id}`,
    schema: paymentForm,
    show: toValues,
    keep: (values) => ({ ...values, paypal_client_secret: '' }),
    send: async (values, shown) => {
      const { changes, was } = toPartialUpdate(values, toStoredValues(shown, values))
      const { paypal_client_secret: _never, ...shownFields } = was
      const saved = await savePaymentSettings(calendar.id, { ...changes, was: shownFields })
      cachePaymentSettings(client, calendar, saved)
      return saved
    },
    readAgain: () => client.fetchQuery({ ...paymentSettingsQuery(calendar.id), staleTime: 0 }),
    onSaved: () => toast.success('Payment settings updated successfully'),
    failed: (sentence) => `Failed to update payment settings: ${sentence}`,
  })
}

/**
 * Returns the stored values, with which the form compares its values to find changes. Once the owner has typed a client
 * id, the redirect URI that the form filled in counts as a change, so that both are saved.
 */
function toStoredValues(
  settings: PaymentSettings,
  { paypal_client_id }: PaymentFormValues,
): PaymentFormValues {
  const shown = toValues(settings)
  return paypal_client_id === ''
    ? shown
    : { ...shown, paypal_redirect_uri: settings.paypal_redirect_uri ?? '' }
}

/** Converts settings to form values. Fills in our redirect URI for a new PayPal app, because nearly every owner wants it. */
function toValues(settings: PaymentSettings): PaymentFormValues {
  const proposed = settings.paypal_client_id === null ? settings.paypal_callback_url : ''
  return {
    payment_enabled: settings.payment_enabled,
    payment_required: settings.payment_required,
    paypal_client_id: settings.paypal_client_id ?? '',
    paypal_client_secret: '',
    paypal_redirect_uri: settings.paypal_redirect_uri ?? proposed,
    paypal_mode: settings.paypal_mode,
  }
}
