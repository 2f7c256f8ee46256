import { type MouseEvent, useState } from 'react'
import type { AgendaDay, AppointmentRow } from '#contract/appointments/appointments.ts'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { formatHour } from '#web/shared/format-clock.ts'
import { formatLongDate, formatWeekday } from '#web/shared/format-date.ts'
import { classNames } from '#web/ui/class-names.ts'
import {
  chooseShownHours,
  type ExternalEvent,
  hourHeightPx,
  hourOfDay,
  layOutBlocks,
  listAllDayEvents,
  listFullHours,
  listTimedEntries,
  type ShownHours,
} from './agenda-layout.ts'
import { DayDialog } from './day-dialog.tsx'
import { AllDayEvents } from './external-block.tsx'
import { describeClockChange, TimeGridDay } from './time-grid-day.tsx'
import { useMoveInGrid } from './use-grid-move.ts'
import { useFittingCount } from './use-has-width.ts'

type TimeGridProps = {
  days: readonly AgendaDay[]
  appointments: readonly AppointmentRow[]
  events: readonly ExternalEvent[]
  timeZone: string
  /** True to name the calendar of each appointment. */
  hasCalendarNames: boolean
  nowMs: number
  onOpen: (appointment: AppointmentRow) => void
  /** Minutes between consecutive start times that customers are offered. */
  slotMinutes: number
  /** Moves an appointment. Resolves when the move has succeeded or failed. */
  onMove: (appointment: AppointmentRow, startsAt: string) => Promise<void>
  /** Called with the start of the slot when the owner presses on an empty part of a day. */
  onPoint?: ((startsAt: string) => void) | undefined
}

/**
 * Shows days side by side, aligned at noon, so that days with 23 or 25 hours fit among the others.
 * Source: rule V7.
 */
export function TimeGrid(props: TimeGridProps) {
  const {
    days,
    appointments,
    events,
    timeZone,
    hasCalendarNames,
    nowMs,
    onOpen,
    slotMinutes,
    onMove,
    onPoint,
  } = props
  const columns = days.map((day) => ({
    day,
    wholeDay: listAllDayEvents(day, events),
    blocks: layOutBlocks(day, listTimedEntries(day, appointments, events)),
  }))
  const allBlocks = columns.flatMap(({ blocks }) => blocks)
  const shown = chooseShownHours(days, allBlocks)
  const hourPx = hourHeightPx(allBlocks)
  const moving = useMoveInGrid({ days, shown, hourPx, slotMinutes, nowMs, timeZone, onMove })
  const { held } = moving
  const maxLanes = Math.max(MIN_LANES, useFittingCount(moving.grid, MIN_LANE_PX * days.length))
  const [listed, setListed] = useState<AgendaDay | undefined>(undefined)
  const [isListOpen, setListOpen] = useState(false)
  const list = (day: AgendaDay) => {
    if (!isPress()) return
    setListed(day)
    setListOpen(true)
  }
  /** False for the click that ends a move, and while an appointment is being moved. */
  const isPress = () => !moving.ignoresClick.current && held === null
  const open = (appointment: AppointmentRow) => {
    if (isPress()) onOpen(appointment)
  }
  const point =
    onPoint === undefined
      ? undefined
      : (event: MouseEvent) => {
          if (isPress()) onPoint(moving.startAt(event))
        }
  const rail = 'grid grid-cols-[3.75rem_1fr]'
  return (
    <div className="border-t border-line">
      {days.length > 1 && (
        <div className={classNames(rail, 'border-b border-line')}>
          <span />
          <div className="flex">
            {days.map((day) => (
              <DayHead key={day.date} day={day} nowMs={nowMs} />
            ))}
          </div>
        </div>
      )}
      {columns.some(({ wholeDay }) => wholeDay.length > 0) && (
        <div className={classNames(rail, 'border-b border-line')}>
          <span aria-hidden="true" className="pt-1.5 pe-3 text-end text-sm leading-4 text-ink-soft">
            All day
          </span>
          <div className="flex">
            {columns.map(({ day, wholeDay }) => (
              <div
                key={day.date}
                className="flex min-w-0 flex-1 flex-col gap-0.5 border-s border-line px-0.5 py-1"
              >
                <AllDayEvents date={day.date} events={wholeDay} isWide={days.length === 1} />
              </div>
            ))}
          </div>
        </div>
      )}
      <div className={rail}>
        <HoursRail shown={shown} hourPx={hourPx} />
        <div ref={moving.grid} className="flex">
          {columns.map(({ day, blocks }, dayIndex) => (
            <TimeGridDay
              key={day.date}
              {...{ day, blocks, shown, hourPx, timeZone, hasCalendarNames, nowMs, held }}
              onOpen={open}
              onPoint={point}
              maxLanes={maxLanes}
              onMore={() => list(day)}
              isWide={days.length === 1}
              ghost={held?.place.dayIndex === dayIndex ? held.place : null}
              movingOf={(appointment, from) => moving.handlersOf(appointment, { dayIndex, from })}
            />
          ))}
        </div>
      </div>
      <p role="status" aria-live="assertive" className={held?.by === 'keyboard' ? MOVE_MODE : 'sr-only'}>
        {moving.said}
      </p>
      {listed !== undefined && (
        <DayDialog
          day={listed}
          open={isListOpen}
          onClose={() => setListOpen(false)}
          {...{ appointments, events, timeZone, hasCalendarNames }}
        />
      )}
    </div>
  )
}

