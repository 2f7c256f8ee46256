import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { CalendarDot } from '#web/kit/calendar-dot.tsx'
import type { DayAppointment } from './saved-day.ts'

type CalendarLegendProps = {
  appointments: readonly Pick<DayAppointment, 'calendar_id' | 'calendar_name' | 'calendar_color' | 'color'>[]
}

/** Names the calendars whose colours the appointments have. */
export function CalendarLegend({ appointments }: CalendarLegendProps) {
  const calendars = new Map(appointments.map((appointment) => [appointment.calendar_id, appointment]))
  return (
    <ul aria-label="Calendars" className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
      {[...calendars.values()].map(({ calendar_id, calendar_name, calendar_color, color }) => (
        <li key={calendar_id} className="min-w-0 wrap-anywhere">
          <CalendarDot color={calendar_color ?? color} />
          {wrapInBidiIsolates(calendar_name)}
        </li>
      ))}
    </ul>
  )
}
