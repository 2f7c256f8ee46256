import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { addDays } from '#core/shared/calendar-date.ts'
import { formatLongDate } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { DayAvailability } from './times-queries.ts'

type NextFreeDayProps = {
  /** The last day that the calendar shows. */
  to: string
  lastDate: string
  fetchDays: (from: string, to: string) => Promise<DayAvailability>
  /** Identifies what the page shows. A running search ends when it changes, because the customer has gone on. */
  shown: string
  onFound: (date: string) => void
}

/** Offers to go to the next day with a free time, for weeks that have none. Source: rule W9. */
export function NextFreeDay({ to, lastDate, fetchDays, shown, onFound }: NextFreeDayProps) {
  const [isSearching, setIsSearching] = useState(false)
  const search = useRef<object | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another `shown` ends the search
  useEffect(() => {
    search.current = null
  }, [shown])
  const showFreeDay = async () => {
    const own = {}
    search.current = own
    const pressed = document.activeElement
    setIsSearching(true)
    try {
      const found = await findFreeDay(fetchDays, { after: to, lastDate })
      if (search.current !== own || document.activeElement !== pressed) return
      if (found === null) toast.info(`No times until ${formatLongDate(lastDate)}.`)
      else {
        flushSync(() => onFound(found))
        document.querySelector<HTMLElement>(`[data-date="${found}"]`)?.focus()
      }
    } catch (error) {
      // safe: `findFreeDay` throws ApiProblem only
      toast.error((error as Error).message)
    } finally {
      setIsSearching(false)
    }
  }
  return (
    <Button className="mt-2" pending={isSearching} onClick={showFreeDay}>
      Go to the next free day
    </Button>
  )
}

/** Maximum number of days in one request for days with free times: `LIMITS.daysRange` of the server. */
export const DAYS_PER_SEARCH = 62

/**
 * Finds the first free day after a date, or returns null if there is none. Asks for two months at a time, so that the server's
 * work for a request is limited. @throws ApiProblem
 */
async function findFreeDay(
  fetchDays: (from: string, to: string) => Promise<DayAvailability>,
  { after, lastDate }: { readonly after: string; readonly lastDate: string },
): Promise<string | null> {
  for (let from = addDays(after, 1); from <= lastDate; from = addDays(from, DAYS_PER_SEARCH)) {
    const end = addDays(from, DAYS_PER_SEARCH - 1)
    const marks = await fetchDays(from, end < lastDate ? end : lastDate)
    const free = Object.keys(marks).find((date) => marks[date] === 'free')
    if (free !== undefined) return free
  }
  return null
}
