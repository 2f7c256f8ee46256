import { useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { ReminderSettings } from '#contract/messages/reminder-settings.ts'
import { DEFAULT_REMINDER_TEMPLATE, LIMITS } from '#contract/shared/limits.ts'
import { REMINDER_PLACEHOLDERS } from '#core/messages/reminder-template.ts'
import { TextArea } from '#web/ui/field.tsx'
import { REMINDER_LABELS } from './reminder-form.ts'

/** The text of a reminder, with placeholders that are inserted at the cursor. Source: rule M19. */
export function TemplateField({ form }: { form: UseFormReturn<ReminderSettings> }) {
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
        label={REMINDER_LABELS.template}
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
        <legend className="mb-1 text-sm text-ink-soft">Placeholders become what they name:</legend>
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
