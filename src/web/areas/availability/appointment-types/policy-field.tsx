import { Controller, type UseFormReturn } from 'react-hook-form'
import type { AppointmentTypeBody } from '#contract/availability/appointment-types.ts'
import { DEFAULT_POLICY } from '#core/appointments/policy.ts'
import { PolicyEditor } from '#web/kit/policy-editor.tsx'
import { parseAmount } from '#web/shared/parse-amount.ts'
import { Switch } from '#web/ui/switch.tsx'
import { APPOINTMENT_TYPE_LABELS, type AppointmentTypeForm } from './appointment-type-form.ts'

type PolicyFieldProps = { form: UseFormReturn<AppointmentTypeForm, unknown, AppointmentTypeBody> }

/** The policy of a type, where it differs from that of its calendar. Source: rule Q1. */
export function PolicyField({ form }: PolicyFieldProps) {
  const hasPrice = (parseAmount(form.watch('price')) ?? 0) > 0
  return (
    <Controller
      control={form.control}
      name="policy"
      render={({ field: { value, onChange } }) => (
        <>
          <Switch
            label={APPOINTMENT_TYPE_LABELS.policy}
            hint="This type has its own rules for moving, cancelling and refunds, instead of those of the calendar."
            checked={Boolean(value)}
            onChange={(differs) => onChange(differs ? DEFAULT_POLICY : null)}
          />
          {value && <PolicyEditor value={value} onChange={onChange} hasPrice={hasPrice} />}
        </>
      )}
    />
  )
}
