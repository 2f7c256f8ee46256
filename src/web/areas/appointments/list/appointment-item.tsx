import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { dayOfWeek } from '#core/shared/zoned-time.ts'
import { CalendarDot } from '#web/kit/calendar-dot.tsx'
import { EmailText } from '#web/kit/email-text.tsx'
import { formatDayOfWeek, formatLongDate } from '#web/shared/format-date.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { paths } from '#web/shared/paths.ts'
import { TextWithPhoneLinks } from '#web/shared/phone-text.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { MapPin } from '#web/ui/icons/map-pin.ts'
import { AppointmentActions } from './appointment-actions.tsx'
import { AppointmentBadges, LOCATION_NOT_SHARED_WARNING } from './appointment-badges.tsx'
import { AppointmentMessages } from './appointment-messages.tsx'
import { AppointmentTimes } from './appointment-times.tsx'
import { ReferenceNumber } from './reference-line.tsx'
import { RefundNotice } from './refund-notice.tsx'

type AppointmentItemProps = {
  appointment: AppointmentRow
  /** True to show the time zone; false if the list shows it once for all appointments. */
  zone?: boolean | undefined
  /** True to show the name of the calendar. */
  hasCalendarName?: boolean | undefined
}

/** A row of the owner's list, in two columns if its `@container` is wide enough. Source: rule V2. */
export function AppointmentItem(props: AppointmentItemProps) {
  const { customers, date } = props.appointment
  return (
    <article aria-label={`${customers.name || 'Unknown'}, ${formatLongDate(date)}`}>
      <AppointmentContent {...props} />
    </article>
  )
}

/** The content of a row. Also shown below an expanded `CollapsedAppointment`. */
export function AppointmentContent({ appointment, zone, hasCalendarName = false }: AppointmentItemProps) {
  const { customers, description, booking_reference, stripe_payment_intent_id } = appointment
  return (
    <div className="grid gap-x-6 gap-y-3 py-5 @3xl:grid-cols-[15rem_1fr]">
      <div className="flex flex-col gap-2">
        <div>
          <p className="text-sm font-medium text-ink-soft">{formatDayOfWeek(dayOfWeek(appointment.date))}</p>
          <p className="text-lg font-semibold">{formatLongDate(appointment.date)}</p>
          <p>
            <AppointmentTimes appointment={appointment} zone={zone} />
          </p>
        </div>
        <AppointmentBadges appointment={appointment} />
        {appointment.booked_by === 'owner' && <p className="text-sm text-ink-soft">Booked by you</p>}
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <CustomerLines calendarId={appointment.calendar_id} customer={customers} />
        <AgreedLines appointment={appointment} />
        {hasCalendarName && (
          <p className="text-ink-soft wrap-anywhere">
            <CalendarDot color={appointment.calendar_color} />
            <bdi>{appointment.calendar_name}</bdi>
          </p>
        )}
        {description && <p className="wrap-anywhere whitespace-pre-line text-ink-soft">{description}</p>}
        <div className="flex flex-wrap items-center gap-x-6">
          <ReferenceNumber
            term="Booking reference"
            reference={booking_reference}
            done="Booking reference copied to clipboard"
          />
          {stripe_payment_intent_id !== null && (
            <ReferenceNumber
              term="Payment ID"
              reference={stripe_payment_intent_id}
              done="Payment ID copied to clipboard"
            />
          )}
          {customers.client_id && (
            <Badge className="min-w-0 wrap-anywhere whitespace-normal">Client #{customers.client_id}</Badge>
          )}
        </div>
        <RefundNotice appointment={appointment} />
        {!appointment.is_offer && <AppointmentActions appointment={appointment} />}
        <AppointmentMessages appointment={appointment} />
      </div>
    </div>
  )
}

type CustomerLinesProps = { calendarId: string; customer: AppointmentRow['customers'] }

function CustomerLines({ calendarId, customer }: CustomerLinesProps) {
  return (
    <div>
      <p className="text-lg font-semibold wrap-anywhere">
        <a href={paths.customer(calendarId, customer.id)} className="rounded-sm hover:underline">
          {customer.name || 'Unknown'}
        </a>
      </p>
      <p className="flex flex-wrap gap-x-4 text-ink-soft">
        {customer.email ? (
          <a href={`mailto:${customer.email}`} className="min-w-0 text-link underline underline-offset-4">
            <EmailText email={customer.email} />
          </a>
        ) : (
          'No email'
        )}
        {customer.phone && (
          <TextWithPhoneLinks
            phone={customer.phone}
            numbers={customer.phone_numbers}
            linkClass="inline-block min-h-6 text-link underline underline-offset-4"
          />
        )}
      </p>
    </div>
  )
}

/**
 * Shows the details of the booking: the service (or the title if the calendar has no services), the title typed by the
 * customer, the price and the location. Source: rules B12 and Y11.
 */
function AgreedLines({ appointment }: { appointment: AppointmentRow }) {
  const { appointment_types, title, typed_title, is_online, price, currency, location } = appointment
  return (
    <div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-medium wrap-anywhere">{appointment_types?.name ?? title}</span>
        {is_online && <Badge tone="info">Online</Badge>}
        {price !== null && price > 0 && <Badge>{formatMoney(price, currency)}</Badge>}
      </p>
      {typed_title !== null && appointment_types !== null && <p className="wrap-anywhere">“{typed_title}”</p>}
      {location !== null && (
        <p className="flex items-start gap-1.5 text-ink-soft">
          <MapPin aria-hidden="true" className="mt-1 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            {[location.name, location.address].filter(Boolean).join(', ')}
          </span>
        </p>
      )}
      {appointment.location_withdrawn && <p className="text-sm">{LOCATION_NOT_SHARED_WARNING}</p>}
    </div>
  )
}
