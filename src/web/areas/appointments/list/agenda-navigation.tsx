import { useState } from 'react'
import { isDate } from '#core/shared/zoned-time.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { CONTROL_CLASS } from '#web/ui/field-frame.tsx'
import { ChevronLeft } from '#web/ui/icons/chevron-left.ts'
import { ChevronRight } from '#web/ui/icons/chevron-right.ts'

type AgendaNavigationProps = {
  /** The unit that the buttons name, as in "Previous day". */
  unit: 'day' | 'week'
  date: string
  isToday: boolean
  onStep: (steps: 1 | -1) => void
  onToday: () => void
  onDate: (date: string) => void
}

/** Lets the owner go to the previous or next day or week, to today, or to a date. */
export function AgendaNavigation({ unit, date, isToday, onStep, onToday, onDate }: AgendaNavigationProps) {
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Button aria-label={`Previous ${unit}`} className="px-0! min-w-11" onClick={() => onStep(-1)}>
        <ChevronLeft aria-hidden="true" className="size-5 shrink-0 rtl:-scale-x-100" />
      </Button>
      <Button disabled={isToday} onClick={onToday}>
        Today
      </Button>
      <Button aria-label={`Next ${unit}`} className="px-0! min-w-11" onClick={() => onStep(1)}>
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 rtl:-scale-x-100" />
      </Button>
      <DateField key={date} date={date} onDate={onDate} />
    </div>
  )
}

/** Lets the owner enter a date. Applies it on Enter or blur, because the date is incomplete while a year is typed. */
function DateField({ date, onDate }: Pick<AgendaNavigationProps, 'date' | 'onDate'>) {
  const [typed, setTyped] = useState(date)
  return (
    // The date beside the arrows needs no visible label, and a label above it would take a line from the week.
    <input
      aria-label="Go to date"
      title="Go to date"
      type="date"
      className={classNames(CONTROL_CLASS, 'w-44')}
      min="1970-01-01"
      max="2200-12-31"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => event.key === 'Enter' && go()}
      onBlur={go}
    />
  )

  function go(): void {
    if (!isDate(typed)) setTyped(date)
    else if (typed !== date) onDate(typed)
  }
}
