import { Controller } from 'react-hook-form'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { ReminderSettings } from '#contract/messages/reminder-settings.ts'
import { DEFAULT_REMINDER_SUBJECT, LIMITS } from '#contract/shared/limits.ts'
import { listUnknownPlaceholders } from '#core/messages/reminder-template.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { useCalendarForm } from '#web/kit/use-calendar-form.ts'
import { Card } from '#web/ui/card.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { REMINDER_LABELS, reminderForm } from './reminder-form.ts'
import { ReminderPreview } from './reminder-preview.tsx'
import { TemplateField } from './template-field.tsx'

/** The reminders of a calendar, with a preview. Source: rule M17. */
export function RemindersPanel({ calendar }: { calendar: Calendar }) {
  const record = useCalendarForm({
    calendar,
    name: 'reminders',
    schema: reminderForm(calendar.product_email),
    show: ({ reminder_settings }) => reminder_settings,
    toChanges: (reminder_settings) => ({ reminder_settings }),
    saved: 'Reminder settings updated successfully',
    failed: (sentence) => `Error updating reminder settings: ${sentence}`,
  })
  const { form, values, save, isEdited } = record
  const { register, control, formState } = form
  const { errors, isSubmitting } = formState
  return (
    <Card title="Reminders" description={describeReminders(calendar.reminder_settings)}>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <form
          noValidate
          onSubmit={save}
          aria-label="Reminder settings"
          className="flex min-w-0 flex-col gap-5"
        >
          <FormNotices record={record} labels={REMINDER_LABELS} />
          <Controller
            control={control}
            name="enabled"
            render={({ field }) => (
              <Switch label={REMINDER_LABELS.enabled} checked={field.value} onChange={field.onChange} />
            )}
          />
          <TextField
            label={REMINDER_LABELS.hours}
            className="max-w-xs"
            required
            type="number"
            inputMode="numeric"
            min={LIMITS.reminderHoursMin}
            max={LIMITS.reminderHoursMax}
            step={1}
            hint={`From ${LIMITS.reminderHoursMin} to ${LIMITS.reminderHoursMax}.`}
            error={errors.hours?.message}
            {...register('hours', { valueAsNumber: true })}
          />
          <div className="flex flex-col gap-3">
            <TextField
              label={REMINDER_LABELS.subject}
              maxLength={LIMITS.reminderSubject}
              placeholder={DEFAULT_REMINDER_SUBJECT}
              hint="Placeholders work here, too."
              error={errors.subject?.message}
              {...register('subject')}
            />
            <UnknownPlaceholders text={values.subject} />
          </div>
          <div className="flex flex-col gap-3">
            <TemplateField form={form} />
            <UnknownPlaceholders text={values.template} />
          </div>
          <TextField
            label={REMINDER_LABELS.sender_name}
            maxLength={LIMITS.personName}
            placeholder={calendar.name}
            error={errors.sender_name?.message}
            {...register('sender_name')}
          />
          <TextField
            label={REMINDER_LABELS.sender_email}
            type="email"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={LIMITS.email}
            hint={`Replies go there. While it is ${calendar.product_email}, which every email comes from, they go to your account’s address.`}
            error={errors.sender_email?.message}
            {...register('sender_email')}
          />
          <p className="text-sm text-ink-soft">A text left empty goes back to its default.</p>
          <SaveButton className="self-start" isEdited={isEdited} pending={isSubmitting}>
            Save Reminder Settings
          </SaveButton>
        </form>
        <ReminderPreview calendar={calendar} settings={values} />
      </div>
    </Card>
  )
}

/** What happens with the stored settings; `decideReminder` decides it. Source: rule M15. */
function describeReminders({ enabled, hours }: ReminderSettings): string {
  if (!enabled) return 'Reminders are switched off: no customer is reminded.'
  const when = hours === 1 ? '1 hour' : `${hours} hours`
  return `Each customer with an email address is sent one reminder, ${when} before their appointment begins. There is none for an appointment that is booked later than that, cancelled, or still held for its payment.`
}

/** Points out what looks like a placeholder and is none. It is kept, because it may be intended. Source: rule M19. */
function UnknownPlaceholders({ text }: { text: string }) {
  const unknown = listUnknownPlaceholders(text)
  return (
    <div role="status" className="empty:-mt-3">
      {unknown.length > 0 && (
        <Notice tone="warning" title="Not a placeholder">
          <span className="break-all">{unknown.join(', ')}</span> will be sent as it is written.
        </Notice>
      )}
    </div>
  )
}
