import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { DEFAULT_HOUR_CYCLE } from '#core/shared/hour-cycle.ts'
import { areOfSeveralCalendars } from '#web/kit/calendar-dot.tsx'
import { LoadingPlaceholder } from '#web/kit/loading-shape.tsx'
import { useNow } from '#web/kit/use-now.ts'
import { formatRelativeTime } from '#web/shared/format-ago.ts'
import {
  browserTimeZone,
  formatDateHeading,
  formatTime,
  formatZone,
  localDateOf,
} from '#web/shared/format-date.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { CollapsedAppointmentsPlaceholder } from './appointment-placeholders.tsx'
import { ownerDayQuery } from './appointment-queries.ts'
import { CalendarLegend } from './calendar-legend.tsx'
import { DayLine, SessionLine } from './day-line.tsx'
import { groupSessions, isSeat } from './group-sessions.ts'
import { chooseListTimeZone } from './list-clock.ts'
import { type DayAppointment, readSavedDay, type SavedDay, saveDay } from './saved-day.ts'

type OwnerDayProps = {
  /** The owner's id; null while offline, when the session is unknown and the saved day is shown. */
  ownerId: string | null
  onTryAgain: () => void
}

/**
 * Lists today's and the next appointments in all calendars, one line each. While offline, shows the saved day, marked as
 * old. Source: rules Y1 and Y7.
 */
export function OwnerDay({ ownerId, onTryAgain }: OwnerDayProps) {
  const { data, error, refetch } = useQuery({ ...ownerDayQuery, enabled: ownerId !== null })
  const [kept] = useState(() => readSavedDay(ownerId, Date.now()))
  const [opened, setOpened] = useState<AppointmentRow | null>(null)
  useEffect(() => {
    if (ownerId !== null && data !== undefined) saveDay(ownerId, data)
  }, [ownerId, data])
  const isOld = ownerId === null || error !== null
  const shown = data ?? (isOld ? kept : null)
  const tryAgain = () => (ownerId === null ? onTryAgain() : void refetch())

  if (shown === null && !isOld) {
    return (
      <LoadingPlaceholder text="Loading your day...">
        <CollapsedAppointmentsPlaceholder />
      </LoadingPlaceholder>
    )
  }
  if (shown === null) {
    return <ErrorState title="Failed to load appointments" hint={error?.message} onRetry={tryAgain} />
  }
  return (
    <>
      {isOld && <OldNotice day={shown} onTryAgain={tryAgain} />}
      <DayLists day={shown} isOld={isOld} rows={isOld ? [] : (data?.appointments ?? [])} onOpen={setOpened} />
      <AppointmentDialog
        appointment={opened && (data?.appointments.find(({ id }) => id === opened.id) ?? opened)}
        onClose={() => setOpened(null)}
      />
    </>
  )
}

function OldNotice({ day: saved, onTryAgain }: { day: SavedDay; onTryAgain: () => void }) {
  const asOf = saved.as_of
  const hourCycle = saved.appointments[0]?.hour_cycle ?? DEFAULT_HOUR_CYCLE
  const now = useNow()
  const zone = browserTimeZone()
  const day = localDateOf(asOf, zone)
  const on = day === localDateOf(now, zone) ? '' : `${formatDateHeading(day)}, `
  return (
    <Notice
      tone="warning"
      title="You’re offline. Showing the last saved day."
      action={
        <Button size="sm" onClick={onTryAgain}>
          Try again
        </Button>
      }
    >
      Last updated {on}
      {formatTime(asOf, zone, hourCycle)} ({formatRelativeTime(asOf, asOf > now ? asOf : now)}). Later
      bookings and changes aren’t shown.
    </Notice>
  )
}

type DayListsProps = {
  day: SavedDay
  isOld: boolean
  /** The complete appointments; empty while offline, when only the saved lines are available. */
  rows: readonly AppointmentRow[]
  onOpen: (appointment: AppointmentRow) => void
}

function DayLists({ day, isOld, rows, onOpen }: DayListsProps) {
  const now = useNow()
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const zone = chooseListTimeZone(day.appointments.map(({ time_zone }) => time_zone))
  const dateOf = ({ starts_at }: DayAppointment) => localDateOf(starts_at, zone)
  const date = localDateOf(now, zone)
  const today = day.appointments.filter((appointment) => dateOf(appointment) <= date)
  const next = [
    ...Map.groupBy(
      day.appointments.filter((appointment) => dateOf(appointment) > date),
      dateOf,
    ),
  ]
  const isOfSeveral = areOfSeveralCalendars(day.appointments)
  const line = { zone, now, isOfSeveral, onOpen }
  const toLine = (appointment: DayAppointment, seats: readonly DayAppointment[]) => (
    <li key={appointment.id}>
      {isSeat(appointment) ? (
        <SessionLine seats={seats} rowOf={rowOf} {...line} />
      ) : (
        <DayLine appointment={appointment} row={rowOf.get(appointment.id) ?? null} {...line} />
      )}
    </li>
  )
  const toLines = (appointments: readonly DayAppointment[]) =>
    groupSessions(appointments).map((seats) => seats[0] && toLine(seats[0], seats))
  const [first] = day.appointments
  return (
    <>
      {first !== undefined && (
        <p className="text-sm text-ink-soft">
          {date !== localDateOf(now, browserTimeZone()) && `${formatDateHeading(date)}, `}
          {formatZone(zone, first.starts_at)}
        </p>
      )}
      {isOfSeveral && <CalendarLegend appointments={day.appointments} />}
      <section
        aria-label="Today"
        className="rounded-card border border-line bg-surface px-4 py-3 shadow-card"
      >
        <h2 className="flex flex-wrap items-center gap-2 text-lg font-semibold">
          Today {isOld && <Badge tone="warning">Old</Badge>}
        </h2>
        {today.length === 0 ? (
          <p className="py-2 text-ink-soft">No appointments today.</p>
        ) : (
          <ul className="divide-y divide-line">{toLines(today)}</ul>
        )}
      </section>
      {next.length > 0 && (
        <section
          aria-label="Next"
          className="rounded-card border border-line bg-surface px-4 py-3 shadow-card"
        >
          <h2 className="text-lg font-semibold">Next</h2>
          {next.map(([day, appointments]) => (
            <div key={day}>
              <p className="pt-2 text-sm font-medium text-ink-soft">{formatDateHeading(day)}</p>
              <ul className="divide-y divide-line">{toLines(appointments)}</ul>
            </div>
          ))}
        </section>
      )}
      {day.appointments.length === 0 && (
        <EmptyState title="No upcoming appointments" hint="Share your booking link with your customers." />
      )}
    </>
  )
}
