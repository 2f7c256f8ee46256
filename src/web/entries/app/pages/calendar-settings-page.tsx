import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { AppointmentsCard } from '#web/areas/appointments/list/appointments-card.tsx'
import {
  readAppointmentsView,
  toAppointmentsViewParams,
} from '#web/areas/appointments/list/appointments-view.ts'
import { NewAppointmentButton } from '#web/areas/appointments/owner-bookings/new-appointment-button.tsx'
import { BulkChangeButton } from '#web/areas/appointments/whole-days/many-change-button.tsx'
import { AppointmentTypesPanel } from '#web/areas/availability/appointment-types/appointment-types-panel.tsx'
import { LocationsPanel } from '#web/areas/availability/locations/locations-panel.tsx'
import { AvailabilityPanel } from '#web/areas/availability/opening-hours/availability-panel.tsx'
import { BookingPageCard } from '#web/areas/calendars/calendars/booking-page-card.tsx'
import { CalendarSettingsPlaceholder } from '#web/areas/calendars/calendars/calendar-placeholders.tsx'
import { calendarQuery, calendarsQuery } from '#web/areas/calendars/calendars/calendar-queries.ts'
import { GeneralPanel } from '#web/areas/calendars/calendars/general-panel.tsx'
import { CalendarPersonCard } from '#web/areas/calendars/people/person-card.tsx'
import { RemindersPanel } from '#web/areas/messages/reminders/reminders-panel.tsx'
import { TransactionsPanel } from '#web/areas/payments/ledger/transactions-panel.tsx'
import { WaitingListCard } from '#web/areas/waiting-list/owner/waiting-card.tsx'
import { WaitingListLink } from '#web/areas/waiting-list/owner/waiting-link.tsx'
import { availabilityQuery } from '#web/kit/availability-query.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import { paths, type SettingsTab } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { ArrowLeft } from '#web/ui/icons/arrow-left.ts'
import { Users } from '#web/ui/icons/users.ts'
import { Tabs } from '#web/ui/tabs.tsx'
import { BrandingTab } from './branding-tab.tsx'
import { showConnectCalendarResult } from './calendar-outcome.ts'
import { CalendarErrorPage, findCalendarErrorText, MISSING_CALENDAR_ID_ERROR } from './calendar-problem.tsx'
import { DomainsTab } from './domains-tab.tsx'
import { EmbedButton } from './embed-button.tsx'
import { InsightsTab } from './insights-tab.tsx'
import { IntegrationsTab } from './integrations-tab.tsx'
import { PausedCalendarNotice } from './paused-notice.tsx'
import { PaymentsTab } from './payments-tab.tsx'
import { usePrefetchSettingsTabs } from './use-tabs-beforehand.ts'

const settingsApi = getRouteApi('/calendar/$calendarId/settings')

/** Shows all settings of one calendar. The URL contains the tab. Source: rule W7. */
export function CalendarSettingsPage() {
  const { calendarId } = settingsApi.useParams()
  const { owner } = settingsApi.useRouteContext()
  const isNamed = calendarId.trim() !== ''
  const query = useQuery({ ...calendarQuery(owner.id, calendarId), enabled: isNamed })
  const { data: calendar, error } = query
  useDocumentTitle(calendar?.name ?? APP_PAGES['/calendar/:id/settings'])
  const refusal = isNamed ? findCalendarErrorText(error) : MISSING_CALENDAR_ID_ERROR
  return (
    <main className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-6 px-4 sm:px-6 py-6">
      {refusal === null || calendar !== undefined ? (
        <ButtonLink variant="ghost" size="sm" href={paths.dashboard()} className="-ms-3 self-start">
          <ArrowLeft aria-hidden="true" className="size-4" />
          Back to Dashboard
        </ButtonLink>
      ) : (
        <CalendarErrorPage refusal={refusal} />
      )}
      {calendar !== undefined && <CalendarSettings calendar={calendar} />}
      {refusal === null && (
        <LoadStatus query={query} loading="Loading calendar..." failed="Error loading calendar">
          <CalendarSettingsPlaceholder />
        </LoadStatus>
      )}
    </main>
  )
}

