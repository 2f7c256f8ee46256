import type { AgendaDay, AppointmentRow } from '#contract/appointments/appointments.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { formatDateHeading, formatTime } from '#web/shared/format-date.ts'
import { Badge } from '#web/ui/badge.tsx'
import { AppointmentBlock } from './agenda-block.tsx'
import {
  type ExternalEvent,
  externalEventKey,
  isExternalEvent,
  layOutBlocks,
  listAllDayEvents,
  listTimedEntries,
} from './agenda-layout.ts'
import { AllDayEvents, ExternalEventBlock } from './external-block.tsx'
import { describeClockChange } from './time-grid-day.tsx'

type DayListsProps = {
  days: readonly AgendaDay[]
  appointments: readonly AppointmentRow[]
  events: readonly ExternalEvent[]
  timeZone: string
  /** True to name the calendar of each appointment. */
  hasCalendarNames: boolean
  nowMs: number
  onOpen: (appointment: AppointmentRow) => void
}

/** Shows a week on a narrow screen: the days are below each other, with opening hours and appointments. */
export function WeekAsDayLists({ days, nowMs, ...entries }: DayListsProps) {
  const { timeZone } = entries
  const hourCycle = useHourCycle()
  return (
    <div className="divide-y divide-line border-t border-line">
      {days.map((day) => {
        const isToday = nowMs >= Date.parse(day.starts_at) && nowMs < Date.parse(day.ends_at)
        const change = describeClockChange(day)
        return (
          <section
            key={day.date}
            aria-label={formatDateHeading(day.date)}
            className="flex flex-col gap-2 py-4"
          >
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <h3 className="text-lg font-semibold">{formatDateHeading(day.date)}</h3>
              {isToday && <Badge tone="noon">Today</Badge>}
            </div>
            <p className="text-sm text-ink-soft">
              {hoursText(day, timeZone, hourCycle)}
              {change !== null && ` · ${change}`}
            </p>
            <DayEntries {...entries} day={day} />
          </section>
        )
      })}
    </div>
  )
}

type DayEntriesProps = Omit<DayListsProps, 'days' | 'nowMs'> & { day: AgendaDay }

/** Lists the appointments and events of a day below each other. */
export function DayEntries({
  day,
  appointments,
  events,
  timeZone,
  hasCalendarNames,
  onOpen,
}: DayEntriesProps) {
  const blocks = layOutBlocks(day, listTimedEntries(day, appointments, events))
  return (
    <>
      <AllDayEvents date={day.date} events={listAllDayEvents(day, events)} isWide />
      {blocks.map(({ of, isContinued }) => {
        const common = {
          lines: 4,
          isContinued,
          className: 'relative py-1.5 *:leading-normal *:break-words *:whitespace-normal',
        }
        return isExternalEvent(of) ? (
          <ExternalEventBlock key={externalEventKey(of)} event={of} timeZone={timeZone} {...common} />
        ) : (
          <AppointmentBlock
            key={of.id}
            appointment={of}
            timeZone={timeZone}
            hasCalendarName={hasCalendarNames}
            onOpen={onOpen}
            {...common}
          />
        )
      })}
      {blocks.every(({ of }) => isExternalEvent(of)) && <p className="text-ink-soft">No appointments</p>}
    </>
  )
}

function hoursText(day: AgendaDay, timeZone: string, hourCycle: HourCycle): string {
  if (day.openings.length === 0) return 'Closed'
  return day.openings
    .map((opening) =>
      [opening.starts_at, opening.ends_at].map((at) => formatTime(at, timeZone, hourCycle)).join(' – '),
    )
    .join(', ')
}
