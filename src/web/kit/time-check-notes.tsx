import type { AppointmentTimeCheck } from '#contract/appointments/owner-booking.ts'
import { START_WARNING_SENTENCES } from '#contract/appointments/owner-booking-problems.ts'
import type { OverlappingAppointment } from '#contract/calendars/people.ts'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import { describeConflictOnOtherCalendar } from '#core/appointments/describe-conflict.ts'
import { formatClock } from '#web/shared/format-clock.ts'
import { formatTime, zoneAbbreviation } from '#web/shared/format-date.ts'
import { Notice } from '#web/ui/notice.tsx'
import { AppointmentLink, formatAppointmentTime } from './appointment-reference.tsx'

/** Explains how a clock time is read that a clock change skips or repeats. Source: rule O4. */
export function AmbiguousTimeNote({ judged, typed }: { judged: AppointmentTimeCheck; typed: string }) {
  const { starts_at, time_zone, hour_cycle, reading } = judged
  const start = formatTime(starts_at, time_zone, hour_cycle)
  if (reading === 'skipped' && typed !== '')
    return (
      <p className="mt-1 text-sm">
        {formatClock(typed, hour_cycle)} doesn’t exist on this day, because the clocks go forward. We’ll use{' '}
        {start}.
      </p>
    )
  if (reading !== 'repeated') return null
  return (
    <p className="mt-1 text-sm">
      {start} happens twice on this day, because the clocks go back. We’ll use the first,{' '}
      {zoneAbbreviation(time_zone, starts_at)}.
    </p>
  )
}

type TimeWarningsProps = {
  judged: AppointmentTimeCheck
  /** The error codes whose messages are shown when the time or the location is taken. */
  taken: { readonly busy: ProblemCode; readonly location_taken: ProblemCode }
}

/** Shows the warnings and conflicts of a time before the form is submitted. Renders nothing if the time is free. */
export function TimeWarnings({ judged, taken }: TimeWarningsProps) {
  const { standing, concerns, external_event, appointment_elsewhere, buffer_minutes } = judged
  if (appointment_elsewhere !== null)
    return (
      <Notice tone="danger">
        <ConflictOnOtherCalendar appointment={appointment_elsewhere} bufferMinutes={buffer_minutes} />
      </Notice>
    )
  if (buffer_minutes !== null)
    return <Notice tone="danger">{describeBuffer(external_event, buffer_minutes)}</Notice>
  if (external_event !== null) return <Notice tone="danger">{describeExternalEvent(external_event)}</Notice>
  if (standing !== 'free') {
    const codes = {
      ...taken,
      too_long_ago: 'booking.too_long_ago',
      too_far_ahead: 'booking.too_far_ahead',
    } as const
    return <Notice tone="danger">{PROBLEMS[codes[standing]].title}</Notice>
  }
  if (concerns.length === 0) return null
  return (
    <Notice tone="warning">{concerns.map((concern) => START_WARNING_SENTENCES[concern]).join(' ')}</Notice>
  )
}

type ElsewhereProps = { appointment: OverlappingAppointment; bufferMinutes: number | null }

/** Names the conflicting appointment on another calendar of the same person, with a link. Source: rule T43. */
export function ConflictOnOtherCalendar({ appointment, bufferMinutes }: ElsewhereProps) {
  const { customer_name, calendar_name } = appointment
  return (
    <>
      <p className="wrap-anywhere">
        {describeConflictOnOtherCalendar({
          customerName: customer_name || 'Unknown',
          calendarName: calendar_name,
          bufferMinutes,
        })}
      </p>
      <p className="mt-1 text-sm wrap-anywhere">
        <AppointmentLink appointment={appointment} inNewTab>
          {formatAppointmentTime(appointment)} (
          {zoneAbbreviation(appointment.time_zone, appointment.starts_at)})
        </AppointmentLink>
      </p>
    </>
  )
}

type ExternalEvent = NonNullable<AppointmentTimeCheck['external_event']>

/** Returns the message for a free time that lies within the buffer of another event or appointment. Source: rule O3. */
function describeBuffer(event: ExternalEvent | null, minutes: number): string {
  const what = event === null ? 'another appointment' : nameOf(event)
  return `This time is too close to ${what}: your buffer is ${minutes} minutes. Please choose another time.`
}

/** Returns the message that names the external event at this time. Source: rule G23. */
function describeExternalEvent(event: ExternalEvent): string {
  return `This time is taken by ${nameOf(event)}.`
}

function nameOf({ title, calendar_name }: ExternalEvent): string {
  return `${title === null ? 'an event' : `“${title}”`} in your calendar “${calendar_name}”`
}
