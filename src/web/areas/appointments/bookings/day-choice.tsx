import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatLongDate, formatShortDay } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldNotes } from '#web/ui/field-frame.tsx'
import { toast } from '#web/ui/toast.tsx'
import { getBookableDates, shownWeeksOf } from './bookable-dates.ts'
import { CollapsedStep } from './collapsed-step.tsx'
import { FiveWeekCalendar } from './five-week-calendar.tsx'
import { DaysPlaceholder } from './step-placeholders.tsx'
import { type AvailableTimesRequest, dayAvailabilityQuery, findFreeDay } from './times-queries.ts'

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
  const [shownDate, setShownDate] = useState(date ?? today)
  useEffect(() => {
    if (date !== null) setShownDate(date)
  }, [date])

  const { start, from, to } = shownWeeksOf(shownDate, { today, lastDate })
  const { data: marks = {} } = useQuery({ ...dayAvailabilityQuery(request, from, to), enabled: !needsType })
  const known = Object.values(marks)
  const hasFullDay = known.includes('full')
  const isFull = hasFullDay && !known.includes('free')
  const client = useQueryClient()
  const [isSearching, setIsSearching] = useState(false)
  // The running search. It ends when the customer goes on meanwhile.
  const search = useRef<object | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these ends the search
  useEffect(() => {
    search.current = null
  }, [request.slug, request.typeId, shownZone, shownDate, date])
  const showFreeDay = async () => {
    const own = {}
    search.current = own
    const pressed = document.activeElement
    setIsSearching(true)
    try {
      const found = await findFreeDay(client, request, { after: to, lastDate })
      if (search.current !== own || document.activeElement !== pressed) return
      if (found === null) toast.info(`No times until ${formatLongDate(lastDate)}.`)
      else {
        flushSync(() => setShownDate(found))
        document.querySelector<HTMLElement>(`[data-date="${found}"]`)?.focus()
      }
    } catch (error) {
      // safe: `findFreeDay` throws ApiProblem only
      toast.error((error as Error).message)
    } finally {
      setIsSearching(false)
    }
  }
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
          <Button className="mt-2" pending={isSearching} onClick={showFreeDay}>
            Go to the next free day
          </Button>
        )}
        {hasFullDay && !isFull && (
          <p aria-hidden="true" className="mt-2 text-sm text-ink-soft">
            Days <span className="line-through">crossed out</span> have no times.
          </p>
        )}
        <FieldNotes id="date" error={error} />
      </div>
    </>
  )
}
