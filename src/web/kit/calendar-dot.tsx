import { classNames } from '#web/ui/class-names.ts'

type CalendarDotProps = {
  color: string
  /** The size and the margins. */
  className?: string | undefined
}

/** A dot in the colour of a calendar, beside its name. The name says the same, so the dot has no text. */
export function CalendarDot({ color, className = 'me-1.5 size-2.5' }: CalendarDotProps) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'inline-block shrink-0 rounded-full forced-color-adjust-none dark:brightness-140',
        className,
      )}
      style={{ backgroundColor: color }}
    />
  )
}

/** True when the appointments belong to more than one calendar. */
export function areOfSeveralCalendars(appointments: readonly { readonly calendar_id: string }[]): boolean {
  return new Set(appointments.map(({ calendar_id }) => calendar_id)).size > 1
}
