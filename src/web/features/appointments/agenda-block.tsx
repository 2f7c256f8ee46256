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

/**
 * An appointment in a grid or in the list of a day: a button that opens its details. Its words are its name, those in
 * sight first, so that it can be spoken to (WCAG 2.5.3); those that have no room are there to be heard.
 */
export function AgendaBlock({ appointment, onOpen, lines, isContinued, className, style }: AgendaBlockProps) {
  const { starts_at, ends_at, time_zone, status, customers } = appointment
  const [statusWord, tone] = STATUS_WORDS[status]
  const name = customers.name || 'Unknown'
  const what = appointment.appointment_types?.name ?? appointment.title
  const times = `${formatTimes(starts_at, ends_at, time_zone)}${isContinued ? ' (over midnight)' : ''}`
  const isShort = lines === 1
  return (
    <button
      type="button"
      onClick={() => onOpen(appointment)}
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
          <span className="shrink-0 tabular-nums">{clockOf(formatTime(starts_at, time_zone))}</span>{' '}
          <span className="min-w-0 truncate font-semibold">{name}</span> {/* The name has the room first. */}
          {status !== 'confirmed' && <span className="min-w-0 shrink-[1000] truncate">{statusWord}</span>}
          <span className="sr-only">{listOf(status === 'confirmed' && statusWord, what, times)}</span>
        </>
      ) : (
        <>
          <span className={classNames(LINE, 'font-semibold')}>{name}</span>{' '}
          <span className={classNames(LINE, 'tabular-nums')}>{times}</span>{' '}
          <span className={lines > 2 ? classNames(LINE, 'font-medium') : 'sr-only'}>{statusWord}</span>{' '}
          {what && <span className={lines > 3 ? LINE : 'sr-only'}>{what}</span>}
        </>
      )}
    </button>
  )
}

const LINE = 'w-full shrink-0 truncate'

function listOf(...words: (string | false | null)[]): string {
  return ` ${words.filter(Boolean).join(' ')}`
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
