import type { MouseEvent } from 'react'
import type { AgendaDay, AppointmentRow } from '#contract/appointments/appointments.ts'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { formatHour, formatShortTime, formatTimeRange } from '#web/shared/format-clock.ts'
import { formatDateHeading } from '#web/shared/format-date.ts'
import { classNames } from '#web/ui/class-names.ts'
import { AppointmentBlock } from './agenda-block.tsx'
import {
  type CrowdedStretch,
  externalEventKey,
  type GridBlock,
  hourOfDay,
  isExternalEvent,
  limitLanes,
  listFullHours,
  type MinutesFromNoon,
  minutesFromNoon,
  type ShownHours,
} from './agenda-layout.ts'
import { ExternalEventBlock } from './external-block.tsx'
import type { GridPosition } from './grid-move.ts'
import { describeSession, isSeat } from './group-sessions.ts'
import type { MoveHandlers, MovingAppointment } from './use-grid-move.ts'

type TimeGridDayProps = {
  day: AgendaDay
  blocks: readonly GridBlock[]
  shown: ShownHours
  hourPx: number
  timeZone: string
  /** True to name the calendar of each appointment. */
  hasCalendarNames: boolean
  nowMs: number
  onOpen: (appointment: AppointmentRow) => void
  /** Called when the owner presses on an empty part of the day. */
  onPoint?: ((event: MouseEvent) => void) | undefined
  /** The number of blocks that are readable side by side, at least two. */
  maxLanes: number
  /** Called when the owner wants to see the things that have no lane. */
  onMore: () => void
  /** True if the day takes the whole width. */
  isWide: boolean
  /** The appointment that is being moved, or null. `ghost` is its new position, if that is on this day. */
  held: MovingAppointment | null
  ghost: GridPosition | null
  movingOf: (appointment: AppointmentRow, from: MinutesFromNoon) => MoveHandlers | null
}

/** Gap between consecutive appointments, in pixels, so that they look separate. */
const GAP_PX = 2
const LINE_PX = 20
/** Width of the button beside the lanes, in pixels. */
const MORE_PX = 44

/** Shows a day of the grid, with opening hours, lines at noon and at the current time, appointments and external events. */
export function TimeGridDay({
  day,
  blocks,
  shown,
  hourPx,
  timeZone,
  hasCalendarNames,
  nowMs,
  onOpen,
  onPoint,
  maxLanes,
  onMore,
  isWide,
  held,
  ghost,
  movingOf,
}: TimeGridDayProps) {
  const toPx = (at: MinutesFromNoon) => ((at - shown.from) / 60) * hourPx
  const clip = (at: MinutesFromNoon) => Math.min(shown.until, Math.max(shown.from, at))
  const stretchPx = (fromIso: string, untilIso: string) => {
    const [from, until] = [
      clip(minutesFromNoon(day, Date.parse(fromIso))),
      clip(minutesFromNoon(day, Date.parse(untilIso))),
    ]
    return { top: toPx(from), height: toPx(until) - toPx(from) }
  }
  const { shown: shownBlocks, crowded } = limitLanes(blocks, maxLanes)
  const now = minutesFromNoon(day, nowMs)
  const isNowShown =
    nowMs >= Date.parse(day.starts_at) && nowMs < Date.parse(day.ends_at) && now === clip(now)
  return (
    <section
      aria-label={formatDateHeading(day.date)}
      className="closed-hours relative min-w-0 flex-1 border-s border-line"
      style={{ height: toPx(shown.until) }}
    >
      {day.openings.map((opening) => (
        <div
          key={opening.starts_at}
          className="absolute inset-x-0 bg-surface"
          style={stretchPx(opening.starts_at, opening.ends_at)}
        />
      ))}
      {listFullHours(shown)
        .slice(0, -1)
        .map((hour) => (
          <HourLine key={hour} hour={hour} topPx={toPx(hour)} day={day} timeZone={timeZone} />
        ))}
      {onPoint !== undefined && (
        // Only for pointers: the keyboard has the button "New appointment" with a typed time.
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          data-point=""
          className="absolute inset-0 cursor-cell"
          onClick={onPoint}
        />
      )}
      {shownBlocks.map((block) => {
        const heightPx = toPx(block.until) - toPx(block.from) - GAP_PX
        const isCrowded = block.lanes > maxLanes
        const lanes = isCrowded ? maxLanes - 1 : block.lanes
        const room = isCrowded ? `(100% - ${MORE_PX}px)` : '100%'
        const common = {
          lines: Math.max(1, Math.floor((heightPx - 6) / LINE_PX)),
          isContinued: block.isContinued,
          isWide: isWide && 2 * lanes <= maxLanes,
          className: 'absolute',
          style: {
            top: toPx(block.from),
            height: heightPx,
            insetInlineStart: `calc(${room} * ${block.lane / lanes} + 2px)`,
            width: `calc(${room} / ${lanes} - 4px)`,
          },
        }
        return isExternalEvent(block.of) ? (
          <ExternalEventBlock
            key={externalEventKey(block.of)}
            event={block.of}
            timeZone={timeZone}
            {...common}
          />
        ) : (
          <AppointmentBlock
            key={block.of.id}
            appointment={block.of}
            timeZone={timeZone}
            hasCalendarName={hasCalendarNames}
            onOpen={onOpen}
            moving={movingOf(block.of, block.from)}
            {...common}
            className={classNames('absolute', held?.appointment.id === block.of.id && 'opacity-40')}
          />
        )
      })}
      {crowded.map((stretch) => (
        <MoreButton
          key={stretch.from}
          stretch={stretch}
          day={day}
          timeZone={timeZone}
          topPx={toPx(stretch.from)}
          heightPx={toPx(stretch.until) - toPx(stretch.from) - GAP_PX}
          onPress={onMore}
        />
      ))}
      {held !== null && ghost !== null && (
        <Ghost
          held={held}
          startsAt={new Date(Date.parse(day.noon_at) + ghost.from * 60_000).toISOString()}
          timeZone={timeZone}
          topPx={toPx(ghost.from)}
          heightPx={(held.lengthMinutes / 60) * hourPx - GAP_PX}
        />
      )}
      {isNowShown && <NowLine topPx={toPx(now)} />}
    </section>
  )
}

