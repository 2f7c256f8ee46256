import { type ReactNode, type RefObject, useId } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { dayOfWeek } from '#core/shared/zoned-time.ts'
import { EmailText } from '#web/kit/email-text.tsx'
import {
  formatDayOfWeek,
  formatLongDate,
  formatShortDate,
  formatTime,
  localDateOf,
} from '#web/shared/format-date.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { paths } from '#web/shared/paths.ts'
import { TextWithPhoneLinks } from '#web/shared/phone-text.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { AppointmentActions } from './appointment-actions.tsx'
import { AppointmentAnswers } from './appointment-answers.tsx'
import { AppointmentBadges, LOCATION_NOT_SHARED_WARNING } from './appointment-badges.tsx'
import { AppointmentMessages } from './appointment-messages.tsx'
import { AppointmentTimes } from './appointment-times.tsx'
import { describeSession, isSeat } from './group-sessions.ts'
import { CopyReference } from './reference-line.tsx'
import { RefundNotice } from './refund-notice.tsx'
import { SeriesPart } from './series-part.tsx'

type AppointmentDetailsProps = {
  appointment: AppointmentRow
  /** The heading with the customer's name, which gets the focus when the details open. */
  heading: RefObject<HTMLHeadingElement | null>
  /** The button that closes the details, if nothing else does. */
  closeButton?: ReactNode
}

/** Everything about an appointment: what its compact row leaves out, and all actions. Source: rule V2. */
export function AppointmentDetails({ appointment, heading, closeButton }: AppointmentDetailsProps) {
  const { id, customers, calendar_id, date, booked_by, is_offer, series } = appointment
  const badgesId = useId()
  return (
    <div className="flex flex-col gap-4">
      <div>
        <div className="flex items-start justify-between gap-2">
          <h3
            ref={heading}
            tabIndex={-1}
            className="min-w-0 rounded-sm text-xl font-semibold wrap-anywhere outline-offset-4"
          >
            <bdi>{customers.name || 'Unknown'}</bdi>
          </h3>
          {closeButton}
        </div>
        {customers.client_id && (
          <Badge className="mt-2 min-w-0 wrap-anywhere whitespace-normal!">
            Client #{customers.client_id}
          </Badge>
        )}
        <p className="mt-2 font-semibold">
          <span>{formatDayOfWeek(dayOfWeek(date))}</span>, <span>{formatLongDate(date)}</span>
        </p>
        <p>
          <AppointmentTimes appointment={appointment} />
        </p>
      </div>
      {/* Read aloud when the appointment changes elsewhere, but not when another appointment is opened. */}
      <div key={id} id={badgesId} aria-live="polite">
        <AppointmentBadges appointment={appointment} />
      </div>
      <RequestNotice appointment={appointment} />
      <RefundNotice appointment={appointment} />
      {!is_offer && <AppointmentActions key={`actions ${id}`} appointment={appointment} />}
      <Facts appointment={appointment} />
      {appointment.has_answers && <AppointmentAnswers key={`answers ${id}`} appointment={appointment} />}
      {series !== null && <SeriesPart key={`series ${id}`} appointment={{ ...appointment, series }} />}
      {booked_by === 'owner' && <p className="text-sm text-ink-soft">Booked by you</p>}
      <AppointmentMessages key={`messages ${id}`} appointment={appointment} />
      <a
        href={paths.customer(calendar_id, customers.id)}
        className="self-start rounded-sm text-link underline underline-offset-4"
      >
        All appointments of this customer
      </a>
    </div>
  )
}

/** Says when the customer asked to cancel. */
function RequestNotice({ appointment }: { appointment: AppointmentRow }) {
  const { status, cancellation_asked_at: askedAt, time_zone, hour_cycle } = appointment
  if (status !== 'pending_cancellation' || askedAt === null) return null
  const when = `${formatShortDate(localDateOf(askedAt, time_zone))}, ${formatTime(askedAt, time_zone, hour_cycle)}`
  return (
    <Notice tone="warning" title="The customer has asked to cancel">
      Requested {when}.
    </Notice>
  )
}

/** The facts that the specification lists for a row, as pairs of a term and its value. */
function Facts({ appointment }: { appointment: AppointmentRow }) {
  const { customers, appointment_types, title, typed_title, is_online, price, currency, location } =
    appointment
  const { fee_note, booking_reference, stripe_payment_intent_id, description } = appointment
  const { email, phone, phone_numbers } = customers
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-2 border-t border-line pt-4 @min-[15rem]:grid-cols-[5.5rem_minmax(0,1fr)]">
      <Fact term="Type">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-medium wrap-anywhere">{appointment_types?.name ?? title}</span>
          {is_online && <Badge tone="info">Online</Badge>}
        </span>
      </Fact>
      {isSeat(appointment) && <Fact term="Session">{describeSession(appointment).taken} seats taken</Fact>}
      {typed_title !== null && appointment_types !== null && <Fact term="Title">“{typed_title}”</Fact>}
      {price !== null && price > 0 && (
        <Fact term="Price">
          <Badge>{formatMoney(price, currency)}</Badge>
        </Fact>
      )}
      {price === null && fee_note !== null && <Fact term="Price">{fee_note}</Fact>}
      <Fact term="Email">
        {email ? (
          <a href={`mailto:${email}`} className="text-link underline underline-offset-4">
            <EmailText email={email} />
          </a>
        ) : (
          'No email'
        )}
      </Fact>
      {phone && (
        <Fact term="Phone">
          <TextWithPhoneLinks
            phone={phone}
            numbers={phone_numbers}
            linkClass="inline-block min-h-6 text-link underline underline-offset-4"
          />
        </Fact>
      )}
      {location !== null && (
        <Fact term="Location">
          {[location.name, location.address].filter(Boolean).join(', ')}
          {appointment.location_withdrawn && (
            <span className="block text-sm">{LOCATION_NOT_SHARED_WARNING}</span>
          )}
        </Fact>
      )}
      <Fact term="Booking reference">
        <CopyReference
          term="Booking reference"
          reference={booking_reference}
          done="Booking reference copied to clipboard"
        />
      </Fact>
      {stripe_payment_intent_id !== null && (
        <Fact term="Payment ID">
          <CopyReference
            term="Payment ID"
            reference={stripe_payment_intent_id}
            done="Payment ID copied to clipboard"
          />
        </Fact>
      )}
      {description && (
        <Fact term="Description">
          <span className="whitespace-pre-line">{description}</span>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-sm leading-6 text-ink-soft">{term}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}
