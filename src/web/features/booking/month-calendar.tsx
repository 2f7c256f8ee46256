import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Calendar } from 'react-calendar'
import { LOCALE } from '#core/shared/locale.ts'
import { formatDay } from '#web/shared/format-date.ts'
import { classNames } from '#web/ui/class-names.ts'
import { type DayStanding, dayLooks, dayName } from './month-day.ts'
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
 * One month to choose a day from, on react-calendar: one stop for the Tab key, moved in by arrow keys.
 *
 * The library knows days as `Date`s of the browser's zone; here they are plain dates of the shown zone, and are
 * translated at its edge only. Source: ARIA Authoring Practices, "Date Picker"; spec §5 "Calendar dates".
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

  useLayoutEffect(() => {
    for (const [index, tile] of tilesOf(days.current).entries()) {
      const date = dateOfTile(month, index)
      const isTabStop = date === tabStop
      // What the library has no property for.
      tile.tabIndex = isTabStop ? 0 : -1
      tile.setAttribute('aria-pressed', String(date === selected))
      if (date === today) tile.setAttribute('aria-current', 'date')
      tile.dataset.focus = isTabStop ? 'date' : ''
    }
  })
  useEffect(() => {
    if (!takesFocus.current || tabStop !== cursor) return
    takesFocus.current = false
    tilesOf(days.current)[Number(cursor.slice(8)) - 1]?.focus()
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
  const choose = (day: Date) => {
    const date = fromLocalDay(day)
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
        <Calendar
          className="month-days month-height"
          locale={LOCALE}
          calendarType={firstWeekday === 0 ? 'gregory' : firstWeekday === 6 ? 'islamic' : 'iso8601'}
          view="month"
          maxDetail="month"
          minDetail="month"
          showNavigation={false}
          showNeighboringMonth={false}
          activeStartDate={toLocalDay(`${month}-01`)}
          minDate={toLocalDay(today)}
          maxDate={toLocalDay(lastDate)}
          value={selected === null ? null : toLocalDay(selected)}
          onClickDay={choose}
          formatShortWeekday={(_, day) => formatDay(fromLocalDay(day), { weekday: 'short' }).slice(0, 2)}
          formatDay={(_, day) => String(day.getDate())}
          formatLongDate={(_, day) => dayName(fromLocalDay(day), standingOf(fromLocalDay(day)))}
          tileClassName={({ date: day }) => dayLooks(standingOf(fromLocalDay(day)))}
        />
      </fieldset>
    </div>
  )
}

/** The days of the month in order; the library draws no others. */
function tilesOf(days: HTMLElement | null): HTMLButtonElement[] {
  return days === null ? [] : [...days.querySelectorAll<HTMLButtonElement>('.react-calendar__tile')]
}

function dateOfTile(month: string, index: number): string {
  return `${month}-${String(index + 1).padStart(2, '0')}`
}

/** A plain date as the library wants it: its midnight in the browser's zone. */
function toLocalDay(date: string): Date {
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, day)
}

function fromLocalDay(day: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
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
  return formatDay(`${month}-01`, { month: 'long', year: 'numeric' })
}
