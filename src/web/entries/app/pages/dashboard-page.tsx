import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { SetupChecklist } from '#web/areas/accounts/setup/setup-checklist.tsx'
import { upcomingAppointmentsQuery } from '#web/areas/appointments/list/appointment-queries.ts'
import { UpcomingAppointments } from '#web/areas/appointments/list/upcoming-appointments.tsx'
import { NewAppointmentButton } from '#web/areas/appointments/owner-bookings/new-appointment-button.tsx'
import { PageProblemsNotice } from '#web/areas/availability/page-problems/page-problems-notice.tsx'
import { calendarsQuery } from '#web/areas/calendars/calendars/calendar-queries.ts'
import { CalendarsSection } from '#web/areas/calendars/calendars/calendars-section.tsx'
import { ExistingOverlapsNotice } from '#web/areas/calendars/people/kept-overlaps.tsx'
import { CalendarSyncAction } from '#web/areas/external-calendars/calendar-sync-action.tsx'
import {
  ExpiredAccountsBanner,
  FailingAccountsBanner,
} from '#web/areas/external-calendars/connection-banners.tsx'
import { externalCalendarsQuery } from '#web/areas/external-calendars/integration-queries.ts'
import { WaitingListLink } from '#web/areas/waiting-list/owner/waiting-link.tsx'
import { waitingListCountsQuery } from '#web/areas/waiting-list/owner/waiting-list-queries.ts'
import { ButtonPlaceholder } from '#web/kit/loading-shape.tsx'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import { paths } from '#web/shared/paths.ts'
import { readSitePageData } from '#web/shared/site-page-data.ts'
import { DashboardPlaceholder } from './dashboard-placeholder.tsx'
import { PlanBanners } from './plan-banners.tsx'
import { useOwnerPlan } from './use-plan.ts'
import { useToastAfterReturn } from './use-return-notices.ts'
import { WelcomeCard } from './welcome-card.tsx'

const dashboardApi = getRouteApi('/dashboard')

/** The page that an owner sees first. Source: rule W5. */
export function DashboardPage() {
  const { owner } = dashboardApi.useRouteContext()
  const { subscription, isAwaited } = useOwnerPlan()
  const [site] = useState(readSitePageData)
  // Loaded at the same time as the plan, although the page shows this data only after the plan.
  usePrefetchQuery(upcomingAppointmentsQuery)
  usePrefetchQuery(waitingListCountsQuery)
  const { data: calendars, isLoading } = useQuery(calendarsQuery(owner.id))
  const hasNone = calendars?.length === 0
  const [first] = calendars ?? []
  // External calendar accounts belong to the owner, so the response for any one calendar lists all of them.
  const { data: external, isLoading: isAsking } = useQuery({
    ...externalCalendarsQuery(first?.id ?? ''),
    enabled: first !== undefined,
  })
  useDocumentTitle(APP_PAGES['/dashboard'])
  useToastAfterReturn()
  return (
    <main className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-6 px-4 sm:px-6 py-5 lg:gap-8 lg:py-6">
      <WelcomeCard owner={owner} />
      {isAwaited ? (
        <DashboardPlaceholder />
      ) : (
        <>
          <SetupChecklist />
          {subscription !== undefined && <PlanBanners subscription={subscription} site={site} />}
          {first !== undefined && external !== undefined && (
            <>
              <ExpiredAccountsBanner calendarId={first.id} external={external} />
              <FailingAccountsBanner calendarId={first.id} external={external} />
            </>
          )}
          {!hasNone && <PageProblemsNotice />}
          {calendars !== undefined && calendars.length > 1 && <ExistingOverlapsNotice />}
          <CalendarsSection
            owner={owner}
            limit={subscription?.limits.calendars}
            paused={subscription?.paused_calendars}
            actionsOf={(calendar) => (
              <>
                <CalendarSyncAction
                  calendar={calendar}
                  external={external}
                  isLoading={isAsking}
                  subscription={subscription}
                />
                <WaitingListLink
                  calendarId={calendar.id}
                  page={paths.calendarSettings(calendar.id, 'appointments')}
                  className="w-full text-sm"
                />
              </>
            )}
          />
          {!hasNone && (
            <UpcomingAppointments
              actions={
                calendars === undefined ? (
                  isLoading && <ButtonPlaceholder className="w-55" />
                ) : (
                  <NewAppointmentButton calendars={calendars} variant="secondary" />
                )
              }
            />
          )}
        </>
      )}
    </main>
  )
}
