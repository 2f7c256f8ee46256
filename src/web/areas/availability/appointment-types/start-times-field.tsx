import type { UseFormReturn } from 'react-hook-form'
import type { AppointmentTypeBody } from '#contract/availability/appointment-types.ts'
import { OWN_LENGTH, START_STEP_LIMITS } from '#core/slots/start-pattern.ts'
import { FormCheckbox } from '#web/kit/form-switch.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { describeStarts } from './describe-starts.ts'
import { APPOINTMENT_TYPE_FIELD_LABELS, type AppointmentTypeForm } from './use-appointment-type-form.ts'

type StartTimesFieldsProps = { form: UseFormReturn<AppointmentTypeForm, unknown, AppointmentTypeBody> }

/** Lets the owner choose how often appointments of a type start. Source: rules T63 and T64. */
export function StartTimesFields({ form }: StartTimesFieldsProps) {
  const { control, setValue, watch, formState } = form
  const [duration = Number.NaN, step = null, isPacked = false] = watch([
    'duration',
    'start_step_minutes',
    'is_packed',
  ])
  const set = (minutes: number | null) =>
    setValue('start_step_minutes', minutes, { shouldDirty: true, shouldValidate: true })
  return (
    <>
      <Select
        label="Appointments start"
        options={CHOICES}
        value={step === null ? 'slot' : step === OWN_LENGTH ? 'own' : 'other'}
        onChange={(choice) => set({ slot: null, own: OWN_LENGTH, other: FIRST_STEP_MINUTES }[choice])}
      />
      {step !== null && step !== OWN_LENGTH && (
        <TextField
          label="Minutes between two starts"
          type="number"
          inputMode="numeric"
          min={START_STEP_LIMITS.minMinutes}
          max={START_STEP_LIMITS.maxMinutes}
          step={START_STEP_LIMITS.stepMinutes}
          value={Number.isNaN(step) ? '' : step}
          // Zero is the type's own length, which has a choice of its own.
          onChange={({ target }) => set(target.valueAsNumber || Number.NaN)}
          error={formState.errors.start_step_minutes?.message}
        />
      )}
      <FormCheckbox control={control} name="is_packed" label={APPOINTMENT_TYPE_FIELD_LABELS.is_packed} />
      <p className="text-ink-soft">{describeStarts({ duration, step, isPacked })}</p>
    </>
  )
}

const CHOICES = [
  { value: 'slot', label: 'As often as the calendar’s time slots' },
  { value: 'own', label: 'One after the other, without a gap' },
  { value: 'other', label: 'Every so many minutes' },
] as const

/** The step with which the field for another step starts. */
const FIRST_STEP_MINUTES = 20
