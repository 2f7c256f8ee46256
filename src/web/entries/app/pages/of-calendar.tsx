import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { CalendarSettingsPlaceholder } from '#web/areas/calendars/calendars/calendar-placeholders.tsx'
import { calendarQuery } from '#web/areas/calendars/calendars/calendar-queries.ts'
import { LoadError } from '#web/kit/load-error.tsx'
import { LoadingPlaceholder } from '#web/kit/loading-shape.tsx'
import { CalendarErrorPage, findCalendarErrorText } from './calendar-problem.tsx'

type OfCalendarProps = {
  ownerId: string
  calendarId: string
  children: (calendar: Calendar) => ReactNode
}

/** Renders the content of a page about a calendar once the calendar has loaded. */
export function CalendarLoader({ ownerId, calendarId, children }: OfCalendarProps) {
  const { data: calendar, error, refetch } = useQuery(calendarQuery(ownerId, calendarId))
  const refusal = findCalendarErrorText(error)
  return (
    <main className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-6 px-4 py-6 sm:px-6">
      {calendar !== undefined && children(calendar)}
      {calendar === undefined && error === null && (
        <LoadingPlaceholder text="Loading calendar...">
          <CalendarSettingsPlaceholder />
        </LoadingPlaceholder>
      )}
      {calendar === undefined && refusal !== null && <CalendarErrorPage refusal={refusal} />}
      {calendar === undefined && error !== null && refusal === null && (
        <LoadError
          error={error}
          title="Error loading calendar"
          hint={error.message}
          onRetry={() => refetch()}
        />
      )}
    </main>
  )
}
