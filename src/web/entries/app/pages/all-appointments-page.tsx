import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { SLOT_INTERVALS_MINUTES } from '#core/slots/slot-rules.ts'
import { AppointmentsCard } from '#web/areas/appointments/list/appointments-card.tsx'
import {
  type AppointmentsView,
  readWorkspaceView,
  toWorkspaceViewParams,
} from '#web/areas/appointments/list/appointments-view.ts'
import { CancellationRequests } from '#web/areas/appointments/list/cancellation-requests.tsx'
import { chooseListTimeZone } from '#web/areas/appointments/list/list-clock.ts'
import { NewAppointmentButton } from '#web/areas/appointments/owner-bookings/new-appointment-button.tsx'
import { BulkChangeButton } from '#web/areas/appointments/whole-days/many-change-button.tsx'
import { useIsNarrowScreen } from '#web/shared/use-is-narrow.ts'
import { CalendarAppointments } from './calendar-appointments.tsx'
import { CalendarName, WorkspacePage } from './workspace-page.tsx'

const appointmentsApi = getRouteApi('/appointments')

/** The appointments of the owner, in all calendars or in one. Source: rule W23. */
export function AllAppointmentsPage() {
  const { owner } = appointmentsApi.useRouteContext()
  const search = appointmentsApi.useSearch()
  const navigate = appointmentsApi.useNavigate()
  const isNarrow = useIsNarrowScreen()
  const view = {
    choice: readWorkspaceView(search, isNarrow),
    onChoose: (choice: AppointmentsView, replace: boolean) =>
      void navigate({
        search: { calendar: search.calendar, ...toWorkspaceViewParams(choice) },
        resetScroll: false,
        replace,
      }),
  }
  return (
    <WorkspacePage
      title={APP_PAGES['/appointments']}
      ownerId={owner.id}
      calendarId={search.calendar}
      onChoose={(calendar) =>
        void navigate({
          // The view stays, but not the page of another calendar's list or its open appointment.
          search: { ...search, calendar, page: undefined, appointment: undefined },
          resetScroll: false,
        })
      }
      lead={
        <p className="mt-1 empty:hidden">
          <CancellationRequests />
        </p>
      }
      renderAll={(calendars) => <AppointmentsOfAllCalendars calendars={calendars} {...view} />}
    >
      {(calendar) => (
        <CalendarAppointments
          calendar={calendar}
          title={<CalendarName calendar={calendar} />}
          hasCustomersLink={false}
          {...view}
        />
      )}
    </WorkspacePage>
  )
}

type AppointmentsOfAllCalendarsProps = {
  calendars: readonly Calendar[]
  choice: AppointmentsView
  onChoose: (choice: AppointmentsView, replace: boolean) => void
}

/** The shortest distance of two starts that a calendar can offer, in minutes. Each calendar has its own. */
const SHORTEST_SLOT_MINUTES = Math.min(...SLOT_INTERVALS_MINUTES)

function AppointmentsOfAllCalendars({ calendars, ...view }: AppointmentsOfAllCalendarsProps) {
  const { history } = useRouter()
  const [pointedAt, setPointedAt] = useState<string | null>(null)
  return (
    <AppointmentsCard
      {...view}
      calendarId={null}
      // The field above shows it.
      title={<span className="sr-only">All calendars</span>}
      timeZone={chooseListTimeZone(calendars.map(({ timezone }) => timezone))}
      slotMinutes={SHORTEST_SLOT_MINUTES}
      actions={<BulkChangeButton calendars={calendars} />}
      mainAction={
        <NewAppointmentButton
          isBrief
          calendars={calendars}
          shownDate={view.choice.date}
          pointedAt={pointedAt}
          onPointedClosed={() => setPointedAt(null)}
        />
      }
      onPoint={setPointedAt}
      onBack={() => history.back()}
    />
  )
}
