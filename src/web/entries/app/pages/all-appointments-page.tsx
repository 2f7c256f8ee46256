import { getRouteApi } from '@tanstack/react-router'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import {
  readAppointmentsView,
  toAppointmentsViewParams,
} from '#web/areas/appointments/list/appointments-view.ts'
import { CancellationRequests } from '#web/areas/appointments/list/cancellation-requests.tsx'
import { UpcomingAppointments } from '#web/areas/appointments/list/upcoming-appointments.tsx'
import { NewAppointmentButton } from '#web/areas/appointments/owner-bookings/new-appointment-button.tsx'
import { BulkChangeButton } from '#web/areas/appointments/whole-days/many-change-button.tsx'
import { CalendarAppointments } from './calendar-appointments.tsx'
import { CalendarName, WorkspacePage } from './workspace-page.tsx'

const appointmentsApi = getRouteApi('/appointments')

/** The appointments of the owner: the next ones in all calendars, or all of one calendar. Source: rule W23. */
export function AllAppointmentsPage() {
  const { owner } = appointmentsApi.useRouteContext()
  const search = appointmentsApi.useSearch()
  const navigate = appointmentsApi.useNavigate()
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
      renderAll={(calendars) => (
        <UpcomingAppointments
          actions={
            <div className="flex flex-wrap items-center gap-2 sm:gap-3">
              <BulkChangeButton calendars={calendars} />
              <NewAppointmentButton calendars={calendars} />
            </div>
          }
        />
      )}
    >
      {(calendar) => (
        <CalendarAppointments
          calendar={calendar}
          title={<CalendarName calendar={calendar} />}
          hasCustomersLink={false}
          choice={readAppointmentsView(search)}
          onChoose={(choice, replace) =>
            void navigate({
              search: { calendar: search.calendar, ...toAppointmentsViewParams(choice) },
              resetScroll: false,
              replace,
            })
          }
        />
      )}
    </WorkspacePage>
  )
}
