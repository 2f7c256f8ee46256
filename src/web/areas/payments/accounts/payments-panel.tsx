import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { refreshTypes } from '#web/kit/appointment-types-query.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { LoadError } from '#web/kit/load-error.tsx'
import { LoadingShape, SwitchShape } from '#web/kit/loading-shape.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { Card } from '#web/ui/card.tsx'
import { paymentSettingsQuery } from './payment-queries.ts'
import { PaymentSwitches } from './payment-switches.tsx'
import { PaypalCard } from './paypal-card.tsx'
import { StripeCard } from './stripe-card.tsx'
import { PAYMENT_LABELS, usePaymentForm } from './use-payment-form.ts'

type PaymentsPanelProps = {
  calendar: Calendar
  /** The owner's plan; undefined while it is not known. */
  subscription: SubscriptionResponse | undefined
}

/** Whether a calendar is paid, and through which accounts. */
export function PaymentsPanel({ calendar, subscription }: PaymentsPanelProps) {
  const { data: settings, error, refetch } = useQuery(paymentSettingsQuery(calendar.id))
  useFreshTypes(calendar.id, settings)
  if (settings !== undefined) {
    return <PaymentsForm calendar={calendar} settings={settings} subscription={subscription} />
  }
  return (
    <div className="flex flex-col gap-6">
      <Card {...HEAD}>
        {error === null && (
          <LoadingShape text="Loading payment settings...">
            <SwitchShape />
            {/* On phones the label is two lines as well. */}
            <div className="h-6 sm:hidden" />
          </LoadingShape>
        )}
        {error !== null && (
          <LoadError
            error={error}
            title="Failed to load payment settings"
            hint={error.message}
            onRetry={() => refetch()}
          />
        )}
      </Card>
    </div>
  )
}

const HEAD = { title: 'Payments', description: 'Be paid when your customers book.' } as const

/** The tab once its settings are known: one form with one button for all of it. Source: rule F1. */
function PaymentsForm(parts: PaymentsPanelProps & { settings: PaymentSettings }) {
  const { calendar, settings } = parts
  const record = usePaymentForm(calendar, settings)
  const { form, values, save, isEdited } = record
  return (
    <form noValidate onSubmit={save} aria-label="Payment settings" className="flex min-w-0 flex-col gap-6">
      <FormNotices record={record} labels={PAYMENT_LABELS} />
      <Card {...HEAD}>
        <PaymentSwitches record={record} settings={settings} />
      </Card>
      {(values.payment_enabled || settings.stripe_connected) && <StripeCard {...parts} />}
      {(values.payment_enabled || settings.paypal_connected) && <PaypalCard {...parts} record={record} />}
      <SaveButton className="self-start" isEdited={isEdited} pending={form.formState.isSubmitting}>
        Save Payment Settings
      </SaveButton>
    </form>
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
