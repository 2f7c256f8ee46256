import type { Calendar } from '#contract/calendars/calendars.ts'
import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { ConnectionRow } from './connection-row.tsx'
import { ProviderCard } from './provider-card.tsx'
import { useConnect } from './use-connect.ts'

type StripeCardProps = {
  calendar: Calendar
  settings: PaymentSettings
  subscription: SubscriptionResponse | undefined
}

/** Cards, through the owner's own Stripe account. Source: rule F2. */
export function StripeCard({ calendar, settings, subscription }: StripeCardProps) {
  const { connect, isConnecting } = useConnect(calendar.id, 'stripe')
  return (
    <ProviderCard
      provider="stripe"
      settings={settings}
      subscription={subscription}
      isConnected={settings.stripe_connected}
      description="Customers pay by credit card. The money goes to your own Stripe account."
      connection={
        <ConnectionRow
          calendarId={calendar.id}
          provider="stripe"
          account={settings.stripe_connected ? settings.stripe_account_id : null}
          hasOther={settings.paypal_connected}
          onConnect={connect}
          isConnecting={isConnecting}
        />
      }
    />
  )
}
