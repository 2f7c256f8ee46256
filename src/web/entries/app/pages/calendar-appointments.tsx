import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { AppointmentsCard } from '#web/areas/appointments/list/appointments-card.tsx'
import type { AppointmentsView } from '#web/areas/appointments/list/appointments-view.ts'
import { NewAppointmentButton } from '#web/areas/appointments/owner-bookings/new-appointment-button.tsx'
import { BulkChangeButton } from '#web/areas/appointments/whole-days/many-change-button.tsx'
import { calendarsQuery } from '#web/areas/calendars/calendars/calendar-queries.ts'
import { WaitingListCard } from '#web/areas/waiting-list/owner/waiting-card.tsx'
import { WaitingListLink } from '#web/areas/waiting-list/owner/waiting-link.tsx'
import { availabilityQuery } from '#web/kit/availability-query.ts'
import { workspacePaths } from '#web/kit/workspace-paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Users } from '#web/ui/icons/users.ts'

type CalendarAppointmentsProps = {
  calendar: Calendar
  /** The heading of the card, instead of 'Appointments' with its description. */
  title?: ReactNode
  /** False where the page's navigation already leads to the customers. */
  hasCustomersLink?: boolean
  choice: AppointmentsView
  onChoose: (choice: AppointmentsView, replace: boolean) => void
}

/** A calendar's appointments, with everything that an owner does with them, and its waiting list. */
export function CalendarAppointments({
  calendar,
  title,
  hasCustomersLink = true,
  choice,
  onChoose,
}: CalendarAppointmentsProps) {
  const { history } = useRouter()
  const [pointedAt, setPointedAt] = useState<string | null>(null)
  const { data: availability } = useQuery(availabilityQuery(calendar.id))
  const { data: calendars = [] } = useQuery(calendarsQuery(calendar.user_id))
  const others = calendars.filter(({ id }) => id !== calendar.id)
  return (
    <div className="flex flex-col gap-6">
      <WaitingListLink calendarId={calendar.id} className="self-start" />
      <AppointmentsCard
        calendarId={calendar.id}
        title={title}
        actions={
          <>
            <BulkChangeButton calendars={[calendar, ...others]} />
            {hasCustomersLink && (
              <ButtonLink className="max-sm:px-3" href={workspacePaths.customers(calendar.id)}>
                <Users aria-hidden="true" className="size-5" />
                Customers
              </ButtonLink>
            )}
          </>
        }
        mainAction={
          <NewAppointmentButton
            isBrief
            calendars={[calendar]}
            shownDate={choice.date}
            pointedAt={pointedAt}
            onPointedClosed={() => setPointedAt(null)}
          />
        }
        onPoint={setPointedAt}
        onBack={() => history.back()}
        timeZone={calendar.timezone}
        slotMinutes={availability?.slot_duration_minutes}
        choice={choice}
        onChoose={onChoose}
      />
      <WaitingListCard calendar={calendar} />
    </div>
  )
}
