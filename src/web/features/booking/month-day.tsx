import { formatDateHeading } from '#web/shared/format-date.ts'
import { classNames } from '#web/ui/class-names.ts'

type MonthDayProps = {
  date: string
  mark: 'free' | 'full' | undefined
  isToday: boolean
  isSelected: boolean
  isDisabled: boolean
  isTabStop: boolean
  onChoose: (date: string) => void
}

/**
 * One day of the month. A full day is struck through and says so in its name, but can be chosen: times come free
 * again. Only past days and days too far ahead are disabled.
 */
export function MonthDay({
  date,
  mark,
  isToday,
  isSelected,
  isDisabled,
  isTabStop,
  onChoose,
}: MonthDayProps) {
  const isFull = mark === 'full' && !isDisabled
  const name = [
    `${formatDateHeading(date)}, ${date.slice(0, 4)}`,
    isToday && 'today',
    isFull && 'no available times',
  ]
  return (
    <td className="p-0 text-center">
      <button
        type="button"
        data-focus={isTabStop ? 'date' : undefined}
        disabled={isDisabled}
        tabIndex={isTabStop ? 0 : -1}
        aria-label={name.filter(Boolean).join(', ')}
        aria-current={isToday ? 'date' : undefined}
        aria-pressed={isSelected}
        onClick={() => onChoose(date)}
        className={classNames(
          'relative mx-auto grid h-11 w-full max-w-14 place-items-center rounded-control text-base tabular-nums transition-colors',
          looksOf({ isSelected, isDisabled, isFull, isFree: mark === 'free' }),
        )}
      >
        {Number(date.slice(8))}
        {isToday && (
          <span aria-hidden="true" className="absolute bottom-1.5 h-0.5 w-4 rounded-full bg-current" />
        )}
      </button>
    </td>
  )
}

type Standing = { isSelected: boolean; isDisabled: boolean; isFull: boolean; isFree: boolean }

function looksOf({ isSelected, isDisabled, isFull, isFree }: Standing): string {
  if (isSelected) return 'bg-ink font-semibold text-on-ink'
  if (isDisabled) return 'text-ink-faint opacity-45'
  if (isFull) return 'text-ink-faint line-through hover:bg-sunken'
  return isFree ? 'day-free font-semibold text-ink' : 'text-ink hover:bg-sunken'
}
