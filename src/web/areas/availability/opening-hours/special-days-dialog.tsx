import { useId } from 'react'
import type { SpecialDaysEntry } from '#contract/availability/special-days.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { FormButtons } from '#web/kit/form-buttons.tsx'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { SPECIAL_DAYS_LABELS } from './special-days-form.ts'
import { SpecialHoursField } from './special-hours-field.tsx'
import { useSaveSpecialDays } from './use-save-special-days.ts'

type SpecialDaysDialogProps = {
  calendar: Pick<Calendar, 'id' | 'timezone'>
  /** The entry to edit, or null for a new one. Give the dialog a `key`, so that it starts anew for another entry. */
  entry: SpecialDaysEntry | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Closes days or gives them hours of their own. Appointments on them stay. Source: rules T34 and T36. */
export function SpecialDaysDialog({ calendar, entry, open, onOpenChange }: SpecialDaysDialogProps) {
  const formId = useId()
  const record = useSaveSpecialDays({ calendar, entry, onSaved: () => onOpenChange(false) })
  const { form, values, save, giveUp, today } = record
  const { errors, isSubmitting } = form.formState
  const close = (next: boolean) => {
    giveUp()
    onOpenChange(next)
  }
  const isNew = entry === null
  const earliest = isNew || entry.first_date > today ? today : entry.first_date
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={isNew ? 'Add days' : 'Edit days'}
      description="Appointments on these days stay."
      footer={
        <FormButtons
          formId={formId}
          onCancel={() => close(false)}
          pending={isSubmitting}
          pendingLabel={isNew ? 'Adding...' : 'Saving...'}
        >
          {isNew ? 'Add days' : 'Save'}
        </FormButtons>
      }
    >
      <form id={formId} noValidate onSubmit={save} className="flex flex-col gap-5">
        <FormNotices record={record} labels={SPECIAL_DAYS_LABELS} />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField
            label={SPECIAL_DAYS_LABELS.first_date}
            required
            type="date"
            min={earliest}
            error={errors.first_date?.message}
            {...form.register('first_date', {
              deps: 'last_date',
              onChange: ({ target: { value } }) => {
                // The last day follows the first one, until another last day is chosen.
                const { first_date: before, last_date: last } = values
                if (last === before || last < value) form.setValue('last_date', value)
              },
            })}
          />
          <TextField
            label={SPECIAL_DAYS_LABELS.last_date}
            required
            type="date"
            min={values.first_date || earliest}
            error={errors.last_date?.message}
            {...form.register('last_date')}
          />
        </div>
        <SpecialHoursField form={form} />
        <TextField
          label={SPECIAL_DAYS_LABELS.note}
          hint="Only you see this."
          maxLength={LIMITS.specialDaysNote}
          error={errors.note?.message}
          {...form.register('note')}
        />
      </form>
    </Dialog>
  )
}
