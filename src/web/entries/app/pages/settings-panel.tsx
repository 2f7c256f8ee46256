import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import {
  readAppointmentsView,
  toAppointmentsViewParams,
} from '#web/areas/appointments/list/appointments-view.ts'
import { MissingTimeButton } from '#web/areas/appointments/owner-bookings/missing-time.tsx'
import { AppointmentTypesPanel } from '#web/areas/availability/appointment-types/appointment-types-panel.tsx'
import { LocationsPanel } from '#web/areas/availability/locations/locations-panel.tsx'
import { AvailabilityPanel } from '#web/areas/availability/opening-hours/availability-panel.tsx'
import { QuestionsCard } from '#web/areas/availability/questions/questions-card.tsx'
import { ActivityPanel } from '#web/areas/calendars/activity/activity-panel.tsx'
import { calendarsQuery } from '#web/areas/calendars/calendars/calendar-queries.ts'
import { GeneralPanel } from '#web/areas/calendars/calendars/general-panel.tsx'
import { CalendarPersonCard } from '#web/areas/calendars/people/person-card.tsx'
import { RemindersPanel } from '#web/areas/messages/reminders/reminders-panel.tsx'
import { TransactionsPanel } from '#web/areas/payments/ledger/transactions-panel.tsx'
import { labelOfSettingsTab } from '#web/entries/app/settings-tab.ts'
import type { SettingsTab } from '#web/shared/paths.ts'
import { BrandingTab } from './branding-tab.tsx'
import { CalendarAppointments } from './calendar-appointments.tsx'
import { DomainsTab } from './domains-tab.tsx'
import { InsightsTab } from './insights-tab.tsx'
import { IntegrationsTab } from './integrations-tab.tsx'
import { PaymentsTab } from './payments-tab.tsx'

const settingsApi = getRouteApi('/calendar/$calendarId/settings')

/** The content of each settings tab. */
const PANELS: Record<SettingsTab, (calendar: Calendar) => ReactNode> = {
  general: (calendar) => <GeneralTab calendar={calendar} />,
  availability: (calendar) => (
    <AvailabilityPanel
      calendar={calendar}
      renderTimeQuestion={(type) => <MissingTimeButton calendar={calendar} type={type} />}
    />
  ),
  appointments: (calendar) => <AppointmentsTab calendar={calendar} />,
  types: (calendar) => (
    <div className="flex flex-col gap-6">
      <AppointmentTypesPanel calendar={calendar} />
      <QuestionsCard calendarId={calendar.id} />
    </div>
  ),
  activity: (calendar) => <ActivityPanel calendar={calendar} labelOfKind={labelOfSettingsTab} />,
  integrations: (calendar) => <IntegrationsTab calendar={calendar} />,
  payments: (calendar) => <PaymentsTab calendar={calendar} />,
  transactions: (calendar) => <TransactionsPanel calendar={calendar} />,
  insights: (calendar) => <InsightsTab scope={calendar.id} />,
  reminders: (calendar) => <RemindersPanel calendar={calendar} />,
  locations: (calendar) => <LocationsPanel calendar={calendar} />,
  domains: (calendar) => <DomainsTab calendar={calendar} />,
  branding: (calendar) => <BrandingTab calendar={calendar} />,
}

/** Shows one tab of a calendar's settings. */
export function SettingsPanel({ tab, calendar }: { tab: SettingsTab; calendar: Calendar }) {
  return PANELS[tab](calendar)
}

function GeneralTab({ calendar }: { calendar: Calendar }) {
  const navigate = useNavigate()
  const { data: calendars = [] } = useQuery(calendarsQuery(calendar.user_id))
  const hasOthers = calendars.some(({ id }) => id !== calendar.id)
  return (
    <GeneralPanel
      calendar={calendar}
      person={hasOthers && <CalendarPersonCard calendar={calendar} />}
      onDeleted={() => navigate({ to: '/dashboard', search: {}, replace: true })}
    />
  )
}

function AppointmentsTab({ calendar }: { calendar: Calendar }) {
  const search = settingsApi.useSearch()
  const navigate = settingsApi.useNavigate()
  return (
    <CalendarAppointments
      calendar={calendar}
      choice={readAppointmentsView(search)}
      onChoose={(choice, replace) =>
        void navigate({
          search: { tab: 'appointments', ...toAppointmentsViewParams(choice) },
          resetScroll: false,
          replace,
        })
      }
    />
  )
}