/** Width at which a block is readable, in pixels. */
const MIN_LANE_PX = 80
/** Two blocks side by side are shown even where they are narrower. */
const MIN_LANES = 2

/** The CSS classes of the status line, which stays visible while the owner moves an appointment with the keyboard. */
const MOVE_MODE =
  'sticky bottom-[calc(var(--bottom-bar)+var(--strip)+0.5rem)] z-40 mx-auto mt-2 w-fit max-w-full rounded-control bg-night px-4 py-2 text-on-night shadow-pop'

function DayHead({ day, nowMs }: { day: AgendaDay; nowMs: number }) {
  const isToday = nowMs >= Date.parse(day.starts_at) && nowMs < Date.parse(day.ends_at)
  const change = describeClockChange(day)
  return (
    <div className="min-w-0 flex-1 border-s border-line px-1 py-2 text-center">
      <p className="text-sm text-ink-soft">{formatWeekday(day.date)}</p>
      <p
        className={classNames(
          'mx-auto grid size-9 place-items-center rounded-full text-lg font-semibold tabular-nums',
          isToday && 'bg-ink text-on-ink',
        )}
      >
        <span aria-hidden="true">{Number(day.date.slice(8))}</span>
        <span className="sr-only">{`${formatLongDate(day.date)}${isToday ? ', today' : ''}`}</span>
      </p>
      {change !== null && <p className="text-sm text-balance text-ink-soft">{change}</p>}
    </div>
  )
}

/** The hour scale on the left, with a colour gradient from dawn to dusk. */
function HoursRail({ shown, hourPx }: { shown: ShownHours; hourPx: number }) {
  const hourCycle = useHourCycle()
  const heightPx = ((shown.until - shown.from) / 60) * hourPx
  const noonPx = Math.min(heightPx, Math.max(0, (-shown.from / 60) * hourPx))
  return (
    <div aria-hidden="true" className="relative" style={{ height: heightPx }}>
      <div className="absolute end-0 top-0 w-1 bg-linear-to-b from-dawn to-day" style={{ height: noonPx }} />
      <div className="absolute end-0 bottom-0 w-1 bg-linear-to-b from-day to-dusk" style={{ top: noonPx }} />
      {listFullHours(shown)
        .slice(0, -1)
        .map((hour) => (
          <span
            key={hour}
            className={classNames(
              'absolute end-3 text-sm whitespace-nowrap tabular-nums',
              hour !== shown.from && '-translate-y-1/2',
              hour === 0 ? 'font-display font-semibold text-noon-ink' : 'text-ink-soft',
            )}
            style={{ top: ((hour - shown.from) / 60) * hourPx }}
          >
            {hour === 0 ? 'Noon' : formatHour(hourOfDay(hour), hourCycle)}
          </span>
        ))}
    </div>
  )
}
