import type { ReactNode } from 'react'
import type { PublicAppointment } from '#contract/bookings.ts'
import { formatDateHeading, formatTime, formatZone, localDateOf } from '#web/shared/format-date.ts'
import { formatEuro } from '#web/shared/format-money.ts'
import { accentStyle } from './accent-style.ts'
import { professionalName } from './professional.ts'

/** What was booked, for somebody who has the link. Source: rule B18. */
export function AppointmentSummary({ appointment }: { appointment: PublicAppointment }) {
  const { starts_at, time_zone, customer_time_zone, appointment_type_price, price_note } = appointment
  const own = customer_time_zone !== null && readsDifferently(appointment, customer_time_zone)
  const place = locationOf(appointment)
  return (
    <dl
      style={accentStyle(appointment.calendar_color)}
      className="grid gap-x-6 border-s-4 border-(--accent) ps-4 sm:grid-cols-[max-content_1fr] sm:gap-y-3"
    >
      <Row term="Date">{formatDay(starts_at, time_zone)}</Row>
      <Row term="Time">
        <ZonedTime
          label=""
          time={formatSpan(appointment, time_zone)}
          zone={formatZone(time_zone, starts_at)}
        />
        {own && (
          <ZonedTime
            label="Your time: "
            time={formatOwn(appointment, customer_time_zone)}
            zone={formatZone(customer_time_zone, starts_at)}
          />
        )}
      </Row>
      <Row term="Professional">{toLines(professionalName(appointment), appointment.calendar_name)}</Row>
      {place && <Row term="Location">{place}</Row>}
      <Row term="Title">{toLines(appointment.title, appointment.appointment_type_name)}</Row>
      {appointment_type_price !== null && (
        <Row term="Price">{toLines(formatEuro(appointment_type_price), price_note)}</Row>
      )}
      {appointment.description && <Row term="Notes">{appointment.description}</Row>}
      <Row term="Booking reference">{appointment.booking_reference}</Row>
    </dl>
  )
}

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-sm text-ink-soft sm:py-0.5">{term}</dt>
      <dd className="min-w-0 pb-3 font-medium whitespace-pre-line wrap-anywhere sm:pb-0">{children}</dd>
    </>
  )
}

/** A time never breaks across lines, and always has its zone. */
function ZonedTime({ label, time, zone }: { label: string; time: string; zone: string }) {
  return (
    <span className="block">
      {label}
      <span className="inline-block">{time}</span>{' '}
      <span className="inline-block font-normal text-ink-soft">{zone}</span>
    </span>
  )
}

/** The location of the appointment, else the calendar's own. */
function locationOf(appointment: PublicAppointment): string | null {
  if (appointment.is_online) return 'Online'
  return toLines(appointment.location_name, appointment.location_address) || appointment.calendar_location
}

/** A line for each that there is, and none twice. */
function toLines(...texts: (string | null)[]): string {
  return [...new Set(texts)].filter(Boolean).join('\n')
}

/** Whether the clocks of another zone differ for this appointment. */
function readsDifferently(appointment: PublicAppointment, timeZone: string): boolean {
  const { starts_at, time_zone } = appointment
  return (
    formatTime(starts_at, timeZone) !== formatTime(starts_at, time_zone) ||
    localDateOf(starts_at, timeZone) !== localDateOf(starts_at, time_zone)
  )
}

/** The time in the customer's zone, with its day when that is another one. */
function formatOwn(appointment: PublicAppointment, timeZone: string): string {
  const { starts_at, time_zone } = appointment
  const sameDay = localDateOf(starts_at, timeZone) === localDateOf(starts_at, time_zone)
  const span = formatSpan(appointment, timeZone)
  return sameDay ? span : `${formatDay(starts_at, timeZone)}, ${span}`
}

/** `Tuesday, December 1, 2026` */
function formatDay(startsAt: string, timeZone: string): string {
  const date = localDateOf(startsAt, timeZone)
  return `${formatDateHeading(date)}, ${date.slice(0, 4)}`
}

/** `9:30 AM – 10:00 AM` */
function formatSpan(appointment: PublicAppointment, timeZone: string): string {
  return `${formatTime(appointment.starts_at, timeZone)} – ${formatTime(appointment.ends_at, timeZone)}`
}
