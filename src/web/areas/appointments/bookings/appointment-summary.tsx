import type { ReactNode } from 'react'
import type { PublicAppointment } from '#contract/appointments/bookings.ts'
import { formatDateHeading, formatTime, formatZone, localDateOf } from '#web/shared/format-date.ts'
import { toPriceText } from '#web/shared/format-money.ts'
import { choosePageTimeZone, hasSameLocalTime } from '#web/shared/page-clock.ts'
import { accentStyle } from './accent-style.ts'
import type { ZoneKind } from './booking-draft.ts'
import { professionalName } from './professional.ts'

type AppointmentSummaryProps = {
  appointment: PublicAppointment
  /** The time zone in which the customer chose the time; null if unknown. */
  zone?: ZoneKind | null | undefined
  /** Actions shown after the date and time, above the other details. */
  children?: ReactNode
}

/** Shows the details of an appointment that anybody with its link may see. Source: rule B18. */
export function AppointmentSummary({ appointment, zone, children }: AppointmentSummaryProps) {
  const { starts_at } = appointment
  const price = toPriceText(appointment.appointment_type_price, appointment.fee_note)
  const [first, other] = clocksOf(appointment, zone ?? null)
  const date = formatDay(starts_at, first.timeZone)
  const place = findLocationText(appointment)
  return (
    <div
      style={accentStyle(appointment.calendar_color)}
      className="grid gap-3 border-s-4 border-[color:var(--brand-edge,var(--accent))] ps-4"
    >
      <dl className={ROWS}>
        <Row term="Date">{date}</Row>
        <Row term="Time">
          <ZonedTime appointment={appointment} clock={first} shownDate={date} />
          {other !== undefined && <ZonedTime appointment={appointment} clock={other} shownDate={date} />}
        </Row>
      </dl>
      {children}
      <dl className={ROWS}>
        <Row term="Professional">{toLines(professionalName(appointment), appointment.calendar_name)}</Row>
        {place && <Row term="Location">{place}</Row>}
        <Row term="Title">{toLines(appointment.title, appointment.appointment_type_name)}</Row>
        {price && <Row term="Price">{toLines(price, appointment.price_note)}</Row>}
        {appointment.policy_text && <Row term="Changes">{appointment.policy_text}</Row>}
        {appointment.description && <Row term="Notes">{appointment.description}</Row>}
        <Row term="Booking reference">{appointment.booking_reference}</Row>
      </dl>
    </div>
  )
}

const ROWS = 'grid gap-x-6 sm:grid-cols-[9rem_1fr] sm:gap-y-3'

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-sm text-ink-soft sm:py-0.5">{term}</dt>
      <dd className="min-w-0 pb-3 font-medium whitespace-pre-line wrap-anywhere sm:pb-0">{children}</dd>
    </>
  )
}

type Clock = { readonly timeZone: string; readonly label: string }

/**
 * Returns the time zones in which to show the time: first the zone in which the customer chose it, then the other zone
 * if its clock time differs. Source: rule B31.
 */
function clocksOf(appointment: PublicAppointment, chosen: ZoneKind | null): readonly [Clock, Clock?] {
  const { starts_at, time_zone, customer_time_zone } = appointment
  const ofCalendar = { timeZone: time_zone, label: '' }
  if (customer_time_zone === null || hasSameLocalTime(starts_at, customer_time_zone, time_zone))
    return [ofCalendar]
  const own = { timeZone: customer_time_zone, label: 'Your time: ' }
  const isOwnFirst = choosePageTimeZone(appointment, chosen).timeZone === customer_time_zone
  return isOwnFirst ? [own, ofCalendar] : [ofCalendar, own]
}

type ZonedTimeProps = { appointment: PublicAppointment; clock: Clock; shownDate: string }

/** Shows a time on one line, with its zone, and with its date if that differs from `shownDate`. */
function ZonedTime({ appointment, clock: { timeZone, label }, shownDate }: ZonedTimeProps) {
  const date = formatDay(appointment.starts_at, timeZone)
  const span = formatSpan(appointment, timeZone)
  return (
    <span className="block">
      {label}
      <span className="inline-block">{date === shownDate ? span : `${date}, ${span}`}</span>{' '}
      <span className="inline-block font-normal text-ink-soft">
        {formatZone(timeZone, appointment.starts_at)}
      </span>
    </span>
  )
}

/** Returns the location of the appointment, or the calendar's location if the appointment has none. */
export function findLocationText(appointment: PublicAppointment): string | null {
  if (appointment.is_online) return 'Online'
  return toLines(appointment.location_name, appointment.location_address) || appointment.calendar_location
}

/** Joins the texts with line breaks, leaving out empty and repeated ones. */
function toLines(...texts: (string | null)[]): string {
  return [...new Set(texts)].filter(Boolean).join('\n')
}

/** Formats the date of an instant: `Tuesday, December 1, 2026`. */
function formatDay(startsAt: string, timeZone: string): string {
  const date = localDateOf(startsAt, timeZone)
  return `${formatDateHeading(date)}, ${date.slice(0, 4)}`
}

/** Formats the start and end time: `9:30 AM – 10:00 AM`. */
function formatSpan(appointment: PublicAppointment, timeZone: string): string {
  const { starts_at, ends_at, hour_cycle } = appointment
  return `${formatTime(starts_at, timeZone, hour_cycle)} – ${formatTime(ends_at, timeZone, hour_cycle)}`
}
