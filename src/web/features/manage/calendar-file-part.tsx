import * as at from '#contract/operations/addresses.ts'
import { pathOf } from '#web/shared/call-api.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { CalendarDays } from '#web/ui/icons/calendar-days.ts'
import type { ManagePartProps } from './manage-part-props.ts'

/** Puts the appointment into the customer's own calendar. Source: rule R5. */
export function CalendarFilePart({ token, view }: ManagePartProps) {
  if (!view.can_change) return null
  return (
    <ButtonLink href={pathOf(at.getManagedCalendarFile, { params: { token } })} download="appointment.ics">
      <CalendarDays aria-hidden="true" className="size-5" />
      Add to calendar
    </ButtonLink>
  )
}
