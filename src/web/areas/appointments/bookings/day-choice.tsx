import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatShortDay } from '#web/shared/format-date.ts'
import { FieldNotes } from '#web/ui/field-frame.tsx'
import { bookableDatesInMonth, getBookableDates } from './bookable-dates.ts'
import { CollapsedStep } from './collapsed-step.tsx'
import { MonthCalendar, monthName } from './month-calendar.tsx'
import { monthOf } from './month-grid.ts'
import { MonthPlaceholder } from './step-placeholders.tsx'
import { type AvailableTimesRequest, monthAvailabilityQuery } from './times-queries.ts'

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
  const { today, lastDate } = getBookableDates(shownZone)
  const [month, setMonth] = useState(monthOf(date ?? today))
  useEffect(() => {
    if (date !== null) setMonth(monthOf(date))
  }, [date])

  const { from, to } = bookableDatesInMonth(month, { today, lastDate })
  const { data: marks = {} } = useQuery({ ...monthAvailabilityQuery(request, from, to), enabled: !needsType })
  const known = Object.values(marks)
  const hasFullDay = known.includes('full')
  const isMonthFull = hasFullDay && !known.includes('free')
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
          <MonthCalendar
            key={shownZone}
            month={month}
            onMonthChange={setMonth}
            selected={date}
            onSelect={(chosen) => on.onDate(chosen, marks[chosen] === 'full')}
            today={today}
            lastDate={lastDate}
            marks={marks}
            describedBy={error === undefined ? undefined : 'date-error'}
          />
        ) : (
          <MonthPlaceholder />
        )}
        <div role="status" className="mt-1 text-sm text-ink-soft">
          {isMonthFull && `No times in ${monthName(month)}. Try another month.`}
        </div>
        {hasFullDay && !isMonthFull && (
          <p aria-hidden="true" className="mt-2 text-sm text-ink-soft">
            Days <span className="line-through">crossed out</span> have no times.
          </p>
        )}
        <FieldNotes id="date" error={error} />
      </div>
    </>
  )
}
