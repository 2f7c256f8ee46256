import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import { DEFAULT_HOUR_CYCLE } from '#core/shared/hour-cycle.ts'
import {
  type BookingDraft,
  type DraftErrors,
  findDraftErrors,
} from '#web/areas/appointments/bookings/booking-draft.ts'
import { DetailsFields } from '#web/areas/appointments/bookings/details-fields.tsx'
import { locationText } from '#web/areas/appointments/bookings/location-text.ts'
import { SelectionSummary } from '#web/areas/appointments/bookings/selection-summary.tsx'
import { Button } from '#web/ui/button.tsx'

type SampleDetailsProps = {
  draft: BookingDraft
  type: PublicAppointmentType
  timeZone: string
  onChange: (draft: BookingDraft) => void
  onBack: () => void
  onBook: () => void
}

/** The second step: asks for the customer's details, next to a summary of the booking. */
export function SampleDetails({ draft, type, timeZone, onChange, onBack, onBook }: SampleDetailsProps) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<DraftErrors>({})
  const book = () => {
    const found = findDraftErrors(draft, true)
    // Render the `aria-invalid` attribute before moving the focus, or a screen reader does not announce it.
    flushSync(() => setErrors(found))
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong) wrong.focus()
    else onBook()
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        book()
      }}
      className="grid gap-x-8 gap-y-5 lg:grid-cols-[16.5rem_1fr]"
    >
      <div className="grid content-start gap-3">
        <SelectionSummary
          type={type}
          startsAt={draft.startsAt}
          timeZone={timeZone}
          hourCycle={DEFAULT_HOUR_CYCLE}
          location={locationText(type)}
          isPaidByHand={(type.price ?? 0) > 0}
        />
        <Button onClick={onBack}>Choose another time</Button>
      </div>
      <div className="grid content-start gap-4">
        <h3 data-step tabIndex={-1} className="rounded-sm text-lg">
          Your details
        </h3>
        <DetailsFields
          draft={draft}
          errors={errors}
          onChange={(field, text) => {
            onChange({ ...draft, [field]: text })
            setErrors({ ...errors, [field]: undefined })
          }}
        />
        <Button type="submit" variant="primary" size="lg">
          Book appointment
        </Button>
      </div>
    </form>
  )
}
