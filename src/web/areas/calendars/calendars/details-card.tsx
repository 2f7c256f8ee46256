import { type ReactNode, useId } from 'react'
import { Controller } from 'react-hook-form'
import { type Calendar, calendarChanges } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { ColorField } from '#web/kit/color-field.tsx'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { FormSwitch } from '#web/kit/form-switch.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { useCalendarForm } from '#web/kit/use-calendar-form.ts'
import { Card } from '#web/ui/card.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { TitleTemplateField } from './title-template-field.tsx'

const detailsForm = calendarChanges
  .pick({
    name: true,
    description: true,
    color: true,
    appointment_title_required: true,
    default_appointment_title: true,
  })
  .required()

const LABELS = {
  name: 'Name',
  description: 'Description',
  color: 'Colour',
  appointment_title_required: 'Ask for an appointment title',
  default_appointment_title: 'Default title',
} as const

/**
 * Shows the details of the calendar, which are `children`, and lets the owner edit its name and look. Changing the name keeps the
 * booking link. Source: rule C7.
 */
export function CalendarDetailsCard({ calendar, children }: { calendar: Calendar; children: ReactNode }) {
  const headingId = useId()
  const record = useCalendarForm({
    calendar,
    name: 'details',
    schema: detailsForm,
    show: (shown) => ({
      name: shown.name,
      description: shown.description ?? '',
      color: shown.color,
      appointment_title_required: shown.appointment_title_required,
      default_appointment_title: shown.default_appointment_title ?? '',
    }),
    toChanges: (values) => values,
    saved: 'Calendar updated successfully',
    failed: (sentence) => `Failed to update calendar: ${sentence}`,
  })
  const { form, values, save, isEdited } = record
  const { register, control, formState } = form
  const { errors, isSubmitting } = formState
  return (
    <Card title="Calendar details">
      {children}
      <div className="mt-6 mb-4 border-t border-line pt-5">
        <h3 id={headingId} className="text-lg font-semibold">
          Name and look
        </h3>
        <p className="mt-1 text-ink-soft">The booking link stays the same, because your customers have it.</p>
      </div>
      <form noValidate onSubmit={save} aria-labelledby={headingId} className="flex flex-col gap-5">
        <FormNotices record={record} labels={LABELS} />
        <TextField
          label={LABELS.name}
          required
          autoComplete="off"
          maxLength={LIMITS.calendarName}
          error={errors.name?.message}
          {...register('name')}
        />
        <TextArea
          label={LABELS.description}
          rows={3}
          maxLength={LIMITS.calendarDescription}
          error={errors.description?.message}
          {...register('description')}
        />
        <Controller
          control={control}
          name="color"
          render={({ field, fieldState }) => (
            <ColorField
              label={LABELS.color}
              value={field.value}
              onChange={field.onChange}
              error={fieldState.error?.message}
            />
          )}
        />
        <FormSwitch
          control={control}
          name="appointment_title_required"
          label={LABELS.appointment_title_required}
          hint="Customers see a title and can change it."
        />
        {values.appointment_title_required && (
          <Controller
            control={control}
            name="default_appointment_title"
            render={({ field, fieldState }) => (
              <TitleTemplateField
                value={field.value}
                onChange={field.onChange}
                names={{
                  calendar_name: values.name.trim() || 'your calendar',
                  professional_first_name: calendar.professional_first_name,
                  professional_last_name: calendar.professional_last_name,
                }}
                error={fieldState.error?.message}
              />
            )}
          />
        )}
        <SaveButton className="self-start" isEdited={isEdited} pending={isSubmitting}>
          Save calendar
        </SaveButton>
      </form>
    </Card>
  )
}
