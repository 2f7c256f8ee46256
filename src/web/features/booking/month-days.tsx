import { listDates } from '#core/shared/calendar-date.ts'
import { classNames } from '#web/ui/class-names.ts'
import { type DayStanding, dayLooks, dayName } from './month-day.ts'
import { columnOf, lastDateOf } from './month-grid.ts'

type MonthDaysProps = {
  /** yyyy-MM */
  month: string
  /** 0 = Sunday */
  firstWeekday: number
  /** The one day that the Tab key stops at. */
  tabStop: string
  standingOf: (date: string) => DayStanding
  onSelect: (date: string) => void
}

/** The days of a month under the names of their weekdays. Always as high as six weeks, so that nothing below it jumps. */
export function MonthDays({ month, firstWeekday, tabStop, standingOf, onSelect }: MonthDaysProps) {
  const first = `${month}-01`
  const dates = listDates(first, Number(lastDateOf(month).slice(8)))
  return (
    <div className={classNames(MONTH_HEIGHT, 'grid grid-cols-7 content-start')}>
      {[0, 1, 2, 3, 4, 5, 6].map((column) => (
        // Each day says its weekday itself.
        <span key={column} aria-hidden="true" className="py-1 text-center text-sm font-medium text-ink-soft">
          {WEEKDAYS[(firstWeekday + column) % 7]}
        </span>
      ))}
      {dates.map((date) => {
        const standing = standingOf(date)
        return (
          <button
            key={date}
            type="button"
            data-date={date}
            data-focus={date === tabStop ? 'date' : undefined}
            tabIndex={date === tabStop ? 0 : -1}
            disabled={standing.isDisabled}
            aria-label={dayName(date, standing)}
            aria-pressed={standing.isSelected}
            aria-current={standing.isToday ? 'date' : undefined}
            onClick={() => onSelect(date)}
            className={classNames(
              date === first && FIRST_COLUMNS[columnOf(first, firstWeekday)],
              dayLooks(standing),
            )}
          >
            {Number(date.slice(8))}
          </button>
        )
      })}
    </div>
  )
}

/** The names of the weekdays, and six weeks of days (`month-day` in booking.css). */
export const MONTH_HEIGHT = 'min-h-[calc(1.75rem+6*2.875rem)]'

const WEEKDAYS = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa']
/** Whole class names, so that Tailwind finds them. */
const FIRST_COLUMNS = [
  '',
  'col-start-2',
  'col-start-3',
  'col-start-4',
  'col-start-5',
  'col-start-6',
  'col-start-7',
]
