import { getRouteApi } from '@tanstack/react-router'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { chooseListTimeZone } from '#web/areas/appointments/list/list-clock.ts'
import { InsightsTab } from './insights-tab.tsx'
import { WorkspacePage } from './workspace-page.tsx'

const insightsApi = getRouteApi('/insights')

/** The charts of all calendars of the owner, or of one. Source: rule W23. */
export function AllInsightsPage() {
  const { owner } = insightsApi.useRouteContext()
  const { calendar: calendarId } = insightsApi.useSearch()
  const navigate = insightsApi.useNavigate()
  return (
    <WorkspacePage
      title={APP_PAGES['/insights']}
      ownerId={owner.id}
      calendarId={calendarId}
      onChoose={(calendar) => void navigate({ search: { calendar }, resetScroll: false })}
      renderAll={(calendars) => (
        <InsightsTab scope={{ timeZone: chooseListTimeZone(calendars.map(({ timezone }) => timezone)) }} />
      )}
    >
      {(calendar) => <InsightsTab scope={calendar.id} />}
    </WorkspacePage>
  )
}
