import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { formatTimeRange, formatTimeWithoutAmPm } from '#web/shared/format-clock.ts'
import { classNames } from '#web/ui/class-names.ts'
import { CircleAlert } from '#web/ui/icons/circle-alert.ts'
import { Clock } from '#web/ui/icons/clock.ts'
import { X } from '#web/ui/icons/x.ts'
import { STATUS_BADGES } from './appointment-badges.tsx'
import { BlockTimes } from './block-times.tsx'
import { describeSession, isSeat } from './group-sessions.ts'
import { listServiceNames } from './service-name.ts'
import type { MoveHandlers } from './use-grid-move.ts'

type AgendaBlockProps = {
  appointment: AppointmentRow
  /** The time zone of the shown day. */
  timeZone: string
  /** True to name the calendar after the service. */
  hasCalendarName: boolean
  onOpen: (appointment: AppointmentRow) => void
  /** The number of text lines that fit into the block. */
  lines: number
  isContinued?: boolean | undefined
  /** True if the block is wide enough for all texts in one row. */
  isWide?: boolean | undefined
  /** The event handlers that move the appointment; null if it cannot be moved. */
  moving?: MoveHandlers | null | undefined
  /** Must include `absolute` or `relative`, because the status icon is positioned relative to the block. */
  className: string
  style?: React.CSSProperties | undefined
}

/**
 * An appointment in a time grid or day list: a button that opens its details, in the colour of the appointment type. The
 * accessible name begins with the visible text, for voice control (WCAG 2.5.3). Texts that do not fit are for screen
 * readers only. An unconfirmed appointment has an icon and its status as text. Source: rule Y12.
 */
export function AppointmentBlock({
  appointment,
  timeZone,
  hasCalendarName,
  onOpen,
  lines,
  isContinued,
  isWide = false,
  moving = null,
  className,
  style,
}: AgendaBlockProps) {
  const { starts_at, ends_at, hour_cycle, status, customers, color } = appointment
  const [statusWord] = STATUS_BADGES[status]
  const Mark = MARKS[status]
  const session = describeSession(appointment)
  const isSession = isSeat(appointment)
  const words: Words = {
    name: isSession ? session.name : customers.name || 'Unknown',
    what: (isSession ? [session.taken] : listServiceNames(appointment, hasCalendarName))
      .map(wrapInBidiIsolates)
      .join(' · '),
    clock: formatTimeWithoutAmPm(starts_at, timeZone, hour_cycle),
    times: `${formatTimeRange(starts_at, ends_at, timeZone, hour_cycle)}${isContinued ? ' (over midnight)' : ''}`,
    statusWord,
    isConfirmed: status === 'confirmed',
  }
  const isShort = lines === 1
  return (
    <button
      type="button"
      onClick={() => onOpen(appointment)}
      aria-haspopup="dialog"
      data-appointment={appointment.id}
      {...moving}
      // Mix in only a little of the type's colour, so that text is readable on any colour.
      style={{
        ...style,
        borderColor: color,
        backgroundColor: `color-mix(in srgb, ${color} 16%, var(--surface))`,
      }}
      className={classNames(
        'flex min-w-0 overflow-hidden rounded-md border border-s-4 px-1.5 text-start text-sm leading-5 text-ink hover:z-10 hover:shadow-pop focus-visible:z-10',
        isShort && 'flex-row items-center gap-x-1.5',
        !isShort && (isWide ? 'flex-row flex-wrap content-start gap-x-2.5 py-0.5' : 'flex-col py-0.5'),
        Mark !== null && 'pe-6',
        status === 'cancelled' && 'border-dashed line-through opacity-75',
        moving !== null && 'cursor-grab select-none',
        className,
      )}
    >
      {Mark !== null && <Mark aria-hidden="true" className="absolute end-1 top-0.5 size-4 text-warning" />}
      {isWide && <WordsInARow {...words} />}
      {!isWide && isShort && <WordsOfOneLine {...words} />}
      {!isWide && !isShort && <WordsBelowEachOther {...words} lines={lines} />}
    </button>
  )
}

type Words = {
  name: string
  what: string
  clock: string
  times: string
  statusWord: string
  /** True if the appointment is confirmed, in which case its status is not visible. */
  isConfirmed: boolean
}

function WordsInARow({ name, what, times, statusWord, isConfirmed }: Words) {
  return (
    <>
      <span className="shrink-0 tabular-nums">{times}</span>{' '}
      <span dir="auto" className={classNames(PART, 'font-semibold')}>
        {name}
      </span>{' '}
      <span dir="auto" className={PART}>
        {what}
      </span>{' '}
      <span className={isConfirmed ? 'sr-only' : classNames(PART, 'font-medium')}>{statusWord}</span>
    </>
  )
}

function WordsOfOneLine({ name, what, clock, times, statusWord, isConfirmed }: Words) {
  return (
    <>
      <span className="shrink-0 tabular-nums">{clock}</span>{' '}
      <span dir="auto" className="min-w-0 truncate font-semibold">
        {name}
      </span>{' '}
      {/* The status shrinks before the name does. */}
      {!isConfirmed && <span className="min-w-0 shrink-[1000] truncate">{statusWord}</span>}
      <span className="sr-only">{listOf(what, isConfirmed && statusWord, times)}</span>
    </>
  )
}

function WordsBelowEachOther({
  name,
  what,
  clock,
  times,
  statusWord,
  isConfirmed,
  lines,
}: Words & Pick<AgendaBlockProps, 'lines'>) {
  // The third line shows the status of an unconfirmed appointment. Its type then needs a fourth line.
  const isTypeSeen = lines >= (isConfirmed ? 3 : 4)
  const isStatusSeen = !isConfirmed && lines >= 3
  return (
    <>
      <span dir="auto" className={classNames(LINE, 'font-semibold')}>
        {name}
      </span>{' '}
      <BlockTimes {...{ times, clock }} />{' '}
      <span dir="auto" className={isTypeSeen ? LINE : 'sr-only'}>
        {what}
      </span>{' '}
      <span className={isStatusSeen ? classNames(LINE, 'font-medium') : 'sr-only'}>{statusWord}</span>
    </>
  )
}

const LINE = 'w-full shrink-0 truncate'
const PART = 'max-w-full min-w-0 truncate'

function listOf(...words: (string | false | null)[]): string {
  return ` ${words.filter(Boolean).join(' ')}`
}

/** Icons for the states, so that the states do not differ by colour alone. */
const MARKS = {
  confirmed: null,
  pending_cancellation: CircleAlert,
  pending_payment: Clock,
  cancelled: X,
} as const
