import type { Calendar } from '#contract/calendars/calendars.ts'
import { todayIn } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { type DaysWithAppointments, describeRemainingAppointments } from './special-days.ts'

type RemainingAppointmentsProps = {
  calendar: Pick<Calendar, 'id' | 'timezone'>
  days: DaysWithAppointments
}

/** A link to the appointments that stay on closed or changed days. Renders nothing when there are none. Source: rule T36. */
export function RemainingAppointments({ calendar, days }: RemainingAppointmentsProps) {
  if (days.appointments === 0) return null
  return (
    <p className="mt-1 text-sm">
      <a
        href={appointmentsPath(calendar, days)}
        className="rounded-control text-link underline underline-offset-4 touch:-my-2.5 touch:inline-flex touch:min-h-11 touch:items-center"
      >
        {describeRemainingAppointments(days)}
      </a>
    </p>
  )
}

/** Returns the path of the day view for a single day, otherwise of the week that contains the first day that is not over. */
function appointmentsPath(
  { id, timezone }: RemainingAppointmentsProps['calendar'],
  { first_date, last_date }: DaysWithAppointments,
): string {
  const today = todayIn(timezone)
  return paths.calendarSettings(id, 'appointments', {
    view: first_date === last_date ? 'day' : 'week',
    date: first_date < today ? today : first_date,
  })
}
