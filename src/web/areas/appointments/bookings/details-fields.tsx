import type { ChangeEvent } from 'react'
import { BOOKING_LIMITS } from '#contract/appointments/booking-limits.ts'
import { TextArea, TextField } from '#web/ui/field.tsx'
import type { BookingDraft, DraftErrors } from './booking-draft.ts'

export type DetailsField = 'name' | 'email' | 'phone' | 'title' | 'notes'

type DetailsFieldsProps = {
  /** The draft. Its title is null if the calendar does not ask for a title. Source: rule B11. */
  draft: BookingDraft
  errors: DraftErrors
  onChange: (field: DetailsField, text: string) => void
}

/** Lets the customer enter their contact details, a title and notes. Source: rule B1. */
export function DetailsFields({ draft, errors, onChange }: DetailsFieldsProps) {
  const partOf = (field: DetailsField) => ({
    'data-focus': field,
    value: draft[field] ?? '',
    error: errors[field],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(field, event.target.value),
  })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Full Name"
        required
        autoComplete="name"
        enterKeyHint="next"
        maxLength={BOOKING_LIMITS.personName}
        {...partOf('name')}
      />
      <TextField
        label="Email Address"
        required
        type="email"
        autoComplete="email"
        maxLength={BOOKING_LIMITS.email}
        {...partOf('email')}
      />
      <TextField
        label="Phone (optional)"
        type="tel"
        autoComplete="tel"
        className={draft.title === null ? 'sm:col-span-2' : undefined}
        maxLength={BOOKING_LIMITS.phone}
        {...partOf('phone')}
      />
      {draft.title !== null && (
        <TextField
          label="Appointment title"
          autoComplete="off"
          maxLength={BOOKING_LIMITS.appointmentTitle}
          {...partOf('title')}
        />
      )}
      <TextArea
        label="Additional Notes"
        hint="Optional. Anything that helps us prepare."
        autoComplete="off"
        className="sm:col-span-2"
        maxLength={BOOKING_LIMITS.appointmentDescription}
        {...partOf('notes')}
      />
    </div>
  )
}
