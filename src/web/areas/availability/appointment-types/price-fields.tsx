import { Controller, type UseFormReturn } from 'react-hook-form'
import type { AppointmentTypeBody } from '#contract/availability/appointment-types.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/field.tsx'
import {
  APPOINTMENT_TYPE_LABELS,
  type AppointmentTypeForm,
  canTakeMoney,
  type Providers,
} from './appointment-type-form.ts'

type PriceFieldsProps = {
  form: UseFormReturn<AppointmentTypeForm, unknown, AppointmentTypeBody>
  providers: Providers
}

/** Price and payment of a type: disabled while nothing is connected that could take money. Source: rule C13. */
export function PriceFields({ form, providers }: PriceFieldsProps) {
  const { control, register } = form
  const { errors } = form.formState
  const canCharge = canTakeMoney(providers)
  return (
    <div className="flex flex-col gap-5">
      <TextField
        label={APPOINTMENT_TYPE_LABELS.price}
        inputMode="decimal"
        autoComplete="off"
        hint={canCharge ? undefined : 'Connect Stripe or PayPal in Payment Settings to set prices.'}
        error={errors.price?.message}
        {...register('price')}
        disabled={!canCharge}
      />
      <TextField
        label={APPOINTMENT_TYPE_LABELS.stripe_price_id}
        maxLength={LIMITS.stripePriceId}
        placeholder="price_…"
        autoComplete="off"
        hint={providers.stripe_connected ? 'Optional. The price in your Stripe account.' : undefined}
        error={errors.stripe_price_id?.message}
        {...register('stripe_price_id')}
        disabled={!providers.stripe_connected}
      />
      <Controller
        control={control}
        name="payment_required"
        render={({ field }) => (
          <Checkbox
            label={APPOINTMENT_TYPE_LABELS.payment_required}
            checked={field.value ?? false}
            disabled={!canCharge}
            onChange={field.onChange}
          />
        )}
      />
    </div>
  )
}
