import { CalendarCardPlaceholder } from '#web/areas/calendars/calendars/calendar-placeholders.tsx'
import { ButtonPlaceholder, LinePlaceholder, LoadingPlaceholder } from '#web/kit/loading-shape.tsx'

/**
 * The placeholder of the dashboard's content while the owner's plan is loading, because the banners about the plan are above the calendars.
 */
export function DashboardPlaceholder() {
  return (
    <LoadingPlaceholder text="Loading your calendars...">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <LinePlaceholder size="xl" className="w-36" />
        <ButtonPlaceholder className="w-52" />
      </div>
      <div className="grid gap-4 @3xl:grid-cols-2">
        <CalendarCardPlaceholder />
      </div>
    </LoadingPlaceholder>
  )
}
