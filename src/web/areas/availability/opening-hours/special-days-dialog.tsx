import { useId, useRef } from 'react'
import { Controller, type UseFormReturn, useFieldArray } from 'react-hook-form'
import type { NewSpecialDays, SpecialDaysEntry } from '#contract/availability/special-days.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { TextField } from '#web/ui/field.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { Trash } from '#web/ui/icons/trash.ts'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { RangeEndField } from './end-field.tsx'
import {
  SPECIAL_DAYS_FIELD_LABELS,
  type SpecialDaysForm,
  useSpecialDaysForm,
} from './use-special-days-form.ts'
import { DEFAULT_OPENING_RANGE, suggestOpeningRange } from './week.ts'

type SpecialDaysDialogProps = {
  calendar: Pick<Calendar, 'id' | 'timezone' | 'hour_cycle'>
  /** The entry to edit, or null for a new one. Give the dialog a `key`, so that it starts with the values of the next entry. */
  entry: SpecialDaysEntry | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Lets the owner close days or give them special hours. Existing appointments on these days stay. Source: rules T34 and T36. */
export function SpecialDaysDialog({ calendar, entry, open, onOpenChange }: SpecialDaysDialogProps) {
  const record = useSpecialDaysForm({ calendar, entry, onSaved: () => onOpenChange(false) })
  const { form, values, save, giveUp, today } = record
  const { errors, isSubmitting } = form.formState
  const close = (next: boolean) => {
    giveUp()
    onOpenChange(next)
  }
  const isNew = entry === null
  const earliest = isNew || entry.first_date > today ? today : entry.first_date
  return (
    <FormDialog
      open={open}
      onOpenChange={close}
      title={isNew ? 'Add days' : 'Edit days'}
      description="Existing appointments on these days stay."
      pending={isSubmitting}
      pendingLabel={isNew ? 'Adding...' : 'Saving...'}
      submitLabel={isNew ? 'Add days' : 'Save'}
      onSubmit={save}
    >
      <FormNotices record={record} labels={SPECIAL_DAYS_FIELD_LABELS} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label={SPECIAL_DAYS_FIELD_LABELS.first_date}
          required
          type="date"
          min={earliest}
          error={errors.first_date?.message}
          {...form.register('first_date', {
            deps: 'last_date',
            onChange: ({ target: { value } }) => {
              // The last day follows the first day until the owner changes the last day.
              const { first_date: before, last_date: last } = values
              if (last === before || last < value) form.setValue('last_date', value)
            },
          })}
        />
        <TextField
          label={SPECIAL_DAYS_FIELD_LABELS.last_date}
          required
          type="date"
          min={values.first_date || earliest}
          error={errors.last_date?.message}
          {...form.register('last_date')}
        />
      </div>
      <SpecialHoursField form={form} />
      <TextField
        label={SPECIAL_DAYS_FIELD_LABELS.note}
        hint="Only you see this."
        maxLength={LIMITS.specialDaysNote}
        error={errors.note?.message}
        {...form.register('note')}
      />
      <TextField
        label={SPECIAL_DAYS_FIELD_LABELS.public_note}
        hint="Customers read this on days without times."
        maxLength={LIMITS.specialDaysPublicNote}
        error={errors.public_note?.message}
        {...form.register('public_note')}
      />
    </FormDialog>
  )
}

type SpecialHoursFieldProps = { form: UseFormReturn<SpecialDaysForm, unknown, NewSpecialDays> }

/** Lets the owner choose between closed days and special hours. Source: rule T34. */
function SpecialHoursField({ form }: SpecialHoursFieldProps) {
  const id = useId()
  const { control, register, getValues, formState } = form
  const { fields, append, remove, replace } = useFieldArray({ control, name: 'hours' })
  const kept = useRef<SpecialDaysForm['hours']>([DEFAULT_OPENING_RANGE])
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
        legend={SPECIAL_DAYS_FIELD_LABELS.hours}
        value={fields.length === 0 ? 'closed' : 'other'}
        onChange={choose}
        options={[
          { value: 'closed', label: 'Closed' },
          { value: 'other', label: 'Different hours' },
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
          {/* After a failed validation, changing one range validates the others again, because they may have overlapped it. */}
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
              <RangeEndField
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

/** Suggests a free range next to those already typed. Ignores incomplete ranges. */
function suggestNext(hours: SpecialDaysForm['hours']) {
  const whole = hours.filter(({ start_time, end_time }) => start_time !== '' && start_time < end_time)
  return suggestOpeningRange([...whole].sort((a, b) => a.start_time.localeCompare(b.start_time)))
}
