import * as at from '#contract/operations/addresses.ts'
import { apiPath } from '#web/shared/call-api.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { CalendarDays } from '#web/ui/icons/calendar-days.ts'

/**
 * Lets the customer download an appointment for their own calendar. `token` is the token of the customer's page. Source: rule R5.
 */
export function AddToCalendar({ token }: { token: string }) {
  return (
    <ButtonLink href={apiPath(at.getManagedCalendarFile, { params: { token } })} download="appointment.ics">
      <CalendarDays aria-hidden="true" className="size-5" />
      Add to calendar
    </ButtonLink>
  )
}
