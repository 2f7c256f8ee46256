import { useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { ReminderSettings } from '#contract/messages/reminder-settings.ts'
import { DEFAULT_REMINDER_SUBJECT, DEFAULT_REMINDER_TEMPLATE, LIMITS } from '#contract/shared/limits.ts'
import { listUnknownPlaceholders, REMINDER_PLACEHOLDERS } from '#core/messages/reminder-template.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { FormSwitch } from '#web/kit/form-switch.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { useCalendarForm } from '#web/kit/use-calendar-form.ts'
import { Card } from '#web/ui/card.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { buildReminderFormSchema, REMINDER_FIELD_LABELS } from './reminder-form.ts'
import { ReminderPreview } from './reminder-preview.tsx'

/** Lets the owner edit the settings of a calendar's reminders, with a preview. Source: rule M17. */
export function RemindersPanel({ calendar }: { calendar: Calendar }) {
  const record = useCalendarForm({
    calendar,
    name: 'reminders',
    schema: buildReminderFormSchema(calendar.product_email),
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
      <div className="grid gap-8 @4xl:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <form
          noValidate
          onSubmit={save}
          aria-label="Reminder settings"
          className="flex min-w-0 flex-col gap-5"
        >
          <FormNotices record={record} labels={REMINDER_FIELD_LABELS} />
          <FormSwitch control={control} name="enabled" label={REMINDER_FIELD_LABELS.enabled} />
          <TextField
            label={REMINDER_FIELD_LABELS.hours}
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
              label={REMINDER_FIELD_LABELS.subject}
              maxLength={LIMITS.reminderSubject}
              placeholder={DEFAULT_REMINDER_SUBJECT}
              hint="You can use placeholders here, too."
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
            label={REMINDER_FIELD_LABELS.sender_name}
            maxLength={LIMITS.personName}
            placeholder={calendar.name}
            error={errors.sender_name?.message}
            {...register('sender_name')}
          />
          <TextField
            label={REMINDER_FIELD_LABELS.sender_email}
            type="email"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={LIMITS.email}
            hint={`Replies go to this address. With the default, ${calendar.product_email}, they go to your account’s address.`}
            error={errors.sender_email?.message}
            {...register('sender_email')}
          />
          <p className="text-sm text-ink-soft">Empty texts return to their defaults.</p>
          <SaveButton className="self-start" isEdited={isEdited} pending={isSubmitting}>
            Save reminder settings
          </SaveButton>
        </form>
        <ReminderPreview calendar={calendar} settings={values} />
      </div>
    </Card>
  )
}

/** Describes when reminders are sent under the stored settings. Must match `decideReminder`. Source: rule M15. */
function describeReminders({ enabled, hours }: ReminderSettings): string {
  if (!enabled) return 'Reminders are off. Customers won’t be reminded.'
  const when = hours === 1 ? '1 hour' : `${hours} hours`
  return `We send each customer with an email address one reminder, ${when} before their appointment. We don’t send one if it’s booked later than that, cancelled or awaiting payment.`
}

/** Warns about unknown placeholders, but leaves them in the text, because they may be intended. Source: rule M19. */
function UnknownPlaceholders({ text }: { text: string }) {
  const unknown = listUnknownPlaceholders(text)
  return (
    <div role="status" className="empty:-mt-3">
      {unknown.length > 0 && (
        <Notice tone="warning" title="Not a placeholder">
          <span className="break-all">{unknown.join(', ')}</span> will be sent as written.
        </Notice>
      )}
    </div>
  )
}

/** Lets the owner edit the text of a reminder and insert placeholders at the cursor. Source: rule M19. */
function TemplateField({ form }: { form: UseFormReturn<ReminderSettings> }) {
  const area = useRef<HTMLTextAreaElement | null>(null)
  const { ref, ...field } = form.register('template')
  const error = form.formState.errors.template

  const insert = (placeholder: string) => {
    if (area.current === null) return
    const { value, selectionStart, selectionEnd } = area.current
    const text = value.slice(0, selectionStart) + placeholder + value.slice(selectionEnd)
    if (text.length > LIMITS.reminderTemplate) return
    form.setValue('template', text, { shouldValidate: error !== undefined })
    const cursor = selectionStart + placeholder.length
    area.current.focus()
    area.current.setSelectionRange(cursor, cursor)
  }
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        label={REMINDER_FIELD_LABELS.template}
        rows={7}
        maxLength={LIMITS.reminderTemplate}
        placeholder={DEFAULT_REMINDER_TEMPLATE}
        error={error?.message}
        {...field}
        ref={(element) => {
          ref(element)
          area.current = element
        }}
      />
      <fieldset className="flex flex-wrap items-center gap-1.5">
        <legend className="mb-1 text-sm text-ink-soft">Placeholders are replaced with real values:</legend>
        {REMINDER_PLACEHOLDERS.map((placeholder) => (
          <button
            key={placeholder}
            type="button"
            aria-label={`Insert {${placeholder}}`}
            onClick={() => insert(`{${placeholder}}`)}
            className="rounded-lg border border-line bg-sunken px-2 py-1 font-mono text-sm text-ink-soft hover:border-ink hover:text-ink touch:min-h-11"
          >
            {`{${placeholder}}`}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
