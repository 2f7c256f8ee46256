import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Calendar } from '#contract/calendars.ts'
import type { PaymentSettings } from '#contract/payment-settings.ts'
import type { SubscriptionResponse } from '#contract/subscription.ts'
import { refreshTypes } from '#web/kit/appointment-types-query.ts'
import { LoadingShape, SwitchShape } from '#web/kit/loading-shape.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { paymentSettingsQuery } from './payment-queries.ts'
import { PaymentSwitch } from './payment-switch.tsx'
import { PaypalCard } from './paypal-card.tsx'
import { StripeCard } from './stripe-card.tsx'

type PaymentsPanelProps = {
  calendar: Calendar
  /** The owner's plan; undefined while it is not known. */
  subscription: SubscriptionResponse | undefined
}

/** Whether a calendar is paid, and through which accounts. */
export function PaymentsPanel({ calendar, subscription }: PaymentsPanelProps) {
  const { data: settings, error, refetch } = useQuery(paymentSettingsQuery(calendar.id))
  const isConnected = settings !== undefined && (settings.stripe_connected || settings.paypal_connected)
  useFreshTypes(calendar.id, settings)
  const parts = settings && { calendar, settings, subscription }
  return (
    <div className="flex flex-col gap-6">
      <Card title="Payments" description="Be paid when your customers book.">
        {settings !== undefined && <PaymentSwitch calendar={calendar} settings={settings} />}
        {settings === undefined && error === null && (
          <LoadingShape text="Loading payment settings...">
            <SwitchShape />
            {/* On phones the label is two lines as well. */}
            <div className="h-6 sm:hidden" />
          </LoadingShape>
        )}
        {settings === undefined && error !== null && (
          <ErrorState
            title="Failed to load payment settings"
            hint={error.message}
            onRetry={() => refetch()}
          />
        )}
      </Card>
      {parts !== undefined && (parts.settings.payment_required || isConnected) && (
        <>
          <StripeCard {...parts} />
          <PaypalCard {...parts} />
        </>
      )}
    </div>
  )
}

/** The prices that a type can have depend on what is connected, here or in another tab. */
function useFreshTypes(calendarId: string, settings: PaymentSettings | undefined): void {
  const client = useQueryClient()
  const { stripe_connected, paypal_connected } = settings ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when a connection changes
  useEffect(() => {
    void refreshTypes(client, calendarId)
  }, [client, calendarId, stripe_connected, paypal_connected])
}
