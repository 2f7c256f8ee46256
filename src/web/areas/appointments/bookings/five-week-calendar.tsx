import { useId } from 'react'
import { addDays } from '#core/shared/calendar-date.ts'
import { LOCALE } from '#core/shared/locale.ts'
import { getDateTimeFormat } from '#web/shared/format-instant.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronLeft } from '#web/ui/icons/chevron-left.ts'
import { ChevronRight } from '#web/ui/icons/chevron-right.ts'
import { DayGrid, type DayGridProps } from './day-grid.tsx'
import { SHOWN_DAYS } from './five-weeks.ts'

type FiveWeekCalendarProps = Omit<DayGridProps, 'labelledBy'>

/**
 * Lets the customer choose a day in five weeks, and go to the previous or next five. The first five weeks begin with this week.
 * Days are dates in the shown zone.
 */
export function FiveWeekCalendar(props: FiveWeekCalendarProps) {
  const { start, onShow, today, lastDate } = props
  const captionId = useId()
  const next = addDays(start, SHOWN_DAYS)
  return (
    <div>
      <div className="mb-2 flex items-center justify-between">
        <WeeksButton
          to={addDays(start, -SHOWN_DAYS)}
          direction="previous"
          available={start > today}
          onShow={onShow}
        />
        <h3 id={captionId} aria-live="polite" className="text-lg font-semibold">
          {monthsFrom(start)}
        </h3>
        <WeeksButton to={next} direction="next" available={next <= lastDate} onShow={onShow} />
      </div>
      <div className="weeks-height">
        <DayGrid {...props} labelledBy={captionId} />
      </div>
    </div>
  )
}

type WeeksButtonProps = {
  /** The first day of the weeks that the button shows. */
  to: string
  direction: 'previous' | 'next'
  available: boolean
  onShow: (date: string) => void
}

function WeeksButton({ to, direction, available, onShow }: WeeksButtonProps) {
  const Icon = direction === 'previous' ? ChevronLeft : ChevronRight
  return (
    // Do not use `disabled`, so that the button keeps focus when it reaches the end of the range.
    <button
      type="button"
      aria-disabled={!available || undefined}
      aria-label={`Go to the ${direction} weeks${available ? `, ${monthsFrom(to)}` : ''}`}
      onClick={() => available && onShow(to)}
      className={classNames(
        'grid size-11 place-items-center rounded-control',
        available ? 'text-ink hover:bg-sunken' : 'cursor-default! text-ink-faint opacity-40',
      )}
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  )
}

/** Formats the months of the five weeks from a date: `Nov – Dec 2026`. */
function monthsFrom(start: string): string {
  return getDateTimeFormat(LOCALE, { timeZone: 'UTC', month: 'short', year: 'numeric' })
    .formatRange(Date.parse(start), Date.parse(addDays(start, SHOWN_DAYS - 1)))
    .replace(/\s/g, ' ')
}