function CalendarSettings({ calendar }: { calendar: Calendar }) {
  const search = settingsApi.useSearch()
  const { tab = 'general' } = search
  const showTab = settingsApi.useNavigate()
  const { calendar_connected, calendar_failed } = search
  useEffect(() => {
    if (!showConnectCalendarResult({ calendar_connected, calendar_failed })) return
    void showTab({ search: { tab }, resetScroll: false, replace: true })
  }, [calendar_connected, calendar_failed, showTab, tab])
  const navigate = useNavigate()
  usePrefetchSettingsTabs(calendar)
  const { data: availability } = useQuery({
    ...availabilityQuery(calendar.id),
    enabled: tab === 'appointments',
  })
  const { data: calendars = [] } = useQuery({
    ...calendarsQuery(calendar.user_id),
    enabled: tab === 'appointments' || tab === 'general',
  })
  const others = calendars.filter(({ id }) => id !== calendar.id)
  const show = (next: SettingsTab) => void showTab({ search: { tab: next }, resetScroll: false })
  return (
    <>
      <h1 className="flex items-start gap-3 text-3xl">
        <span
          aria-hidden="true"
          className="mt-3 size-4 shrink-0 rounded-full"
          style={{ backgroundColor: calendar.color }}
        />
        <span className="min-w-0 break-words">{calendar.name}</span>
      </h1>
      <PausedCalendarNotice calendarId={calendar.id} />
      <BookingPageCard calendar={calendar}>
        <EmbedButton calendar={calendar} />
      </BookingPageCard>
      <Tabs<SettingsTab>
        label="Calendar settings"
        value={tab}
        onChange={show}
        tabs={[
          {
            id: 'general',
            label: 'General',
            panel: (
              <GeneralPanel
                calendar={calendar}
                person={others.length > 0 && <CalendarPersonCard calendar={calendar} />}
                onShowTab={show}
                onDeleted={() => navigate({ to: '/dashboard', search: {}, replace: true })}
              />
            ),
          },
          {
            id: 'availability',
            label: 'Availability',
            panel: <AvailabilityPanel calendar={calendar} />,
          },
          {
            id: 'appointments',
            label: 'Appointments',
            panel: (
              <div className="flex flex-col gap-6">
                <WaitingListLink calendarId={calendar.id} className="self-start" />
                <AppointmentsCard
                  calendarId={calendar.id}
                  actions={
                    <>
                      <BulkChangeButton calendars={[calendar, ...others]} />
                      <ButtonLink className="max-sm:px-3" href={paths.customers(calendar.id)}>
                        <Users aria-hidden="true" className="size-5" />
                        Customers
                      </ButtonLink>
                      <NewAppointmentButton
                        calendars={[calendar]}
                        shownDate={readAppointmentsView(search).date}
                      />
                    </>
                  }
                  timeZone={calendar.timezone}
                  slotMinutes={availability?.slot_duration_minutes}
                  choice={readAppointmentsView(search)}
                  onChoose={(choice, replace) =>
                    void showTab({
                      search: { tab: 'appointments', ...toAppointmentsViewParams(choice) },
                      resetScroll: false,
                      replace,
                    })
                  }
                />
                <WaitingListCard calendar={calendar} />
              </div>
            ),
          },
          {
            id: 'types',
            label: 'Appointment Types',
            panel: <AppointmentTypesPanel calendarId={calendar.id} />,
          },
          {
            id: 'integrations',
            label: 'Integrations',
            panel: <IntegrationsTab calendar={calendar} />,
          },
          {
            id: 'payments',
            label: 'Payments',
            panel: <PaymentsTab calendar={calendar} />,
          },
          {
            id: 'transactions',
            label: 'Transactions',
            panel: <TransactionsPanel calendar={calendar} />,
          },
          {
            id: 'insights',
            label: 'Insights',
            panel: <InsightsTab calendar={calendar} />,
          },
          {
            id: 'reminders',
            label: 'Reminders',
            panel: <RemindersPanel calendar={calendar} />,
          },
          {
            id: 'locations',
            label: 'Locations',
            panel: <LocationsPanel calendar={calendar} />,
          },
          {
            id: 'domains',
            label: 'Domains',
            panel: <DomainsTab calendar={calendar} />,
          },
          {
            id: 'branding',
            label: 'Branding',
            panel: <BrandingTab calendar={calendar} />,
          },
        ]}
      />
    </>
  )
}
