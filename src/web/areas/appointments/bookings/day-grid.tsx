import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { addDays, listDates } from '#core/shared/calendar-date.ts'
import { formatDay } from '#web/shared/format-date.ts'
import { clampDate, dateAfterArrowKey, firstWeekdayOf, SHOWN_DAYS } from './five-weeks.ts'
import { type DayState, dayClassName, dayLabel, disabledReason } from './grid-day.ts'
import type { DayAvailability } from './times-queries.ts'

export type DayGridProps = {
  /** The first of the shown days. */
  start: string
  /** Called to show the weeks that contain a date. */
  onShow: (date: string) => void
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
 * Shows the days of five weeks, one week per row. The Tab key reaches one day. From there, the arrow keys, Home, End, Page
 * Up and Page Down move to other days and months.
 *
 * Source: ARIA Authoring Practices, "Grid" and "Date Picker Dialog".
 */
export function DayGrid(props: DayGridProps) {
  const { start, onShow, selected, onSelect, today, lastDate, marks } = props
  const firstWeekday = firstWeekdayOf()
  const end = addDays(start, SHOWN_DAYS - 1)
  const isShown = (date: string) => date >= start && date <= end
  // The day to which the customer has moved with the keyboard.
  const [cursor, setCursor] = useState(selected ?? today)
  const wanted = [cursor, selected ?? '', start].find(isShown) ?? start
  // The day that the Tab key reaches.
  const tabStop = clampDate(wanted, today, lastDate)
  const tabStopButton = useRef<HTMLButtonElement>(null)
  const takesFocus = useRef(false)

  useLayoutEffect(() => {
    // Wait if the cursor has moved to weeks that are not rendered yet.
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
    if (!isShown(date)) onShow(date)
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
        data-date={date}
        data-month={date.endsWith('-01') ? formatDay(date, { month: 'short' }) : undefined}
        disabled={standing.unavailable !== undefined}
        title={disabledReason(standing)}
        aria-label={dayLabel(date, standing)}
        aria-pressed={standing.isSelected}
        aria-current={standing.isToday ? 'date' : undefined}
        className={dayClassName(standing)}
        onFocus={() => setCursor(date)}
        onClick={() => {
          // Safari does not focus a pressed button.
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
      className="day-grid w-full table-fixed"
    >
      <thead>
        <tr>
          {listDates(start, 7)
            .map((date) => formatDay(date, { weekday: 'long' }))
            .map((weekday) => (
              <th key={weekday} scope="col" aria-label={weekday} className="grid-weekday">
                {weekday.slice(0, 2)}
              </th>
            ))}
        </tr>
      </thead>
      <tbody>
        {[0, 7, 14, 21, 28].map((days) => (
          <tr key={days}>
            {listDates(addDays(start, days), 7).map((date) => (
              // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a `td` in a grid is a gridcell (HTML-AAM)
              <td key={date} aria-selected={date === selected}>
                {dayOf(date)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
