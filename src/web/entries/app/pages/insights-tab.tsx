import { lazy, Suspense } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { InsightsPlaceholder } from '#web/areas/appointments/insights/insights-placeholder.tsx'

/** Loaded lazily, when the tab is opened. */
const InsightsPanel = lazy(async () => {
  const { InsightsPanel } = await import('#web/areas/appointments/insights/insights-panel.tsx')
  return { default: InsightsPanel }
})

/** Shows a calendar's charts. */
export function InsightsTab({ calendar }: { calendar: Calendar }) {
  return (
    <Suspense fallback={<InsightsPlaceholder />}>
      <InsightsPanel calendar={calendar} />
    </Suspense>
  )
}
