import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { formatDay } from '#web/shared/format-date.ts'
import { type DayState, dayClassName, dayLabel, disabledReason } from './month-day.ts'
import { clampDate, dateAfterArrowKey, firstWeekdayOf, lastDateOf, listWeeks, monthOf } from './month-grid.ts'
import type { DayAvailability } from './times-queries.ts'

export type DayGridProps = {
  /** The shown month, as yyyy-MM. */
  month: string
  onMonthChange: (month: string) => void
  selected: string | null
  onSelect: (date: string) => void
  /** Today's date in the shown time zone, which is the first bookable date. */
  today: string
  /** The last bookable date. */
  lastDate: string
  marks: DayAvailability
  /** The id of the element that names the grid. */
  labelledBy: string
  /** The ids of the elements that describe the grid. */
  describedBy?: string | undefined
}

/**
 * Shows the days of a month, one week per row. The Tab key reaches one day. From there, the arrow keys, Home, End, Page
 * Up and Page Down move to other days and months.
 *
 * Source: ARIA Authoring Practices, "Grid" and "Date Picker Dialog".
 */
export function DayGrid(props: DayGridProps) {
  const { month, onMonthChange, selected, onSelect, today, lastDate, marks } = props
  const firstWeekday = firstWeekdayOf(navigator.language)
  // The day to which the customer has moved with the keyboard.
  const [cursor, setCursor] = useState(selected ?? today)
  const tabStop = tabStopOf(month, monthOf(cursor) === month ? cursor : selected, today, lastDate)
  const tabStopButton = useRef<HTMLButtonElement>(null)
  const takesFocus = useRef(false)

  useLayoutEffect(() => {
    // Wait if the cursor has moved to a month that is not rendered yet.
    if (!takesFocus.current || tabStop !== cursor) return
    takesFocus.current = false
    tabStopButton.current?.focus()
  }, [cursor, tabStop])

  const onKeyDown = (event: KeyboardEvent) => {
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const moved = dateAfterArrowKey(tabStop, event, { firstWeekday, isRightToLeft })
    if (moved === null || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const date = clampDate(moved, today, lastDate)
    takesFocus.current = date !== tabStop
    setCursor(date)
    if (monthOf(date) !== month) onMonthChange(monthOf(date))
  }
  const dayOf = (date: string) => {
    const standing: DayState = {
      isSelected: date === selected,
      isToday: date === today,
      unavailable: date < today ? 'past' : date > lastDate ? 'too far ahead' : undefined,
      mark: marks[date],
    }
    const isTabStop = date === tabStop
    return (
      <button
        ref={isTabStop ? tabStopButton : undefined}
        type="button"
        tabIndex={isTabStop ? 0 : -1}
        data-focus={isTabStop ? 'date' : undefined}
        disabled={standing.unavailable !== undefined}
        title={disabledReason(standing)}
        aria-label={dayLabel(date, standing)}
        aria-pressed={standing.isSelected}
        aria-current={standing.isToday ? 'date' : undefined}
        className={dayClassName(standing)}
        onClick={() => {
          setCursor(date)
          onSelect(date)
        }}
      >
        {Number(date.slice(8))}
      </button>
    )
  }

  return (
    <table
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: keys move between the cells, so the table is a grid
      role="grid"
      aria-labelledby={props.labelledBy}
      aria-describedby={props.describedBy}
      onKeyDown={onKeyDown}
      className="month-days w-full table-fixed"
    >
      <thead>
        <tr>
          {listWeekdays(firstWeekday).map((weekday) => (
            <th key={weekday} scope="col" aria-label={weekday} className="month-weekday">
              {weekday.slice(0, 2)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {listWeeks(month, firstWeekday).map((week) => (
          <tr key={week[0]}>
            {week.map((date) =>
              monthOf(date) === month ? (
                // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a `td` in a grid is a gridcell (HTML-AAM)
                <td key={date} aria-selected={date === selected}>
                  {dayOf(date)}
                </td>
              ) : (
                <td key={date} />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Returns the day that the Tab key reaches: the wanted day if it is in this month, otherwise the first bookable day. */
function tabStopOf(month: string, wanted: string | null, today: string, lastDate: string): string {
  const inMonth = wanted !== null && monthOf(wanted) === month ? wanted : `${month}-01`
  return clampDate(clampDate(inMonth, today, lastDate), `${month}-01`, lastDateOf(month))
}

/** Lists the names of the weekdays, starting with the given one. */
function listWeekdays(firstWeekday: number): string[] {
  const [week = []] = listWeeks('2026-11', firstWeekday)
  return week.map((date) => formatDay(date, { weekday: 'long' }))
}
