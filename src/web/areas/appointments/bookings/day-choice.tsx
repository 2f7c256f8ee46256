import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { formatShortDay } from '#web/shared/format-date.ts'
import { FieldNotes } from '#web/ui/field-frame.tsx'
import { getBookableDates, shownWeeksOf } from './bookable-dates.ts'
import { CollapsedStep } from './collapsed-step.tsx'
import { FiveWeekCalendar } from './five-week-calendar.tsx'
import { DaysPlaceholder } from './step-placeholders.tsx'
import { type AvailableTimesRequest, dayAvailabilityQuery, hasNoFreeDay } from './times-queries.ts'

/** Loaded lazily, because most weeks have free times. */
const NextFreeDay = lazy(() => import('./next-free-day.tsx').then((part) => ({ default: part.NextFreeDay })))

type DayChoiceProps = {
  request: AvailableTimesRequest
  /** True if the customer has to choose an appointment type first, because the times depend on it. */
  needsType: boolean
  /** False during server rendering, because the server does not know the visitor's date. */
  hydrated: boolean
  date: string | null
  error: string | undefined
  closes: boolean
  onReopen: () => void
  onDate: (date: string, isFull: boolean) => void
}

/** Lets the customer choose a day. On a phone it collapses once a day with free times is chosen. Source: rules W9 and B29. */
export function DaySelection({ request, needsType, hydrated, date, error, ...on }: DayChoiceProps) {
  const { shownZone } = request
  const { today, lastDate } = getBookableDates(shownZone, request.until)
  const [shownDate, setShownDate] = useState(date ?? today)
  useEffect(() => {
    if (date !== null) setShownDate(date)
  }, [date])

  const { start, from, to } = shownWeeksOf(shownDate, { today, lastDate })
  const { data: marks = {} } = useQuery({ ...dayAvailabilityQuery(request, from, to), enabled: !needsType })
  const isFull = hasNoFreeDay(marks)
  const client = useQueryClient()
  const isClosed = on.closes && date !== null && marks[date] !== 'full'
  return (
    <>
      {isClosed && (
        <CollapsedStep what="date" onChange={on.onReopen}>
          {formatShortDay(date)}
        </CollapsedStep>
      )}
      <div hidden={isClosed}>
        {hydrated ? (
          <FiveWeekCalendar
            key={shownZone}
            start={start}
            onShow={setShownDate}
            selected={date}
            onSelect={(chosen) => on.onDate(chosen, marks[chosen] === 'full')}
            today={today}
            lastDate={lastDate}
            marks={marks}
            describedBy={error === undefined ? undefined : 'date-error'}
          />
        ) : (
          <DaysPlaceholder />
        )}
        <div role="status" className="mt-1 text-sm text-ink-soft">
          {isFull && 'No times in these weeks.'}
        </div>
        {isFull && to < lastDate && (
          <Suspense fallback={null}>
            <NextFreeDay
              {...{ to, lastDate }}
              fetchDays={(first, last) => client.fetchQuery(dayAvailabilityQuery(request, first, last))}
              shown={[request.slug, request.typeId, shownZone, shownDate, date].join()}
              onFound={setShownDate}
            />
          </Suspense>
        )}
        {!isFull && Object.values(marks).includes('full') && (
          <p aria-hidden="true" className="mt-2 text-sm text-ink-soft">
            Days <span className="line-through">crossed out</span> have no times.
          </p>
        )}
        {request.until !== null && to === lastDate && (
          <p className="mt-2 text-sm text-ink-soft">{request.until.text}</p>
        )}
        <FieldNotes id="date" error={error} />
      </div>
    </>
  )
}
