import { useId } from 'react'
import { formatDay } from '#web/shared/format-date.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronLeft } from '#web/ui/icons/chevron-left.ts'
import { ChevronRight } from '#web/ui/icons/chevron-right.ts'
import { DayGrid, type DayGridProps } from './day-grid.tsx'
import { addMonths, monthOf } from './month-grid.ts'

type MonthCalendarProps = Omit<DayGridProps, 'labelledBy'>

/** Lets the customer choose a day in a month, and go to the previous or next month. Days are dates in the shown zone. */
export function MonthCalendar(props: MonthCalendarProps) {
  const { month, onMonthChange, today, lastDate } = props
  const captionId = useId()
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
      <div className="month-height">
        <DayGrid {...props} labelledBy={captionId} />
      </div>
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
    // Do not use `disabled`, so that the button keeps focus when it reaches the end of the range.
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

/** Formats a month: `December 2026`. */
export function monthName(month: string): string {
  return formatDay(`${month}-01`, { month: 'long', year: 'numeric' })
}
