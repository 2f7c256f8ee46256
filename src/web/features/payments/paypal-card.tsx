import { useQueryClient } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars.ts'
import { type PaymentSettings, paypalFields, paypalSecret } from '#contract/payment-settings.ts'
import { PROBLEMS } from '#contract/problem.ts'
import type { SubscriptionResponse } from '#contract/subscription.ts'
import { toSentChanges } from '#web/kit/changed-fields.ts'
import { useRecordForm } from '#web/kit/use-record-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { ConnectionRow } from './connection-row.tsx'
import { paymentSettingsQuery, savePaymentSettings, showPaymentSettings } from './payment-queries.ts'
import { PaypalForm, type PaypalValues } from './paypal-form.tsx'
import { ProviderCard } from './provider-card.tsx'
import { useConnect } from './use-connect.ts'

const paypalForm = paypalFields.extend({ paypal_client_secret: paypalSecret })

type PaypalCardProps = {
  calendar: Calendar
  settings: PaymentSettings
  subscription: SubscriptionResponse | undefined
}

/** PayPal, through the owner's own app. Source: rule F2. */
export function PaypalCard({ calendar, settings, subscription }: PaypalCardProps) {
  const client = useQueryClient()
  const { connect, isConnecting } = useConnect(calendar.id, 'paypal')
  const record = useRecordForm<PaymentSettings, PaypalValues>({
    stored: settings,
    draftKey: `paypal:${calendar.id}`,
    schema: paypalForm,
    show: toValues,
    keep: (values) => ({ ...values, paypal_client_secret: '' }),
    send: async (values, shown) => {
      const { changes, was } = toSentChanges(values, toValues(shown))
      const { paypal_client_secret: _never, ...shownFields } = was
      const saved = await savePaymentSettings(calendar.id, { ...changes, was: shownFields })
      showPaymentSettings(client, calendar, saved)
      return saved
    },
    readAgain: () => client.fetchQuery({ ...paymentSettingsQuery(calendar.id), staleTime: 0 }),
    onSaved: () => toast.success('Payment settings updated successfully'),
    failed: (sentence) => `Failed to update payment settings: ${sentence}`,
  })
  const connectSaved = () => {
    const isSaved = !record.isEdited && settings.paypal_client_id && settings.paypal_redirect_uri
    if (isSaved) connect()
    else toast.error(PROBLEMS['payment.paypal_incomplete'].title)
  }
  return (
    <ProviderCard
      provider="paypal"
      settings={settings}
      subscription={subscription}
      isConnected={settings.paypal_connected}
      description="Customers pay with their PayPal wallet, through an app that you make in your PayPal account."
      connection={
        <ConnectionRow
          calendarId={calendar.id}
          provider="paypal"
          account={settings.paypal_connected ? (settings.paypal_email ?? settings.paypal_merchant_id) : null}
          hasOther={settings.stripe_connected}
          onConnect={connectSaved}
          isConnecting={isConnecting}
        />
      }
    >
      <PaypalForm settings={settings} record={record} />
    </ProviderCard>
  )
}

function toValues(settings: PaymentSettings): PaypalValues {
  return {
    paypal_client_id: settings.paypal_client_id ?? '',
    paypal_client_secret: '',
    paypal_redirect_uri: settings.paypal_redirect_uri ?? '',
    paypal_mode: settings.paypal_mode,
  }
}
