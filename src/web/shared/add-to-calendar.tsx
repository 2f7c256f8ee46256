import * as at from '#contract/operations/addresses.ts'
import { pathOf } from '#web/shared/call-api.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { CalendarDays } from '#web/ui/icons/calendar-days.ts'

/** Puts an appointment into the customer's own calendar. `token` is that of its signed link. Source: rule R5. */
export function AddToCalendar({ token }: { token: string }) {
  return (
    <ButtonLink href={pathOf(at.getManagedCalendarFile, { params: { token } })} download="appointment.ics">
      <CalendarDays aria-hidden="true" className="size-5" />
      Add to calendar
    </ButtonLink>
  )
}
