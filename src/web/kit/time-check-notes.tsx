import type { AppointmentTimeCheck } from '#contract/appointments/owner-booking.ts'
import { START_REASON_SENTENCES } from '#contract/appointments/owner-booking-problems.ts'
import type { OverlappingAppointment } from '#contract/calendars/people.ts'
import { describeConflict, describeOverlap } from '#core/appointments/describe-conflict.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { LOCALE } from '#core/shared/locale.ts'
import { describeReachedLimit } from '#core/slots/describe-limit.ts'
import { describeBookableDates } from '#core/slots/describe-window.ts'
import {
  isFinalReason,
  isOverlapReason,
  type OverlapReason,
  type StartReason,
} from '#core/slots/explain-start.ts'
import { formatClock } from '#web/shared/format-clock.ts'
import {
  formatShortDay,
  formatTime,
  localDateOf,
  todayIn,
  zoneAbbreviation,
} from '#web/shared/format-date.ts'
import { paths, type SettingsTab } from '#web/shared/paths.ts'
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

type TimeReasonsProps = {
  calendarId: string
  judged: AppointmentTimeCheck
}

/**
 * Says why the owner should not book a time: a conflict, or that customers are not offered it. Renders nothing if nothing
 * speaks against it. The owner can book although the calendar is paused. Source: rule O2.
 */
export function TimeWarnings({ calendarId, judged }: TimeReasonsProps) {
  const reasons = judged.reasons.filter((reason) => reason !== 'paused')
  if (reasons.length === 0) return null
  const isRefused = reasons.some(isFinalReason)
  return (
    <Notice
      tone={isRefused ? 'danger' : 'warning'}
      title={isRefused ? undefined : 'Why customers aren’t offered this time'}
    >
      <TimeReasons calendarId={calendarId} judged={{ ...judged, reasons }} />
    </Notice>
  )
}

/**
 * Lists everything that speaks against a time, each with a link to the setting or appointment. The links open a new tab, so that
 * a form on this page keeps its text.
 */
export function TimeReasons({ calendarId, judged }: TimeReasonsProps) {
  return (
    <ul className="flex flex-col gap-3">
      {judged.reasons.map((reason) => (
        <li key={reason}>
          <TimeReason {...{ reason, calendarId, judged }} />
        </li>
      ))}
    </ul>
  )
}

function TimeReason({ reason, calendarId, judged }: TimeReasonsProps & { reason: StartReason }) {
  const { conflicting_appointment, buffer_minutes, reached_limits, bookable_dates } = judged
  if (isOverlapReason(reason) && conflicting_appointment !== null)
    return (
      <ConflictingAppointment
        appointment={conflicting_appointment}
        reason={reason}
        bufferMinutes={buffer_minutes}
      />
    )
  const isLimitOfType = reason === 'limit' && reached_limits.every(({ is_of_type }) => is_of_type)
  const isWindowOfType = reason === 'window' && bookable_dates.is_of_type
  const setting = isLimitOfType || isWindowOfType ? TYPES : SETTINGS[reason]
  return (
    <>
      <p className="wrap-anywhere">{describeReason(reason, judged)}</p>
      {setting !== null && (
        <p className="mt-1 text-sm">
          <a
            href={paths.calendarSettings(calendarId, setting.tab)}
            target="_blank"
            rel="noopener"
            className="rounded-control font-semibold text-link underline underline-offset-4"
          >
            {setting.label}
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        </p>
      )}
    </>
  )
}

function describeReason(reason: StartReason, judged: AppointmentTimeCheck): string {
  const { external_event, buffer_minutes, reached_limits } = judged
  // Source: rules G23 and O3.
  if (isOverlapReason(reason) && external_event !== null)
    return describeOverlap(nameOf(external_event), { reason, bufferMinutes: buffer_minutes })
  if (reason === 'limit') return reached_limits.map(describeReachedLimit).join(' ')
  if (reason === 'window') {
    const today = todayIn(judged.time_zone)
    return `${START_REASON_SENTENCES.window} ${describeBookableDates(judged.bookable_dates, today)}`
  }
  if (reason === 'special_day' && judged.special_day !== null)
    return describeSpecialDay(judged.special_day, judged.hour_cycle)
  if (reason === 'unchecked' && judged.unchecked_calendars.length > 0)
    return judged.unchecked_calendars.map((calendar) => describeUnchecked(calendar, judged)).join(' ')
  return START_REASON_SENTENCES[reason]
}

type SpecialDay = NonNullable<AppointmentTimeCheck['special_day']>

/** Says the hours of special days, and the owner's note about them. */
function describeSpecialDay({ note, hours }: SpecialDay, hourCycle: HourCycle): string {
  const ranges = hours.map(
    ({ start_time, end_time }) =>
      `${formatClock(start_time, hourCycle)} – ${formatClock(end_time, hourCycle)}`,
  )
  const day = ranges.length === 0 ? 'Closed' : `Open only ${LIST.format(ranges)}`
  return note === null ? `${day}, as a special day.` : `${day}: ${note}`
}

const LIST = new Intl.ListFormat(LOCALE)

type UncheckedCalendar = AppointmentTimeCheck['unchecked_calendars'][number]

/** Says since when an external calendar could not be read. */
function describeUnchecked(
  { name, account_name, read_at }: UncheckedCalendar,
  { time_zone, hour_cycle }: AppointmentTimeCheck,
): string {
  const calendar = `“${name}” (${account_name})`
  if (read_at === null) return `We have not been able to read ${calendar} yet.`
  const day = formatShortDay(localDateOf(read_at, time_zone))
  return `We have not been able to read ${calendar} since ${day}, ${formatTime(read_at, time_zone, hour_cycle)}.`
}

const TYPES = { label: 'Appointment types', tab: 'types' } as const

/** The settings that cause a reason; null if no setting does. */
const SETTINGS: Readonly<Record<StartReason, { readonly label: string; readonly tab: SettingsTab } | null>> =
  {
    too_long_ago: null,
    too_far_ahead: null,
    busy: null,
    preparation: TYPES,
    buffer: { label: 'Buffer', tab: 'availability' },
    location_taken: { label: 'Locations', tab: 'locations' },
    full: TYPES,
    begun: null,
    short_notice: { label: 'Minimum notice', tab: 'availability' },
    window: { label: 'Booking window', tab: 'availability' },
    limit: { label: 'Limits', tab: 'availability' },
    paused: { label: 'Take bookings', tab: 'general' },
    unchecked: { label: 'External calendars', tab: 'integrations' },
    special_day: { label: 'Special days', tab: 'availability' },
    outside_hours: { label: 'Opening hours', tab: 'availability' },
    outside_type_hours: TYPES,
    too_long: { label: 'Longest appointment', tab: 'availability' },
    off_grid: { label: 'Start times', tab: 'availability' },
  }

type ConflictProps = {
  appointment: OverlappingAppointment
  reason: OverlapReason
  bufferMinutes: number | null
}

/** Names the conflicting appointment on this or another calendar of the same person, with a link. Source: rule T43. */
export function ConflictingAppointment({ appointment, reason, bufferMinutes }: ConflictProps) {
  const { customer_name, calendar_name } = appointment
  return (
    <>
      <p className="wrap-anywhere">
        {describeConflict({
          customerName: customer_name || 'Unknown',
          calendarName: calendar_name,
          reason,
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

function nameOf({ title, calendar_name }: ExternalEvent): string {
  return `${title === null ? 'an event' : `“${title}”`} in your calendar “${calendar_name}”`
}
