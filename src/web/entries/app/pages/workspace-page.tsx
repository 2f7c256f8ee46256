import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { calendarsQuery } from '#web/areas/calendars/calendars/calendar-queries.ts'
import { CalendarDot } from '#web/kit/calendar-dot.tsx'
import { CalendarField } from '#web/kit/calendar-field.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder } from '#web/kit/loading-shape.tsx'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type WorkspacePageProps = {
  title: string
  ownerId: string
  /** The id of the calendar in the URL, if there is one. */
  calendarId: string | undefined
  onChoose: (calendarId: string | undefined) => void
  /** Rendered for one calendar. */
  children: (calendar: Calendar) => ReactNode
  /** Rendered for all calendars together. */
  renderAll: (calendars: readonly [Calendar, ...Calendar[]]) => ReactNode
  /** Shown below the heading. */
  lead?: ReactNode
}

/** A page of the owner about their calendars, with a choice of the calendar if there are several. Source: rule W23. */
export function WorkspacePage({
  title,
  ownerId,
  calendarId,
  onChoose,
  children,
  renderAll,
  lead,
}: WorkspacePageProps) {
  const query = useQuery(calendarsQuery(ownerId))
  const { data: calendars } = query
  useDocumentTitle(title)
  const [first, ...others] = calendars ?? []
  const hasSeveral = others.length > 0
  const named = calendars?.find(({ id }) => id === calendarId)
  const chosen = named ?? (hasSeveral ? undefined : first)
  return (
    <main className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-4 px-4 py-4 sm:px-6 lg:gap-6 lg:py-6">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-3xl">{title}</h1>
          {lead}
        </div>
        {hasSeveral && (
          <CalendarField
            className="w-72 max-w-full"
            calendars={calendars ?? []}
            hasAll
            value={chosen?.id ?? null}
            onChange={(next) => onChoose(next ?? undefined)}
          />
        )}
      </div>
      <LoadStatus
        query={query}
        loading="Loading your calendars..."
        failed="Error loading your calendars. Please try again."
      >
        <div className="rounded-card border border-line bg-surface p-5 sm:p-6">
          <LinePlaceholder size="xl" className="w-48" />
          <Skeleton className="mt-4 h-96" />
        </div>
      </LoadStatus>
      {calendars?.length === 0 && (
        <div className="rounded-card border border-dashed border-line-strong">
          <EmptyState
            title="You haven't created any calendars yet."
            hint="Each calendar has its own booking page, where customers book online."
            action={
              <ButtonLink variant="primary" href={paths.dashboard()}>
                Go to the dashboard
              </ButtonLink>
            }
          />
        </div>
      )}
      {chosen !== undefined && <div key={chosen.id}>{children(chosen)}</div>}
      {chosen === undefined && first !== undefined && renderAll([first, ...others])}
    </main>
  )
}

/** The name of a calendar with its colour, as a heading. */
export function CalendarName({ calendar: { name, color } }: { calendar: Pick<Calendar, 'name' | 'color'> }) {
  return (
    <span className="flex items-baseline">
      <CalendarDot color={color} className="me-2.5 size-3" />
      <span className="min-w-0 wrap-anywhere">{name}</span>
    </span>
  )
}
