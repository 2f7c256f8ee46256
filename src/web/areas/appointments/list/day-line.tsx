import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { SANDBOX_LABEL } from '#core/payments/provider-names.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { formatTime, formatWeekday, formatZone, localDateOf } from '#web/shared/format-date.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { hasSameLocalTime } from '#web/shared/page-clock.ts'
import { Button } from '#web/ui/button.tsx'
import { LOCATION_NOT_SHARED_WARNING } from './appointment-badges.tsx'
import { CollapsedAppointment } from './appointment-line.tsx'
import { DelayMenu } from './delay-menu.tsx'
import { chooseRepresentative, describeSession } from './group-sessions.ts'
import { formatInOwnTimeZone } from './list-clock.ts'
import { ContactLinks, MarkPaidButton } from './quick-actions.tsx'
import type { DayAppointment } from './saved-day.ts'
import { isNamedOnline } from './service-name.ts'

type DayLineProps = {
  appointment: DayAppointment
  /** The complete appointment; null while offline, when its actions are not available. */
  row: AppointmentRow | null
  /** The time zone of the list. */
  zone: string
  now: string
  /** True if the list has several calendars, so that the line has the colour of its calendar. */
  isOfSeveral: boolean
  /** True to name the service in the line, where there is space. */
  hasService?: boolean
  /** True for a seat of a session, whose line above has the time. */
  isSeat?: boolean
  onOpen: (appointment: AppointmentRow) => void
}

/** An appointment in the owner's day, on one line that opens. Source: rules Y2 and Y3. */
export function DayLine(props: DayLineProps) {
  const { appointment, row, zone, now, isOfSeveral, hasService = false, isSeat = false, onOpen } = props
  return (
    <CollapsedAppointment
      appointment={appointment}
      when={
        isSeat ? undefined : <When appointment={appointment} zone={zone} today={localDateOf(now, zone)} />
      }
      color={isOfSeveral ? appointment.calendar_color : undefined}
      note={hasService ? (appointment.appointment_types?.name ?? appointment.title) : undefined}
      isOver={appointment.ends_at <= now}
    >
      <DayDetails appointment={appointment} row={row} zone={zone} onOpen={onOpen} />
    </CollapsedAppointment>
  )
}

type SessionLineProps = Omit<DayLineProps, 'appointment' | 'row' | 'hasService' | 'isSeat'> & {
  seats: readonly DayAppointment[]
  /** The complete appointments by id; empty while offline. */
  rowOf: ReadonlyMap<string, AppointmentRow>
}

/** A session in the owner's day: one line, which opens to the lines of its people. Source: rule B59. */
export function SessionLine({ seats, rowOf, ...line }: SessionLineProps) {
  const { zone, now, isOfSeveral } = line
  const appointment = chooseRepresentative(seats)
  if (appointment === undefined) return null
  const { name, taken } = describeSession(appointment)
  return (
    <CollapsedAppointment
      appointment={appointment}
      name={`${wrapInBidiIsolates(name)}, ${taken}`}
      when={<When appointment={appointment} zone={zone} today={localDateOf(now, zone)} />}
      color={isOfSeveral ? appointment.calendar_color : undefined}
      isOver={appointment.ends_at <= now}
    >
      <ul className="divide-y divide-line border-t border-line ps-6">
        {seats.map((seat) => (
          <li key={seat.id}>
            <DayLine {...line} isSeat appointment={seat} row={rowOf.get(seat.id) ?? null} />
          </li>
        ))}
      </ul>
    </CollapsedAppointment>
  )
}

type WhenProps = { appointment: DayAppointment; zone: string; today: string }

/**
 * Shows the start in the list's time zone, with the weekday if the date is before today. Shows it in the calendar's own
 * zone, too, if the clock time differs there.
 */
function When({ appointment, zone, today }: WhenProps) {
  const { starts_at, hour_cycle } = appointment
  const date = localDateOf(starts_at, zone)
  const own = formatInOwnTimeZone(appointment, zone)
  return (
    <>
      {date < today && `${formatWeekday(date)}, `}
      {formatTime(starts_at, zone, hour_cycle)}
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
  const { starts_at, ends_at, time_zone, hour_cycle, calendar_name, paid_in_sandbox } = appointment
  const what = appointment_types?.name ?? title
  const place = is_online ? 'Online' : [location?.name, location?.address].filter(Boolean).join(', ')
  const facts = [
    `until ${formatTime(ends_at, zone, hour_cycle)}`,
    ...(hasSameLocalTime(starts_at, time_zone, zone) ? [] : [formatZone(time_zone, starts_at)]),
    what,
    ...(typed_title === null || typed_title === what ? [] : [typed_title]),
    ...(price !== null && price > 0 ? [formatMoney(price, currency)] : []),
    ...(paid_in_sandbox ? [SANDBOX_LABEL] : []),
    ...(is_online && isNamedOnline(appointment) ? [] : [place]),
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
