import { BOOKING_LIMITS } from '#contract/booking-limits.ts'
import { TextArea, TextField } from '#web/ui/field.tsx'
import type { BookingDraft, DraftErrors } from './booking-draft.ts'

export type DetailsField = 'name' | 'email' | 'phone' | 'title' | 'notes'

type DetailsFieldsProps = {
  draft: BookingDraft
  /** null where the calendar does not ask for a title. Source: rule B11. */
  title: string | null
  errors: DraftErrors
  onChange: (field: DetailsField, text: string) => void
}

/** Who books, and what the professional should know. Source: rule B1. */
export function DetailsFields({ draft, title, errors, onChange }: DetailsFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Full Name"
        required
        autoComplete="name"
        enterKeyHint="next"
        data-focus="name"
        maxLength={BOOKING_LIMITS.personName}
        value={draft.name}
        error={errors.name}
        onChange={(event) => onChange('name', event.target.value)}
      />
      <TextField
        label="Email Address"
        required
        type="email"
        autoComplete="email"
        data-focus="email"
        maxLength={BOOKING_LIMITS.email}
        value={draft.email}
        error={errors.email}
        onChange={(event) => onChange('email', event.target.value)}
      />
      <TextField
        label="Phone (optional)"
        type="tel"
        autoComplete="tel"
        data-focus="phone"
        className={title === null ? 'sm:col-span-2' : undefined}
        maxLength={BOOKING_LIMITS.phone}
        value={draft.phone}
        error={errors.phone}
        onChange={(event) => onChange('phone', event.target.value)}
      />
      {title !== null && (
        <TextField
          label="Appointment Title"
          autoComplete="off"
          data-focus="title"
          maxLength={BOOKING_LIMITS.appointmentTitle}
          value={title}
          error={errors.title}
          onChange={(event) => onChange('title', event.target.value)}
        />
      )}
      <TextArea
        label="Additional Notes"
        hint="Optional: anything that helps to prepare."
        autoComplete="off"
        data-focus="notes"
        className="sm:col-span-2"
        maxLength={BOOKING_LIMITS.appointmentDescription}
        value={draft.notes}
        error={errors.notes}
        onChange={(event) => onChange('notes', event.target.value)}
      />
    </div>
  )
}
