import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatLongDate } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { type DayAvailability, findFreeDay } from './times-queries.ts'

type NextFreeDayProps = {
  /** The days that the calendar shows. */
  marks: DayAvailability
  /** The last of these days. */
  to: string
  lastDate: string
  fetchDays: (from: string, to: string) => Promise<DayAvailability>
  /** Identifies what the page shows. A running search ends when it changes, because the customer has gone on. */
  shown: string
  onFound: (date: string) => void
}

/** Says that the shown weeks have no free time, and offers to go to the next day that has one. Source: rule W9. */
export function NextFreeDay({ marks, to, lastDate, fetchDays, shown, onFound }: NextFreeDayProps) {
  const known = Object.values(marks)
  const isFull = known.includes('full') && !known.includes('free')
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
    <>
      <div role="status" className="mt-1 text-sm text-ink-soft">
        {isFull && 'No times in these weeks.'}
      </div>
      {isFull && to < lastDate && (
        <Button className="mt-2" pending={isSearching} onClick={showFreeDay}>
          Go to the next free day
        </Button>
      )}
    </>
  )
}
