import type { AppointmentRow } from '#contract/appointments.ts'
import { formatTime } from '#web/shared/format-date.ts'
import { formatTimes } from '#web/shared/format-times.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { STATUS_WORDS } from './appointment-badges.tsx'

type AgendaBlockProps = {
  appointment: AppointmentRow
  onOpen: (appointment: AppointmentRow) => void
  /** Lines of text that there is room for. */
  lines: number
  isContinued?: boolean | undefined
  className?: string | undefined
  style?: React.CSSProperties | undefined
}

/** An appointment in a grid or in the list of a day: a button that opens its details. */
export function AgendaBlock({ appointment, onOpen, lines, isContinued, className, style }: AgendaBlockProps) {
  const { starts_at, ends_at, time_zone, status, customers } = appointment
  const [statusWord, tone] = STATUS_WORDS[status]
  const name = customers.name || 'Unknown'
  const what = appointment.appointment_types?.name ?? appointment.title
  const [from, until] = [formatTime(starts_at, time_zone), formatTime(ends_at, time_zone)]
  const times = `${from} – ${until}`
  const isShort = lines === 1
  // A name begins with the words in sight, so that it can be spoken to (WCAG 2.5.3).
  const inSight = `${clockOf(from)} ${name}${status === 'confirmed' ? '' : ` ${statusWord}`}`
  const words = isShort ? [inSight, what, statusWord, times] : [times, name, what, statusWord]
  return (
    <button
      type="button"
      onClick={() => onOpen(appointment)}
      aria-label={words.filter(Boolean).join(', ')}
      aria-haspopup="dialog"
      style={style}
      className={classNames(
        'flex min-w-0 overflow-hidden rounded-md border border-s-4 px-1.5 text-start text-sm leading-5 hover:z-10 hover:shadow-pop focus-visible:z-10',
        isShort ? 'flex-row items-center gap-x-1.5' : 'flex-col py-0.5',
        TONES[tone],
        status === 'cancelled' && 'border-dashed opacity-75',
        className,
      )}
    >
      {isShort ? (
        <>
          <span className="shrink-0 tabular-nums">{clockOf(from)}</span>{' '}
          <span className="min-w-0 truncate font-semibold">{name}</span> {/* The name has the room first. */}
          {status !== 'confirmed' && <span className="min-w-0 shrink-[1000] truncate">{statusWord}</span>}
        </>
      ) : (
        <>
          <span className="w-full shrink-0 truncate font-semibold">{name}</span>
          <span className="w-full shrink-0 truncate tabular-nums">
            {formatTimes(starts_at, ends_at, time_zone)}
            {isContinued && ' (over midnight)'}
          </span>
          {lines > 2 && <span className="w-full shrink-0 truncate font-medium">{statusWord}</span>}
          {lines > 3 && what && <span className="w-full shrink-0 truncate">{what}</span>}
        </>
      )}
    </button>
  )
}

/** `11:00` of `11:00 AM`: the place in the grid says which half of the day it is. */
function clockOf(time: string): string {
  return time.slice(0, -3)
}

const TONES: Record<BadgeTone, string> = {
  neutral: 'border-line-strong bg-sunken text-ink',
  success: 'border-success bg-success-soft text-ink',
  warning: 'border-warning bg-warning-soft text-ink',
  danger: 'border-danger bg-danger-soft text-ink',
  info: 'border-info bg-info-soft text-ink',
  noon: 'border-noon bg-noon-soft text-ink',
}
