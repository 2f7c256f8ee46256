import { Controller, type UseFormReturn } from 'react-hook-form'
import { SERIES_LIMITS } from '#core/slots/plan-series.ts'
import { TextField } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import type { NewAppointmentForm } from './new-appointment-form.ts'

const REPEATS = [
  { value: '', label: 'No' },
  { value: '1', label: 'Every week' },
  { value: '2', label: 'Every 2 weeks' },
  { value: '4', label: 'Every 4 weeks' },
] as const satisfies readonly { value: NewAppointmentForm['repeats']; label: string }[]

const ENDS = [
  { value: 'count', label: 'After a set number' },
  { value: 'until', label: 'On a date' },
  { value: 'never', label: 'Never' },
] as const satisfies readonly { value: NewAppointmentForm['ends']; label: string }[]

/** Lets the owner repeat the appointment, and choose where the series ends. Source: rule B38. */
export function SeriesFields({ form }: { form: UseFormReturn<NewAppointmentForm> }) {
  const { control, formState, register, watch } = form
  const { repeats, ends } = watch()
  const { errors } = formState
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Controller
        control={control}
        name="repeats"
        render={({ field }) => (
          <Select label="Repeats" options={REPEATS} value={field.value} onChange={field.onChange} />
        )}
      />
      {repeats !== '' && (
        <Controller
          control={control}
          name="ends"
          render={({ field }) => (
            <Select
              label="Ends"
              options={ENDS}
              value={field.value}
              onChange={field.onChange}
              hint={
                field.value === 'never'
                  ? `We book ${SERIES_LIMITS.standingWeeks} weeks ahead and add dates each day.`
                  : undefined
              }
            />
          )}
        />
      )}
      {repeats !== '' && ends === 'count' && (
        <TextField
          label="Number of dates"
          required
          type="number"
          inputMode="numeric"
          min={SERIES_LIMITS.fewestDates}
          max={SERIES_LIMITS.mostDates}
          error={errors.count?.message}
          {...register('count')}
        />
      )}
      {repeats !== '' && ends === 'until' && (
        <TextField
          label="Last date"
          required
          type="date"
          error={errors.until?.message}
          {...register('until')}
        />
      )}
    </div>
  )
}
