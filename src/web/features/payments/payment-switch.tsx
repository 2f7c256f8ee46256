import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars.ts'
import type { PaymentSettings } from '#contract/payment-settings.ts'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'
import { paymentSettingsQuery, savePaymentSettings, showPaymentSettings } from './payment-queries.ts'

type PaymentSwitchProps = { calendar: Calendar; settings: PaymentSettings }

/** Whether customers pay when they book; saved at once. Source: rule F1. */
export function PaymentSwitch({ calendar, settings }: PaymentSwitchProps) {
  const client = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (isRequired: boolean) =>
      savePaymentSettings(calendar.id, {
        payment_required: isRequired,
        was: { payment_required: !isRequired },
      }),
    onSuccess: (saved) => {
      showPaymentSettings(client, calendar, saved)
      toast.success('Payment settings updated successfully')
    },
    onError: (error) => {
      toast.error(`Failed to update payment settings: ${error.message}`)
      return client.invalidateQueries({ queryKey: paymentSettingsQuery(calendar.id).queryKey })
    },
  })
  return (
    <Switch
      label="Enable payment for appointments"
      hint={whatItMeans(settings)}
      checked={isPending ? variables : settings.payment_required}
      onChange={(isRequired) => !isPending && mutate(isRequired)}
    />
  )
}

function whatItMeans({ payment_required, stripe_connected, paypal_connected }: PaymentSettings): string {
  const isConnected = stripe_connected || paypal_connected
  if (payment_required && isConnected) return 'Customers pay when they book something with a price.'
  if (payment_required) return 'Connect a provider below: until then nobody can pay online.'
  if (isConnected) return 'Customers choose whether to pay when they book or later.'
  return 'Customers book without paying online.'
}
