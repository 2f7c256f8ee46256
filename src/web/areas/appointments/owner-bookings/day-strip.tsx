import { useQuery } from '@tanstack/react-query'
import type { AgendaDay } from '#contract/appointments/appointments.ts'
import type { AppointmentTimeCheck } from '#contract/appointments/owner-booking.ts'
import {
  chooseShownHours,
  hourOfDay,
  layOutBlocks,
  listFullHours,
  listTimedEntries,
  minutesFromNoon,
  type Stretch,
} from '#web/areas/appointments/list/agenda-layout.ts'
import { agendaQuery, externalEventsQuery } from '#web/areas/appointments/list/appointment-queries.ts'
import { formatHour } from '#web/shared/format-clock.ts'
import { localDateOf } from '#web/shared/format-date.ts'
import { classNames } from '#web/ui/class-names.ts'

/** Every third hour has a label. */
const LABEL_HOURS = 3

/**
 * Shows the day of a checked time as a strip: opening hours, what takes time, and the time itself. Screen readers get the same from
 * the sentences beside it.
 */
export function DayStrip({ calendarId, judged }: { calendarId: string; judged: AppointmentTimeCheck }) {
  const { starts_at, ends_at, time_zone, hour_cycle } = judged
  const date = localDateOf(starts_at, time_zone)
  const { data: agenda } = useQuery(agendaQuery(calendarId, date, 1))
  const { data: events = [] } = useQuery(externalEventsQuery(calendarId, date, 1))
  const day = agenda?.days[0]
  if (agenda === undefined || day === undefined) return <div className="h-14" />
  const taken = agenda.appointments.filter(({ status }) => status !== 'cancelled')
  const blocks = layOutBlocks(day, listTimedEntries(day, taken, events))
  const asked = toStretch(day, { starts_at, ends_at })
  const shown = chooseShownHours([day], [...blocks, asked])
  const minutes = shown.until - shown.from
  const placeOf = ({ from, until }: Stretch) => ({
    insetInlineStart: `${(100 * (from - shown.from)) / minutes}%`,
    width: `${(100 * (until - from)) / minutes}%`,
  })
  const hours = listFullHours(shown).filter((hour) => hourOfDay(hour) % LABEL_HOURS === 0)
  return (
    <div aria-hidden="true" className="pt-1">
      <div className="closed-hours relative h-9 overflow-hidden rounded-control border border-line">
        {day.openings.map((opening) => (
          <div
            key={opening.starts_at}
            className="absolute inset-y-0 bg-surface"
            style={placeOf(toStretch(day, opening))}
          />
        ))}
        {blocks.map((block) => (
          <div
            key={`${block.of.starts_at} ${block.lane}`}
            className="absolute inset-y-1.5 rounded-sm bg-ink-soft/60"
            style={placeOf(block)}
          />
        ))}
        <div
          data-asked=""
          className="absolute inset-y-0 rounded-sm border-2 border-ink bg-noon/40"
          style={placeOf(asked)}
        />
      </div>
      <div className="relative mt-1 h-4 text-sm leading-4 text-ink-soft tabular-nums">
        {hours.map((hour) => (
          <span
            key={hour}
            className={classNames(
              'absolute whitespace-nowrap',
              hour !== shown.from && hour !== shown.until && '-translate-x-1/2 rtl:translate-x-1/2',
              hour === shown.until && '-translate-x-full rtl:translate-x-full',
            )}
            style={{ insetInlineStart: `${(100 * (hour - shown.from)) / minutes}%` }}
          >
            {formatHour(hourOfDay(hour), hour_cycle)}
          </span>
        ))}
      </div>
    </div>
  )
}

function toStretch(day: AgendaDay, { starts_at, ends_at }: { starts_at: string; ends_at: string }): Stretch {
  return {
    from: minutesFromNoon(day, Date.parse(starts_at)),
    until: minutesFromNoon(day, Date.parse(ends_at)),
  }
}
