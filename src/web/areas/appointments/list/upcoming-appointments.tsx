import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { areOfSeveralCalendars, CalendarDot } from '#web/kit/calendar-dot.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { workspacePaths } from '#web/kit/workspace-paths.ts'
import { formatDateHeading, formatZone, todayIn } from '#web/shared/format-date.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { AppointmentBadges } from './appointment-badges.tsx'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { UpcomingPlaceholder } from './appointment-placeholders.tsx'
import { upcomingAppointmentsQuery } from './appointment-queries.ts'
import { AppointmentTimes } from './appointment-times.tsx'
import { ReferenceNumber } from './reference-line.tsx'

/** Lists the next appointments in all calendars, by day. `actions` are buttons in the card's header. Source: rule V10. */
export function UpcomingAppointments({ actions }: { actions?: ReactNode }) {
  const query = useQuery(upcomingAppointmentsQuery)
  const { data } = query
  const [opened, setOpened] = useState<AppointmentRow | null>(null)
  const zones = new Set(data?.appointments.map(({ time_zone }) => time_zone))
  const isOfSeveral = areOfSeveralCalendars(data?.appointments ?? [])
  const [first] = data?.appointments ?? []
  const rest = data === undefined ? 0 : data.total - data.appointments.length
  return (
    <Card title="Upcoming appointments" actions={actions}>
      <LoadStatus query={query} loading="Loading appointments..." failed="Failed to load appointments">
        <UpcomingPlaceholder />
      </LoadStatus>
      {data?.appointments.length === 0 && (
        <EmptyState
          title="No upcoming appointments"
          hint="Share your booking link with your customers. You can copy it from each calendar."
        />
      )}
      {first !== undefined && zones.size === 1 && (
        <p className="-mt-2 mb-3 text-sm text-ink-soft">{formatZone(first.time_zone, first.starts_at)}</p>
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
                <UpcomingItem
                  appointment={appointment}
                  zone={zones.size > 1}
                  dot={isOfSeveral}
                  onOpen={setOpened}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {rest > 0 && (
        <p className="border-t border-line pt-4 text-ink-soft">
          {rest} more.{' '}
          <a
            href={workspacePaths.upcomingAppointments()}
            className="inline-block min-h-6 rounded-sm text-link underline underline-offset-4"
          >
            View all
          </a>
        </p>
      )}
      <AppointmentDialog
        // Show the latest version, because the owner may have changed the appointment in the dialog.
        appointment={opened && (data?.appointments.find(({ id }) => id === opened.id) ?? opened)}
        onClose={() => setOpened(null)}
      />
    </Card>
  )
}

type UpcomingItemProps = {
  appointment: AppointmentRow
  zone: boolean
  /** True to show the colour of the calendar. */
  dot: boolean
  onOpen: (appointment: AppointmentRow) => void
}

/** A row of the list. Clicking the row opens the appointment, except on the reference's copy button. Source: rule Y9. */
function UpcomingItem({ appointment, zone, dot, onOpen }: UpcomingItemProps) {
  const { customers, appointment_types, calendar_name, calendar_color, title, booking_reference } =
    appointment
  return (
    <article
      aria-label={customers.name || 'Unknown'}
      className="relative grid gap-x-6 gap-y-1 rounded-control py-2 hover:bg-sunken @2xl:grid-cols-[15rem_minmax(0,1fr)_auto]"
    >
      <p>
        <AppointmentTimes appointment={appointment} zone={zone} />
      </p>
      <div className="min-w-0">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => onOpen(appointment)}
          className="max-w-full text-start font-semibold break-words after:absolute after:inset-0 after:rounded-control"
        >
          {customers.name || 'Unknown'}
        </button>
        <p className="text-ink-soft break-words">
          {dot && <CalendarDot color={calendar_color} />}
          {wrapInBidiIsolates(appointment_types?.name ?? title)} · {wrapInBidiIsolates(calendar_name)}
        </p>
      </div>
      <div className="flex flex-col gap-1 @2xl:items-end">
        <AppointmentBadges appointment={appointment} brief />
        <div className="relative self-start @2xl:self-end">
          <ReferenceNumber
            term="Reference"
            reference={booking_reference}
            done="Booking reference copied to clipboard"
          />
        </div>
      </div>
    </article>
  )
}

/** Groups the appointments by date. Sorts the groups, because dates can be out of order with several time zones. */
function groupByDate(appointments: readonly AppointmentRow[]): [string, AppointmentRow[]][] {
  const groups = [...Map.groupBy(appointments, (appointment) => appointment.date)]
  return groups.sort(([a], [b]) => a.localeCompare(b))
}

/** Formats a date: `Tuesday, December 1, 2026`. */
function fullDate(date: string): string {
  return `${formatDateHeading(date)}, ${date.slice(0, 4)}`
}

/** True if the appointment is today in its calendar's time zone. */
function isToday({ date, time_zone }: AppointmentRow): boolean {
  return todayIn(time_zone) === date
}
