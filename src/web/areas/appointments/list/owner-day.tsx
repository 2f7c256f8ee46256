import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { areOfSeveralCalendars, CalendarDot } from '#web/kit/calendar-dot.tsx'
import { LoadingPlaceholder } from '#web/kit/loading-shape.tsx'
import { useNow } from '#web/kit/use-now.ts'
import { formatRelativeTime } from '#web/shared/format-ago.ts'
import {
  browserTimeZone,
  formatDateHeading,
  formatTime,
  formatWeekday,
  formatZone,
  localDateOf,
} from '#web/shared/format-date.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { hasSameLocalTime } from '#web/shared/page-clock.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { LOCATION_NOT_SHARED_WARNING } from './appointment-badges.tsx'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { CollapsedAppointment } from './appointment-line.tsx'
import { CollapsedAppointmentsPlaceholder } from './appointment-placeholders.tsx'
import { ownerDayQuery } from './appointment-queries.ts'
import { DelayMenu } from './delay-menu.tsx'
import { chooseListTimeZone, formatInOwnTimeZone } from './list-clock.ts'
import { ContactLinks, MarkPaidButton } from './quick-actions.tsx'
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
      {isOld && <OldNotice asOf={shown.as_of} onTryAgain={tryAgain} />}
      <DayLists day={shown} isOld={isOld} rows={isOld ? [] : (data?.appointments ?? [])} onOpen={setOpened} />
      <AppointmentDialog
        appointment={opened && (data?.appointments.find(({ id }) => id === opened.id) ?? opened)}
        onClose={() => setOpened(null)}
      />
    </>
  )
}

function OldNotice({ asOf, onTryAgain }: { asOf: string; onTryAgain: () => void }) {
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
      {formatTime(asOf, zone)} ({formatRelativeTime(asOf, asOf > now ? asOf : now)}). Later bookings and
      changes aren’t shown.
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
  const zone = chooseListTimeZone(day.appointments)
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
  const toLine = (appointment: DayAppointment) => (
    <li key={appointment.id}>
      <CollapsedAppointment
        appointment={appointment}
        when={<When appointment={appointment} zone={zone} today={date} />}
        color={isOfSeveral ? appointment.calendar_color : undefined}
        isOver={appointment.ends_at <= now}
      >
        <DayDetails
          appointment={appointment}
          row={rowOf.get(appointment.id) ?? null}
          zone={zone}
          onOpen={onOpen}
        />
      </CollapsedAppointment>
    </li>
  )
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
          <ul className="divide-y divide-line">{today.map(toLine)}</ul>
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
              <ul className="divide-y divide-line">{appointments.map(toLine)}</ul>
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

/** Names the calendars whose colours the lines have. */
function CalendarLegend({ appointments }: { appointments: readonly DayAppointment[] }) {
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

type WhenProps = { appointment: DayAppointment; zone: string; today: string }

/**
 * Shows the start in the list's time zone, with the weekday if the date is before today. Shows it in the calendar's own
 * zone, too, if the clock time differs there.
 */
function When({ appointment, zone, today }: WhenProps) {
  const { starts_at } = appointment
  const date = localDateOf(starts_at, zone)
  const own = formatInOwnTimeZone(appointment, zone)
  return (
    <>
      {date < today && `${formatWeekday(date)}, `}
      {formatTime(starts_at, zone)}
      {own !== null && <span className="block text-xs text-ink-soft"> {own}</span>}
    </>
  )
}

type DayDetailsProps = {
  appointment: DayAppointment
  row: AppointmentRow | null
  zone: string
  onOpen: (appointment: AppointmentRow) => void
}

function DayDetails({ appointment, row, zone, onOpen }: DayDetailsProps) {
  const { appointment_types, title, typed_title, location, is_online, price, currency } = appointment
  const { starts_at, ends_at, time_zone, calendar_name } = appointment
  const what = appointment_types?.name ?? title
  const facts = [
    `until ${formatTime(ends_at, zone)}`,
    ...(hasSameLocalTime(starts_at, time_zone, zone) ? [] : [formatZone(time_zone, starts_at)]),
    what,
    ...(typed_title === null || typed_title === what ? [] : [typed_title]),
    ...(price !== null && price > 0 ? [formatMoney(price, currency)] : []),
    is_online ? 'Online' : [location?.name, location?.address].filter(Boolean).join(', '),
    calendar_name,
  ]
  return (
    <div className="flex flex-col gap-3 ps-3.5 pb-3">
      <p className="text-ink-soft wrap-anywhere">
        {facts.filter(Boolean).map(wrapInBidiIsolates).join(' · ')}
      </p>
      {row?.location_withdrawn === true && <p className="text-sm">{LOCATION_NOT_SHARED_WARNING}</p>}
      <div className="flex flex-wrap items-center gap-2">
        <ContactLinks appointment={appointment} />
        {row !== null && <DelayMenu appointment={row} />}
        {row !== null && (
          <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={() => onOpen(row)}>
            View details
          </Button>
        )}
        {/* This button is the last one, because it changes its width and then disappears, which would move others. */}
        {row !== null && <MarkPaidButton appointment={row} />}
      </div>
    </div>
  )
}
