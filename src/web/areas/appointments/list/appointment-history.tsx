import { useQuery } from '@tanstack/react-query'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { formatShortDate, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { appointmentHistoryQuery } from './appointment-queries.ts'

/** Lists the changes to an appointment and the people who made them, newest first. Source: rule G24. */
export function AppointmentHistory({ appointment }: { appointment: AppointmentRow }) {
  const { data: entries, error, refetch } = useQuery(appointmentHistoryQuery(appointment))
  if (entries === undefined && error !== null) {
    return <ErrorState title="Failed to load the history" hint={error.message} onRetry={() => refetch()} />
  }
  if (entries === undefined) {
    return (
      <p role="status" className="flex items-center gap-2 text-ink-soft">
        <Spinner /> Loading the history...
      </p>
    )
  }
  if (entries.length === 0) return <p className="text-ink-soft">No history yet.</p>
  return (
    <ul aria-label="History" className="divide-y divide-line border-t border-line">
      {entries.map(({ id, at, text }) => (
        <li key={id} className="py-2.5">
          <p className="wrap-anywhere">{text}</p>
          <p className="text-sm text-ink-soft">{whenOf(at, appointment)}</p>
        </li>
      ))}
    </ul>
  )
}

/** Formats an instant in the calendar's time zone: `Dec 1, 2026, 9:30 AM`. */
function whenOf(at: string, { time_zone, hour_cycle }: AppointmentRow): string {
  return `${formatShortDate(localDateOf(at, time_zone))}, ${formatTime(at, time_zone, hour_cycle)}`
}
