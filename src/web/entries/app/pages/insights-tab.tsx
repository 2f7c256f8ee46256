import { lazy, Suspense } from 'react'
import { InsightsPlaceholder } from '#web/areas/appointments/insights/insights-placeholder.tsx'
import type { CalendarScope } from '#web/kit/calendar-scope.ts'

/** Loaded lazily, when the tab is opened. */
const InsightsPanel = lazy(async () => {
  const { InsightsPanel } = await import('#web/areas/appointments/insights/insights-panel.tsx')
  return { default: InsightsPanel }
})

/** Shows the charts of a calendar, or of all calendars. */
export function InsightsTab({ scope }: { scope: CalendarScope }) {
  return (
    <Suspense fallback={<InsightsPlaceholder />}>
      <InsightsPanel scope={scope} />
    </Suspense>
  )
}
