import type { Calendar } from '#contract/calendars/calendars.ts'
import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { toast } from '#web/ui/toast.tsx'
import { ConnectionRow } from './connection-row.tsx'
import { PaypalFields } from './paypal-fields.tsx'
import { ProviderCard } from './provider-card.tsx'
import { useConnect } from './use-connect.ts'
import type { PaymentRecord } from './use-payment-form.ts'

type PaypalCardProps = {
  calendar: Calendar
  settings: PaymentSettings
  subscription: SubscriptionResponse | undefined
  /** The form of the whole tab. */
  record: PaymentRecord
}

/** PayPal, through the owner's own app. Source: rule F2. */
export function PaypalCard({ calendar, settings, subscription, record }: PaypalCardProps) {
  const { connect, isConnecting } = useConnect(calendar.id, 'paypal')
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
      <PaypalFields settings={settings} record={record} />
    </ProviderCard>
  )
}
