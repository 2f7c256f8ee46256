import { useRef, useState } from 'react'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { CalendarDot } from '#web/kit/calendar-dot.tsx'
import type { DayAppointment } from './saved-day.ts'
import { useFittingCount } from './use-has-width.ts'

type CalendarLegendProps = {
  appointments: readonly Pick<DayAppointment, 'calendar_id' | 'calendar_name' | 'calendar_color' | 'color'>[]
}

/** Names the calendars whose colours the appointments have, on one line until the owner wants to see all of them. */
export function CalendarLegend({ appointments }: CalendarLegendProps) {
  const list = useRef<HTMLUListElement>(null)
  const [isOpen, setOpen] = useState(false)
  const fitting = useFittingCount(list, ENTRY_PX)
  const calendars = [...new Map(appointments.map((each) => [each.calendar_id, each])).values()]
  const isCut = calendars.length > Math.max(fitting, MIN_ENTRIES)
  // The last place on the line is the button's.
  const shown = isCut && !isOpen ? calendars.slice(0, Math.max(fitting, MIN_ENTRIES) - 1) : calendars
  return (
    <ul
      ref={list}
      aria-label="Calendars"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft"
    >
      {shown.map(({ calendar_id, calendar_name, calendar_color, color }) => (
        <li
          key={calendar_id}
          className={isCut && !isOpen && shown.length > 1 ? 'max-w-36 truncate' : 'min-w-0 wrap-anywhere'}
        >
          <CalendarDot color={calendar_color ?? color} />
          {wrapInBidiIsolates(calendar_name)}
        </li>
      ))}
      {isCut && (
        <li>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="-my-2 min-h-9 rounded-control px-1 font-semibold text-ink underline underline-offset-4 touch:min-h-11"
          >
            {isOpen ? 'Show fewer' : `+${calendars.length - shown.length} more`}
          </button>
        </li>
      )}
    </ul>
  )
}

/** Width of an entry with its gap, in pixels. */
const ENTRY_PX = 160
/** Two places: one calendar and the button. */
const MIN_ENTRIES = 2
