import { useId } from 'react'
import { Controller } from 'react-hook-form'
import { type Calendar, calendarChanges } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { useCalendarForm } from '#web/kit/use-calendar-form.ts'
import { Card } from '#web/ui/card.tsx'
import { TextField } from '#web/ui/field.tsx'
import { CategoryField } from './category-field.tsx'

const professionalForm = calendarChanges
  .pick({ professional_first_name: true, professional_last_name: true, category: true })
  .required()

const LABELS = {
  professional_first_name: 'First name',
  professional_last_name: 'Last name',
  category: 'Category',
} as const

/** Lets the owner edit the professional whom customers book. Source: rule C7. */
export function ProfessionalCard({ calendar }: { calendar: Calendar }) {
  const headingId = useId()
  const record = useCalendarForm({
    calendar,
    name: 'professional',
    schema: professionalForm,
    show: ({ professional_first_name, professional_last_name, category }) => ({
      professional_first_name: professional_first_name ?? '',
      professional_last_name: professional_last_name ?? '',
      category: category ?? '',
    }),
    toChanges: (values) => values,
    saved: 'Professional details updated successfully!',
    failed: (sentence) => `Failed to update professional details: ${sentence}`,
  })
  const { form, save, isEdited, showing } = record
  const { register, control, formState } = form
  const { errors, isSubmitting } = formState
  return (
    <Card
      title={<span id={headingId}>Professional details</span>}
      description="Customers see them on the booking page and in their emails."
    >
      <form noValidate onSubmit={save} aria-labelledby={headingId} className="flex flex-col gap-5">
        <FormNotices record={record} labels={LABELS} />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={LABELS.professional_first_name}
            maxLength={LIMITS.personName}
            autoComplete="off"
            error={errors.professional_first_name?.message}
            {...register('professional_first_name')}
          />
          <TextField
            label={LABELS.professional_last_name}
            maxLength={LIMITS.personName}
            autoComplete="off"
            error={errors.professional_last_name?.message}
            {...register('professional_last_name')}
          />
          <Controller
            control={control}
            name="category"
            render={({ field, fieldState }) => (
              <CategoryField
                key={showing}
                value={field.value}
                onChange={field.onChange}
                error={fieldState.error?.message}
              />
            )}
          />
        </div>
        <SaveButton className="self-start" isEdited={isEdited} pending={isSubmitting}>
          Save details
        </SaveButton>
      </form>
    </Card>
  )
}
