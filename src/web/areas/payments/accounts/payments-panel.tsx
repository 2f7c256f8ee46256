import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { AppointmentTypesResponse } from '#contract/availability/appointment-types.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { appointmentTypesQuery, refreshAppointmentTypes } from '#web/kit/appointment-types-query.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { FormSwitch } from '#web/kit/form-switch.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { SwitchPlaceholder } from '#web/kit/loading-shape.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { Card } from '#web/ui/card.tsx'
import { AddPrices } from './add-prices.tsx'
import { paymentSettingsQuery } from './payment-queries.ts'
import { PaypalCard } from './paypal-card.tsx'
import { PaymentProviderCard } from './provider-card.tsx'
import { PAYMENT_FIELD_LABELS, type PaymentForm, usePaymentForm } from './use-payment-form.ts'

type PaymentsPanelProps = {
  calendar: Calendar
  /** The owner's plan; undefined until it has loaded. */
  subscription: SubscriptionResponse | undefined
}

/** The Payments tab: lets the owner edit payment settings and connect payment providers. */
export function PaymentsPanel({ calendar, subscription }: PaymentsPanelProps) {
  const query = useQuery(paymentSettingsQuery(calendar.id))
  const { data: settings } = query
  const content = useRef<HTMLDivElement>(null)
  // `AddPrices` needs the types. Showing the form before would move it down later.
  const { isPending: areTypesPending, data: types } = useQuery(appointmentTypesQuery(calendar.id))
  useFreshTypes(calendar.id, settings, types)
  const isConnected = settings?.stripe_connected || settings?.paypal_connected
  if (settings !== undefined && !(isConnected && areTypesPending)) {
    return (
      <div ref={content} tabIndex={-1} className="flex min-w-0 flex-col gap-6 outline-none">
        <AddPrices calendarId={calendar.id} home={content} />
        <PaymentsForm calendar={calendar} settings={settings} subscription={subscription} />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <Card {...HEAD}>
        <LoadStatus
          query={{ ...query, data: undefined }}
          loading="Loading payment settings..."
          failed="Failed to load payment settings"
        >
          <SwitchPlaceholder />
          {/* Reserves a second line, because the label wraps onto two lines on phones. */}
          <div className="h-6 sm:hidden" />
        </LoadStatus>
      </Card>
    </div>
  )
}

const HEAD = { title: 'Payments', description: 'Get paid at booking.' } as const

/** The content of the loaded tab: one form with one save button. Source: rule F1. */
function PaymentsForm(parts: PaymentsPanelProps & { settings: PaymentSettings }) {
  const { calendar, settings } = parts
  const record = usePaymentForm(calendar, settings)
  const { form, values, save, isEdited } = record
  return (
    <form noValidate onSubmit={save} aria-label="Payment settings" className="flex min-w-0 flex-col gap-6">
      <FormNotices record={record} labels={PAYMENT_FIELD_LABELS} />
      <Card {...HEAD}>
        <PaymentSwitches record={record} settings={settings} />
      </Card>
      {(values.payment_enabled || settings.stripe_connected) && (
        <PaymentProviderCard
          {...parts}
          provider="stripe"
          description="Customers pay by credit card. The money goes to your own Stripe account."
          account={settings.stripe_connected ? settings.stripe_account_id : null}
          // Once something is edited, saving is the next action.
          isNext={!settings.paypal_connected && !isEdited}
        />
      )}
      {(values.payment_enabled || settings.paypal_connected) && <PaypalCard {...parts} record={record} />}
      <SaveButton className="self-start" isEdited={isEdited} pending={form.formState.isSubmitting}>
        Save Payment Settings
      </SaveButton>
    </form>
  )
}

/** Refetches the appointment types when a provider is connected or disconnected, because prices depend on connections. */
function useFreshTypes(
  calendarId: string,
  settings: PaymentSettings | undefined,
  types: AppointmentTypesResponse | undefined,
): void {
  const client = useQueryClient()
  const isOutdated =
    settings !== undefined &&
    types !== undefined &&
    (settings.stripe_connected !== types.stripe_connected ||
      settings.paypal_connected !== types.paypal_connected)
  useEffect(() => {
    if (isOutdated) void refreshAppointmentTypes(client, calendarId)
  }, [client, calendarId, isOutdated])
}

type PaymentSwitchesProps = { record: PaymentForm; settings: PaymentSettings }

/** Lets the owner enable online payment, and require payment when booking. Source: rule F1. */
function PaymentSwitches({ record, settings }: PaymentSwitchesProps) {
  const { form, values } = record
  const isConnected = settings.stripe_connected || settings.paypal_connected
  return (
    <div className="flex flex-col gap-4">
      <FormSwitch
        control={form.control}
        name="payment_enabled"
        label={PAYMENT_FIELD_LABELS.payment_enabled}
        hint={
          values.payment_enabled
            ? whatCustomersDo(values, isConnected)
            : 'Customers book without paying online.'
        }
      />
      {values.payment_enabled && (
        <FormSwitch
          control={form.control}
          name="payment_required"
          label={PAYMENT_FIELD_LABELS.payment_required}
          hint="For everything with a price. You can also require it per appointment type."
        />
      )}
    </div>
  )
}

function whatCustomersDo({ payment_required }: { payment_required: boolean }, isConnected: boolean): string {
  if (!isConnected) return 'Connect a provider below so customers can pay online.'
  return payment_required
    ? 'Customers pay when they book something with a price.'
    : 'Customers choose whether to pay when they book or later.'
}
