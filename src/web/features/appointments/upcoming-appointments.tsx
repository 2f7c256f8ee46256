import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AppointmentRow } from '#contract/appointments.ts'
import { LoadingShape } from '#web/kit/loading-shape.tsx'
import { formatDateHeading, localDateOf } from '#web/shared/format-date.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { AppointmentBadges } from './appointment-badges.tsx'
import { UpcomingPlaceholder } from './appointment-placeholders.tsx'
import { upcomingAppointmentsQuery } from './appointment-queries.ts'
import { AppointmentTimes } from './appointment-times.tsx'
import { ReferenceLine } from './reference-line.tsx'

/** The next appointments over all calendars, day by day. `actions` are buttons in its head. Source: rule V10. */
export function UpcomingAppointments({ actions }: { actions?: ReactNode }) {
  const { data, error, refetch } = useQuery(upcomingAppointmentsQuery)
  const rest = data === undefined ? 0 : data.total - data.appointments.length
  return (
    <Card title="Upcoming appointments" actions={actions}>
      {data === undefined && error === null && (
        <LoadingShape text="Loading appointments...">
          <UpcomingPlaceholder />
        </LoadingShape>
      )}
      {data === undefined && error !== null && (
        <ErrorState title="Failed to load appointments" hint={error.message} onRetry={() => refetch()} />
      )}
      {data?.appointments.length === 0 && (
        <EmptyState
          title="No upcoming appointments"
          hint="Share the link of your booking page with your customers. Every calendar has one to copy."
        />
      )}
      {groupByDate(data?.appointments ?? []).map(([date, appointments]) => (
        <section
          key={date}
          aria-label={fullDate(date)}
          className="border-t border-line py-4 first-of-type:border-0 first-of-type:pt-0"
        >
          <h3 className="mb-1 flex flex-wrap items-center gap-2 font-semibold">
            {fullDate(date)}
            {appointments.some(isToday) && <Badge tone="info">Today</Badge>}
          </h3>
          <ul>
            {appointments.map((appointment) => (
              <li key={appointment.id}>
                <UpcomingItem appointment={appointment} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {rest > 0 && (
        <p className="border-t border-line pt-4 text-ink-soft">
          {rest === 1 ? 'One more appointment follows.' : `${rest} more appointments follow.`} Each calendar
          lists all of its own.
        </p>
      )}
    </Card>
  )
}

function UpcomingItem({ appointment }: { appointment: AppointmentRow }) {
  const { customers, appointment_types, calendar_name, title, booking_reference } = appointment
  return (
    <article
      aria-label={customers.name || 'Unknown'}
      className="grid gap-x-6 gap-y-1 py-2 md:grid-cols-[15rem_minmax(0,1fr)_auto]"
    >
      <p>
        <AppointmentTimes appointment={appointment} />
      </p>
      <div className="min-w-0">
        <p className="font-semibold break-words">{customers.name || 'Unknown'}</p>
        <p className="text-ink-soft break-words">
          {appointment_types?.name ?? title} · {calendar_name}
        </p>
      </div>
      <div className="flex flex-col gap-1 md:items-end">
        <AppointmentBadges appointment={appointment} brief />
        <ReferenceLine
          term="Reference"
          reference={booking_reference}
          done="Booking reference copied to clipboard"
        />
      </div>
    </article>
  )
}

/** Appointments come in order of time; each day becomes one group. */
function groupByDate(appointments: readonly AppointmentRow[]): [string, AppointmentRow[]][] {
  return [...Map.groupBy(appointments, (appointment) => appointment.date)]
}

/** `Tuesday, December 1, 2026`. */
function fullDate(date: string): string {
  return `${formatDateHeading(date)}, ${date.slice(0, 4)}`
}

/** "Today" is the calendar's day, not the browser's. */
function isToday({ date, time_zone }: AppointmentRow): boolean {
  return localDateOf(new Date().toISOString(), time_zone) === date
}
