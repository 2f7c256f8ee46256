import type { Owner } from '#contract/accounts/sessions.ts'
import { CalendarCardPlaceholder } from '#web/areas/calendars/calendars/calendar-placeholders.tsx'
import { ButtonPlaceholder, LinePlaceholder, LoadingPlaceholder } from '#web/kit/loading-shape.tsx'
import { WelcomeCard } from './welcome-card.tsx'

/**
 * The placeholder of the dashboard while the owner's plan is loading, because the banners about the plan are above the calendars.
 */
export function DashboardPlaceholder({ owner }: { owner: Owner }) {
  return (
    <main className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-6 px-4 sm:px-6 py-5 lg:gap-8 lg:py-6">
      <WelcomeCard owner={owner} />
      <LoadingPlaceholder text="Loading your calendars...">
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
          <LinePlaceholder size="xl" className="w-36" />
          <ButtonPlaceholder className="w-52" />
        </div>
        <div className="grid gap-4 @3xl:grid-cols-2">
          <CalendarCardPlaceholder />
        </div>
      </LoadingPlaceholder>
    </main>
  )
}
