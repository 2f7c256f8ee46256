import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { CalendarPagePlaceholder } from '#web/areas/calendars/calendars/calendar-placeholders.tsx'
import { calendarQuery } from '#web/areas/calendars/calendars/calendar-queries.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { CalendarErrorPage, findCalendarErrorText } from './calendar-problem.tsx'

type OfCalendarProps = {
  ownerId: string
  calendarId: string
  children: (calendar: Calendar) => ReactNode
}

/** Renders the content of a page about a calendar once the calendar has loaded. */
export function CalendarLoader({ ownerId, calendarId, children }: OfCalendarProps) {
  const query = useQuery(calendarQuery(ownerId, calendarId))
  const { data: calendar, error } = query
  const refusal = findCalendarErrorText(error)
  return (
    <main className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-6 px-4 py-6 sm:px-6">
      {calendar !== undefined && children(calendar)}
      {refusal === null && (
        <LoadStatus query={query} loading="Loading calendar..." failed="Error loading calendar">
          <CalendarPagePlaceholder />
        </LoadStatus>
      )}
      {calendar === undefined && refusal !== null && <CalendarErrorPage refusal={refusal} />}
    </main>
  )
}
