import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { formatTimeRange, formatTimeWithoutAmPm } from '#web/shared/format-clock.ts'
import { formatDateHeading } from '#web/shared/format-date.ts'
import { classNames } from '#web/ui/class-names.ts'
import { type ExternalEvent, externalEventKey } from './agenda-layout.ts'
import { BlockTimes } from './block-times.tsx'

type ExternalBlockProps = {
  event: ExternalEvent
  timeZone: string
  /** The number of text lines that fit into the block. */
  lines: number
  isContinued?: boolean | undefined
  /** True if the block is wide enough for all texts in one row. */
  isWide?: boolean | undefined
  className?: string | undefined
  style?: React.CSSProperties | undefined
}

/**
 * An event in one of the owner's external calendars. It is hatched and not a button, so that it is not mistaken for an
 * appointment, even without colours. Source: rule V11.
 */
export function ExternalEventBlock(props: ExternalBlockProps) {
  const { event, timeZone, lines, isContinued = false, isWide = false, className, style } = props
  const { starts_at, ends_at, calendar_name } = event
  const hourCycle = useHourCycle()
  const times = `${formatTimeRange(starts_at, ends_at, timeZone, hourCycle)}${isContinued ? ' (over midnight)' : ''}`
  const clock = formatTimeWithoutAmPm(starts_at, timeZone, hourCycle)
  const isRow = isWide || lines === 1
  return (
    <p
      style={{ ...style, ...stripeOf(event) }}
      className={classNames(
        BLOCK,
        isRow ? 'flex-row content-start gap-x-2' : 'flex-col',
        isWide && 'flex-wrap',
        lines > 1 && 'py-0.5',
        className,
      )}
    >
      <span className="sr-only">In your own calendar: </span>
      {isRow && (
        <span aria-hidden={!isWide} className="shrink-0 tabular-nums">
          {isWide ? times : clock}
        </span>
      )}{' '}
      <Title event={event} className={LINE} />{' '}
      {!isWide &&
        (lines === 1 ? <span className="sr-only">{times}</span> : <BlockTimes {...{ times, clock }} />)}{' '}
      <span dir="auto" className={isWide || lines >= 3 ? LINE : 'sr-only'}>
        {calendar_name}
      </span>
    </p>
  )
}

type AllDayBlocksProps = {
  date: string
  events: readonly ExternalEvent[]
  /** True to let the title wrap onto a second line. */
  isWide: boolean
}

/** Shows all-day events below each other. */
export function AllDayEvents({ date, events, isWide }: AllDayBlocksProps) {
  return events.map((event) => (
    <p
      key={externalEventKey(event)}
      style={stripeOf(event)}
      className={classNames(BLOCK, 'flex-row gap-x-2')}
    >
      <span className="sr-only">In your own calendar, all day {formatDateHeading(date)}: </span>
      <Title event={event} className={isWide ? 'wrap-anywhere' : LINE} />{' '}
      <span className="sr-only">{event.calendar_name}</span>
    </p>
  ))
}

function Title({ event, className }: { event: ExternalEvent; className: string }) {
  return (
    <span dir="auto" className={classNames('font-semibold', className)}>
      {event.title ?? 'Busy'}
    </span>
  )
}

/** Returns the style of a stripe in the colour that the calendar has at its provider. */
function stripeOf({ color }: ExternalEvent): React.CSSProperties {
  return color === null ? {} : { borderInlineStartColor: color }
}

const BLOCK =
  'external-event flex min-w-0 overflow-hidden rounded-md border border-s-4 border-line-strong px-1.5 text-sm leading-5 text-ink'
const LINE = 'max-w-full min-w-0 truncate'
