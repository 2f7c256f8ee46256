import { formatDateHeading } from '#web/shared/format-date.ts'
import { formatTimeInHalf, formatTimes } from '#web/shared/format-times.ts'
import { classNames } from '#web/ui/class-names.ts'
import { type ExternalEvent, keyOf } from './agenda-layout.ts'

type ExternalBlockProps = {
  event: ExternalEvent
  timeZone: string
  /** Lines of text that fit. */
  lines: number
  isContinued?: boolean | undefined
  /** There is room for its words beside each other. */
  isWide?: boolean | undefined
  className?: string | undefined
  style?: React.CSSProperties | undefined
}

/**
 * Time that is taken in one of the owner's own calendars. It is hatched and nothing can be done with it here, so that it is
 * not taken for an appointment, also without its colour. Source: rule V11.
 */
export function ExternalBlock(props: ExternalBlockProps) {
  const { event, timeZone, lines, isContinued = false, isWide = false, className, style } = props
  const { starts_at, ends_at, calendar_name } = event
  const times = `${formatTimes(starts_at, ends_at, timeZone)}${isContinued ? ' (over midnight)' : ''}`
  const isRow = isWide || lines === 1
  return (
    <p
      style={{ ...style, ...stripeOf(event) }}
      className={classNames(
        BLOCK,
        isRow ? 'flex-row content-start gap-x-2 py-0' : 'flex-col py-0.5',
        isWide && lines > 1 && 'py-0.5',
        className,
      )}
    >
      <span className="sr-only">In your own calendar: </span>
      {isRow && (
        <span aria-hidden={!isWide} className="shrink-0 tabular-nums">
          {isWide ? times : formatTimeInHalf(starts_at, timeZone)}
        </span>
      )}{' '}
      <Title event={event} /> {!isWide && <span className={lines === 1 ? 'sr-only' : LINE}>{times}</span>}{' '}
      <span dir="auto" className={isWide || lines >= 3 ? LINE : 'sr-only'}>
        {calendar_name}
      </span>
    </p>
  )
}

/** The events of a whole day, one below the other. */
export function WholeDayBlocks({ date, events }: { date: string; events: readonly ExternalEvent[] }) {
  return events.map((event) => (
    <p key={keyOf(event)} style={stripeOf(event)} className={classNames(BLOCK, 'flex-row gap-x-2')}>
      <span className="sr-only">In your own calendar, all day {formatDateHeading(date)}: </span>
      <Title event={event} /> <span className="sr-only">{event.calendar_name}</span>
    </p>
  ))
}

function Title({ event }: { event: ExternalEvent }) {
  return (
    <span dir="auto" className={classNames(LINE, 'font-semibold')}>
      {event.title ?? 'Busy'}
    </span>
  )
}

/** The colour that the calendar has at its provider. */
function stripeOf({ color }: ExternalEvent): React.CSSProperties {
  return color === null ? {} : { borderInlineStartColor: color }
}

const BLOCK =
  'external-event flex min-w-0 overflow-hidden rounded-md border border-s-4 border-line-strong px-1.5 text-sm leading-5 text-ink'
const LINE = 'max-w-full min-w-0 truncate'
