import type { ReactNode } from 'react'
import type { OverlappingAppointment } from '#contract/calendars/people.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { formatShortDate, formatTime, formatWeekday, localDateOf } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'

/** Formats when an appointment takes place, in its calendar's time zone: `Tue, Dec 1, 2026, 9:30 AM – 10:15 AM`. */
export function formatAppointmentTime({
  starts_at,
  ends_at,
  time_zone,
  hour_cycle,
}: OverlappingAppointment): string {
  const date = localDateOf(starts_at, time_zone)
  const [start, end] = [starts_at, ends_at].map((at) => formatTime(at, time_zone, hour_cycle))
  return `${formatWeekday(date)}, ${formatShortDate(date)}, ${start} – ${end}`
}

type AppointmentLinkProps = {
  appointment: OverlappingAppointment
  /** True when the link opens in a new tab, so that a form on this page keeps its text. */
  inNewTab: boolean
  /** The text of the link; defaults to the customer's name. */
  children?: ReactNode
}

/** A link that opens the appointment in its calendar's list. */
export function AppointmentLink({ appointment, inNewTab, children }: AppointmentLinkProps) {
  const { id, calendar_id, customer_name } = appointment
  return (
    <a
      href={paths.calendarSettings(calendar_id, 'appointments', { appointment: id })}
      {...(inNewTab ? { target: '_blank', rel: 'noopener' } : {})}
      className="rounded-control font-semibold wrap-anywhere text-link underline underline-offset-4"
    >
      {children ?? (wrapInBidiIsolates(customer_name) || 'Unknown')}
      {inNewTab && <span className="sr-only"> (opens in a new tab)</span>}
    </a>
  )
}
