import { Controller } from 'react-hook-form'
import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import { Switch } from '#web/ui/switch.tsx'
import { PAYMENT_LABELS, type PaymentRecord } from './use-payment-form.ts'

type PaymentSwitchesProps = { record: PaymentRecord; settings: PaymentSettings }

/** Whether customers can pay online, and whether they have to when they book. Source: rule F1. */
export function PaymentSwitches({ record, settings }: PaymentSwitchesProps) {
  const { form, values } = record
  const isConnected = settings.stripe_connected || settings.paypal_connected
  return (
    <div className="flex flex-col gap-4">
      <Controller
        control={form.control}
        name="payment_enabled"
        render={({ field }) => (
          <Switch
            label={PAYMENT_LABELS.payment_enabled}
            hint={
              values.payment_enabled
                ? whatCustomersDo(values, isConnected)
                : 'Customers book without paying online.'
            }
            checked={field.value}
            onChange={field.onChange}
          />
        )}
      />
      {values.payment_enabled && (
        <Controller
          control={form.control}
          name="payment_required"
          render={({ field }) => (
            <Switch
              label={PAYMENT_LABELS.payment_required}
              hint="For everything with a price. A type can require it by itself, too."
              checked={field.value}
              onChange={field.onChange}
            />
          )}
        />
      )}
    </div>
  )
}

function whatCustomersDo({ payment_required }: { payment_required: boolean }, isConnected: boolean): string {
  if (!isConnected) return 'Connect a provider below: until then nobody can pay online.'
  return payment_required
    ? 'Customers pay when they book something with a price.'
    : 'Customers choose whether to pay when they book or later.'
}
