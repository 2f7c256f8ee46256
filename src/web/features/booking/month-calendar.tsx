import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { classNames } from '#web/ui/class-names.ts'
import type { DayStanding } from './month-day.ts'
import { MonthDays } from './month-days.tsx'
import { addMonths, clampDate, dayAfterKey, lastDateOf, monthOf } from './month-grid.ts'
import type { DayMarks } from './times-queries.ts'

type MonthCalendarProps = {
  /** yyyy-MM */
  month: string
  onMonthChange: (month: string) => void
  selected: string | null
  onSelect: (date: string) => void
  /** The first day that may be chosen, in the shown zone. */
  today: string
  /** The last day that may be chosen. */
  lastDate: string
  marks: DayMarks
  /** Texts that describe the calendar. */
  describedBy?: string | undefined
}

/**
 * One month to choose a day from: one stop for the Tab key, moved in by arrow keys. Days are plain dates of the shown
 * zone. Source: ARIA Authoring Practices, "Date Picker"; spec §5 "Calendar dates".
 */
export function MonthCalendar(props: MonthCalendarProps) {
  const { month, onMonthChange, selected, onSelect, today, lastDate, marks } = props
  const captionId = useId()
  const days = useRef<HTMLFieldSetElement>(null)
  const [cursor, setCursor] = useState(selected ?? today)
  const takesFocus = useRef(false)
  const firstWeekday = firstWeekdayOf(navigator.language)
  const tabStop = tabStopOf(month, monthOf(cursor) === month ? cursor : selected, today, lastDate)
  const standingOf = (date: string): DayStanding => ({
    isSelected: date === selected,
    isToday: date === today,
    isDisabled: date < today || date > lastDate,
    mark: marks[date],
  })

  useEffect(() => {
    if (!takesFocus.current || tabStop !== cursor) return
    takesFocus.current = false
    days.current?.querySelector<HTMLElement>(`[data-date="${cursor}"]`)?.focus()
  }, [cursor, tabStop])

  const onKeyDown = (event: KeyboardEvent) => {
    const moved = dayAfterKey(tabStop, event.key, event.shiftKey, firstWeekday)
    if (moved === null || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const date = clampDate(moved, today, lastDate)
    takesFocus.current = date !== tabStop
    setCursor(date)
    if (monthOf(date) !== month) onMonthChange(monthOf(date))
  }
  const choose = (date: string) => {
    setCursor(date)
    onSelect(date)
  }

  return (
    <div>
      <div className="mb-2 flex items-center justify-between">
        <MonthButton
          to={addMonths(month, -1)}
          direction="previous"
          available={month > monthOf(today)}
          onMonthChange={onMonthChange}
        />
        <h3 id={captionId} aria-live="polite" className="text-lg font-semibold">
          {monthName(month)}
        </h3>
        <MonthButton
          to={addMonths(month, 1)}
          direction="next"
          available={month < monthOf(lastDate)}
          onMonthChange={onMonthChange}
        />
      </div>
      <fieldset
        ref={days}
        aria-labelledby={captionId}
        aria-describedby={props.describedBy}
        onKeyDown={onKeyDown}
      >
        <MonthDays
          month={month}
          firstWeekday={firstWeekday}
          tabStop={tabStop}
          standingOf={standingOf}
          onSelect={choose}
        />
      </fieldset>
    </div>
  )
}

type MonthButtonProps = {
  to: string
  direction: 'previous' | 'next'
  available: boolean
  onMonthChange: (month: string) => void
}

function MonthButton({ to, direction, available, onMonthChange }: MonthButtonProps) {
  const Icon = direction === 'previous' ? ChevronLeft : ChevronRight
  return (
    // Not `disabled`: at the end of the range the button keeps the focus of who pressed it.
    <button
      type="button"
      aria-disabled={!available || undefined}
      aria-label={`Go to the ${direction} month${available ? `, ${monthName(to)}` : ''}`}
      onClick={() => available && onMonthChange(to)}
      className={classNames(
        'grid size-11 place-items-center rounded-control',
        available ? 'text-ink hover:bg-sunken' : 'cursor-default! text-ink-faint opacity-40',
      )}
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  )
}

/** The day of a month that the Tab key stops at: the wanted one, else the first that may be chosen. */
function tabStopOf(month: string, wanted: string | null, today: string, lastDate: string): string {
  const inMonth = wanted !== null && monthOf(wanted) === month ? wanted : `${month}-01`
  return clampDate(clampDate(inMonth, today, lastDate), `${month}-01`, lastDateOf(month))
}

/** First day of the week where the visitor lives, 0 = Sunday; Sunday where the browser does not know. */
function firstWeekdayOf(language: string): number {
  try {
    const locale = new Intl.Locale(language) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } } // newer than the library types
    return (locale.getWeekInfo?.().firstDay ?? 7) % 7
  } catch {
    return 0
  }
}

/** `December 2026` */
export function monthName(month: string): string {
  return MONTH_NAME.format(toDayNumber(`${month}-01`) * DAY_MS)
}

const MONTH_NAME = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' })
