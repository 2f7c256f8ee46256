import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { ButtonPlaceholder, LoadingPlaceholder } from '#web/kit/loading-shape.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { CalendarCard } from './calendar-card.tsx'
import { CalendarCardPlaceholder } from './calendar-placeholders.tsx'
import { calendarsQuery } from './calendar-queries.ts'
import { CreateCalendarDialog } from './create-calendar-dialog.tsx'
import { findCalendarDraft } from './use-create-calendar.ts'

type CalendarsSectionProps = {
  owner: Owner
  /** Maximum number of calendars in the plan; null if unlimited, undefined if unknown. */
  limit: number | null | undefined
  /** The calendars that take no new bookings; undefined if unknown. Source: rule S13. */
  paused?: readonly Pick<Calendar, 'id'>[] | undefined
  /** Returns additional buttons for the card of a calendar. */
  actionsOf?: (calendar: Calendar) => ReactNode
}

/** Lists the owner's calendars, and lets the owner create one. Source: rule W5. */
export function CalendarsSection({ owner, limit, paused = [], actionsOf }: CalendarsSectionProps) {
  const [creating, setCreating] = useState(() => findCalendarDraft(owner.id) !== undefined)
  const { data: calendars, error, refetch } = useQuery(calendarsQuery(owner.id))
  const count = calendars?.length ?? 0
  const isLoading = calendars === undefined && error === null

  return (
    <section aria-labelledby="calendars-heading">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 id="calendars-heading" className="text-xl font-semibold">
          Your calendars
        </h2>
        {isLoading && <ButtonPlaceholder className="w-52" />}
        {count > 0 && (
          <Button onClick={() => setCreating(true)}>
            <Plus aria-hidden="true" className="size-5" />
            Create Calendar
          </Button>
        )}
      </div>
      {isLoading && (
        <div className="grid gap-4 @3xl:grid-cols-2">
          <LoadingPlaceholder text="Loading your calendars..." className="min-w-0">
            <CalendarCardPlaceholder />
          </LoadingPlaceholder>
        </div>
      )}
      {calendars === undefined && error !== null && (
        <ErrorState title="Error loading your calendars. Please try again." onRetry={() => refetch()} />
      )}
      {calendars?.length === 0 && (
        <div className="rounded-card border border-dashed border-line-strong">
          <EmptyState
            title="You haven't created any calendars yet."
            hint="Each calendar has its own booking page. Share its link, and customers book online."
            action={
              <Button variant="primary" onClick={() => setCreating(true)}>
                Create Your First Calendar
              </Button>
            }
          />
        </div>
      )}
      {count > 0 && (
        <ul className="grid gap-4 @3xl:grid-cols-2">
          {calendars?.map((calendar) => (
            <li key={calendar.id} className="grid min-w-0">
              <CalendarCard
                calendar={calendar}
                isPaused={paused.some(({ id }) => id === calendar.id)}
                actions={actionsOf?.(calendar)}
              />
            </li>
          ))}
        </ul>
      )}
      <CreateCalendarDialog
        owner={owner}
        open={creating}
        onOpenChange={setCreating}
        isFurther={count > 0}
        limitReached={limit !== null && limit !== undefined && count >= limit}
      />
    </section>
  )
}
