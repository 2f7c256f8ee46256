import { useId, useRef } from 'react'
import { Controller, type UseFormReturn, useFieldArray } from 'react-hook-form'
import type { NewSpecialDays } from '#contract/availability/special-days.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { TextField } from '#web/ui/field.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { Trash } from '#web/ui/icons/trash.ts'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { EndField } from './end-field.tsx'
import { SPECIAL_DAYS_LABELS, type SpecialDaysForm } from './special-days-form.ts'
import { FIRST_ENTRY, suggestRange } from './week.ts'

type SpecialHoursFieldProps = { form: UseFormReturn<SpecialDaysForm, unknown, NewSpecialDays> }

/** Whether the days are closed or have hours of their own, and which. Source: rule T34. */
export function SpecialHoursField({ form }: SpecialHoursFieldProps) {
  const id = useId()
  const { control, register, getValues, formState } = form
  const { fields, append, remove, replace } = useFieldArray({ control, name: 'hours' })
  const kept = useRef<SpecialDaysForm['hours']>([FIRST_ENTRY])
  const addButton = useRef<HTMLButtonElement>(null)
  const choose = (kind: 'closed' | 'other') => {
    if (kind === 'other') {
      replace(kept.current)
      return
    }
    kept.current = getValues('hours')
    replace([])
  }
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup
        legend={SPECIAL_DAYS_LABELS.hours}
        value={fields.length === 0 ? 'closed' : 'other'}
        onChange={choose}
        options={[
          { value: 'closed', label: 'Closed' },
          { value: 'other', label: 'Other hours' },
        ]}
      />
      {fields.map((field, index) => (
        <fieldset
          key={field.id}
          className={classNames(
            'grid items-start gap-x-3 gap-y-3 rounded-control bg-sunken p-4',
            fields.length > 1 ? 'grid-cols-[1fr_auto] sm:grid-cols-[1fr_1fr_auto]' : 'sm:grid-cols-2',
          )}
        >
          <legend className="sr-only">Time range {index + 1}</legend>
          {/* After a refusal, a change of one range checks the others again: they may have overlapped it. */}
          <TextField
            label="Start time"
            type="time"
            step={300}
            error={formState.errors.hours?.[index]?.start_time?.message}
            {...register(`hours.${index}.start_time`, { deps: 'hours' })}
          />
          <Controller
            control={control}
            name={`hours.${index}.end_time`}
            rules={{ deps: 'hours' }}
            render={({ field: { value, onChange, ref }, fieldState }) => (
              <EndField
                id={`${id}-${field.id}-end`}
                value={value}
                onChange={onChange}
                inputRef={ref}
                error={fieldState.error?.message}
                className="max-sm:row-start-2"
              />
            )}
          />
          {fields.length > 1 && (
            <Button
              variant="ghost"
              aria-label={`Remove time range ${index + 1}`}
              className="-me-2 mt-6.5 w-11 px-0! hover:text-danger!"
              onClick={() => {
                remove(index)
                addButton.current?.focus()
              }}
            >
              <Trash aria-hidden="true" className="size-4" />
            </Button>
          )}
        </fieldset>
      ))}
      {fields.length > 0 && fields.length < LIMITS.rangesPerWeekday && (
        <Button
          ref={addButton}
          variant="secondary"
          className="self-start"
          onClick={() => append(suggestNext(getValues('hours')))}
        >
          <Plus aria-hidden="true" className="size-5" />
          Add a time range
        </Button>
      )}
    </div>
  )
}

/** A free range beside those that are typed. Ranges that are not complete are left out. */
function suggestNext(hours: SpecialDaysForm['hours']) {
  const whole = hours.filter(({ start_time, end_time }) => start_time !== '' && start_time < end_time)
  return suggestRange([...whole].sort((a, b) => a.start_time.localeCompare(b.start_time)))
}
