import { addDays } from '#core/shared/zoned-time.ts'
import { formatMonthDay, formatShortDate } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronLeft } from '#web/ui/icons/chevron-left.ts'
import { ChevronRight } from '#web/ui/icons/chevron-right.ts'

export const WEEK_DAYS = 7

/** Maximum number of weeks ahead that a preview shows. Customers can book up to two years ahead. */
const LAST_WEEK = 104

type WeekStepsProps = {
  /** The first of the shown days. */
  from: string
  weeksAhead: number
  onChange: (weeksAhead: number) => void
  className: string
}

/** Names the shown seven days, and moves on to the next or back to the previous ones. */
export function WeekSteps({ from, weeksAhead, onChange, className }: WeekStepsProps) {
  return (
    <div className={classNames('flex items-center gap-1', className)}>
      <Button
        variant="ghost"
        aria-label="Previous seven days"
        disabled={weeksAhead === 0}
        onClick={() => onChange(weeksAhead - 1)}
        className="w-11 px-0! disabled:border-transparent disabled:bg-transparent"
      >
        <ChevronLeft aria-hidden="true" className="size-5" />
      </Button>
      <p aria-live="polite" className="min-w-44 text-center font-medium tabular-nums">
        {formatSpan(from, addDays(from, WEEK_DAYS - 1))}
      </p>
      <Button
        variant="ghost"
        aria-label="Next seven days"
        disabled={weeksAhead >= LAST_WEEK}
        onClick={() => onChange(weeksAhead + 1)}
        className="w-11 px-0! disabled:border-transparent disabled:bg-transparent"
      >
        <ChevronRight aria-hidden="true" className="size-5" />
      </Button>
    </div>
  )
}

/** Formats a range of dates: `Nov 21 – Nov 27, 2026`. Includes both years if they differ. */
function formatSpan(from: string, to: string): string {
  const isOneYear = from.slice(0, 4) === to.slice(0, 4)
  return `${isOneYear ? formatMonthDay(from) : formatShortDate(from)} – ${formatShortDate(to)}`
}