type MoreButtonProps = {
  stretch: CrowdedStretch
  day: AgendaDay
  timeZone: string
  topPx: number
  heightPx: number
  onPress: () => void
}

/** Shows how many things have no lane, and opens the list of the day. */
function MoreButton({ stretch, day, timeZone, topPx, heightPx, onPress }: MoreButtonProps) {
  const hourCycle = useHourCycle()
  const toInstant = (at: MinutesFromNoon) => new Date(Date.parse(day.noon_at) + at * 60_000).toISOString()
  const times = formatTimeRange(toInstant(stretch.from), toInstant(stretch.until), timeZone, hourCycle)
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={`+${stretch.count} more, ${times}`}
      onClick={onPress}
      className="absolute end-0.5 overflow-hidden rounded-md border border-line-strong bg-surface text-sm font-semibold whitespace-nowrap text-ink tabular-nums hover:bg-sunken"
      style={{ top: topPx, height: heightPx, width: MORE_PX - 4 }}
    >
      +{stretch.count}
    </button>
  )
}

type GhostProps = {
  held: MovingAppointment
  startsAt: string
  timeZone: string
  topPx: number
  heightPx: number
}

/** Shows where the appointment would be dropped. The status line tells screen readers. */
function Ghost({ held, startsAt, timeZone, topPx, heightPx }: GhostProps) {
  const { appointment, by } = held
  const hourCycle = useHourCycle()
  return (
    <div
      aria-hidden="true"
      data-ghost=""
      className={classNames(
        'pointer-events-none absolute inset-x-0.5 z-30 flex gap-x-2 overflow-hidden rounded-md border-2 border-dashed border-ink bg-surface px-1.5 text-sm leading-5 text-ink shadow-pop',
        by === 'server' && 'animate-pulse',
      )}
      style={{ top: topPx, height: heightPx }}
    >
      <span className="shrink-0 font-semibold tabular-nums">
        {formatShortTime(startsAt, timeZone, hourCycle)}
      </span>
      <span dir="auto" className="min-w-0 truncate">
        {isSeat(appointment) ? describeSession(appointment).name : appointment.customers.name || 'Unknown'}
      </span>
    </div>
  )
}

/** Describes the clock change on a day; null if the day has 24 hours. */
export function describeClockChange(day: AgendaDay): string | null {
  const hours = (Date.parse(day.ends_at) - Date.parse(day.starts_at)) / 3_600_000
  if (hours === 24) return null
  return hours < 24 ? 'Clocks go forward' : 'Clocks go back'
}

/** The line at a full hour. On a day with a clock change, it has a label if its clock time differs from the hour scale. */
function HourLine({
  hour,
  topPx,
  day,
  timeZone,
}: {
  hour: MinutesFromNoon
  topPx: number
  day: AgendaDay
  timeZone: string
}) {
  const hourCycle = useHourCycle()
  const atMs = Date.parse(day.noon_at) + hour * 60_000
  const isOfDay = atMs >= Date.parse(day.starts_at) && atMs < Date.parse(day.ends_at)
  const clock = formatShortTime(new Date(atMs).toISOString(), timeZone, hourCycle)
  const isMoved =
    isOfDay && describeClockChange(day) !== null && clock !== formatHour(hourOfDay(hour), hourCycle)
  return (
    <div
      aria-hidden="true"
      className={classNames(
        'absolute inset-x-0 border-t',
        hour === 0 ? 'border-noon border-t-2' : 'border-line',
      )}
      style={{ top: topPx }}
    >
      {isMoved && (
        <span className="absolute start-1 top-0 rounded-sm bg-surface px-1 text-sm text-ink-soft">
          {clock}
        </span>
      )}
    </div>
  )
}

/** The line at the current time. */
function NowLine({ topPx }: { topPx: number }) {
  return (
    <div
      aria-hidden="true"
      data-now=""
      className="pointer-events-none absolute inset-x-0 z-20 border-t-2 border-ink"
      style={{ top: topPx }}
    >
      <span className="absolute -start-1.5 -top-[7px] size-3 rounded-full border-2 border-ink bg-noon" />
    </div>
  )
}
