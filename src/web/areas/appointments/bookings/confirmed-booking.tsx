import { lazy, Suspense, useState } from 'react'
import type { CreateBookingResponse, PublicAppointment } from '#contract/appointments/bookings.ts'
import { typeUrlOf } from '#core/addresses/public-url.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Mail } from '#web/ui/icons/mail.ts'
import { Notice } from '#web/ui/notice.tsx'
import { AddToCalendar } from './add-to-calendar.tsx'
import { AppointmentSummary } from './appointment-summary.tsx'
import { BookingOutcome, CONFIRMED_HEADING } from './booking-outcome.tsx'
import { FurtherDates } from './further-dates.tsx'
import type { SavedBooking } from './saved-booking.ts'

/** Loaded lazily, because few calendars ask for an email code. */
const ConfirmEmail = lazy(async () => {
  const { ConfirmEmailForm } = await import('./confirm-email.tsx')
  return { default: ConfirmEmailForm }
})

type ConfirmedBookingProps = {
  appointment: PublicAppointment
  /** The path of the booking page without a type. */
  bookingPath: string
  /** Details saved in this tab's history; null if the booking was made in another tab or browser. */
  kept?: SavedBooking | null | undefined
  /** True if the confirmation email could not be queued. */
  withoutEmail?: boolean | undefined
  /** True just after the booking: the heading then takes the focus, and the page says that the booking succeeded. */
  takesFocus?: boolean | undefined
}

/** Shows a booking with its current status: an old link must not show a cancelled appointment as confirmed. Source: rule W10. */
export function ConfirmedBooking(props: ConfirmedBookingProps) {
  const { kept } = props
  const bookingPath = typeUrlOf(props.bookingPath, props.appointment.appointment_type_id)
  const [confirmed, setConfirmed] = useState<CreateBookingResponse | null>(null)
  const appointment = confirmed ?? props.appointment
  const withoutEmail =
    confirmed === null ? (props.withoutEmail ?? false) : !confirmed.confirmation_email_queued
  const takesFocus = confirmed === null ? props.takesFocus : true
  if (appointment.confirm_email_until !== null) {
    const asked = {
      appointment,
      bookingPath,
      kept,
      takesFocus: takesFocus === true,
      onConfirmed: setConfirmed,
    }
    return (
      <Suspense fallback={null}>
        <ConfirmEmail {...asked} />
      </Suspense>
    )
  }
  const isConfirmed = appointment.status === 'confirmed'
  const further = confirmed?.further_dates ?? kept?.further ?? []
  return (
    <BookingOutcome heading={HEADINGS[appointment.status]} bookingPath={bookingPath} takesFocus={takesFocus}>
      {isConfirmed && !withoutEmail && (
        <EmailSentence isNew={takesFocus === true} email={kept?.email} dates={further.length + 1} />
      )}
      {isConfirmed && withoutEmail && (
        <Notice tone="warning" title="Appointment booked but failed to send confirmation email">
          Please note the booking reference.
        </Notice>
      )}
      <AppointmentSummary appointment={appointment} zone={kept?.zone}>
        <FurtherDates appointment={appointment} dates={further} zone={kept?.zone} />
        <UntilThen
          appointment={appointment}
          link={confirmed?.manage_token ?? kept?.link ?? null}
          hasSeries={further.length > 0}
        />
      </AppointmentSummary>
      {isConfirmed && (appointment.appointment_type_price ?? 0) > 0 && (
        <p className="empty:hidden">{PAYMENT_TEXTS[appointment.payment_status]}</p>
      )}
    </BookingOutcome>
  )
}

type EmailSentenceProps = { isNew: boolean; email: string | undefined; dates: number }

/** Says that the booking succeeded if it is new, and where the confirmation was sent. */
function EmailSentence({ isNew, email, dates }: EmailSentenceProps) {
  return (
    <p className="flex items-start gap-2.5">
      <Mail aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-soft" />
      <span className="min-w-0 wrap-anywhere">
        {isNew ? (
          <>
            {dates === 1 ? 'Appointment' : `${dates} appointments`} booked successfully! Confirmation email
            sent.
            {email && <span className="block">It was sent to {email}.</span>}
          </>
        ) : (
          `A confirmation email was sent to ${email || 'the address you gave'}.`
        )}
      </span>
    </p>
  )
}

type UntilThenProps = { appointment: PublicAppointment; link: string | null; hasSeries: boolean }

/**
 * Actions offered until the appointment starts. `link` is the token of the customer's page; null if this browser has not
 * stored it.
 */
function UntilThen({ appointment, link, hasSeries }: UntilThenProps) {
  const { id, status, starts_at: startsAt } = appointment
  const isConfirmed = status === 'confirmed'
  if (Date.parse(startsAt) <= Date.now() || !(isConfirmed || status === 'pending_cancellation')) return null
  return (
    <div className="grid gap-4 pb-3 sm:pt-3 print:hidden">
      <AddToCalendar appointment={appointment} token={link} hasSeries={hasSeries} />
      {isConfirmed && (
        <ButtonLink
          href={link === null ? paths.cancel(id) : paths.manage(link)}
          className="justify-self-start"
        >
          {link === null ? 'Cancel this appointment' : nameChanges(appointment)}
        </ButtonLink>
      )}
    </div>
  )
}

/** Names what the customer can still do on their page, by the policy of the booking. Source: rule Q7. */
function nameChanges({ move_until, cancel_until }: PublicAppointment): string {
  const isAhead = (until: string | null) => until !== null && Date.parse(until) > Date.now()
  const canCancel = isAhead(cancel_until)
  if (isAhead(move_until)) return canCancel ? 'Move or cancel' : 'Move to another time'
  return canCancel ? 'View or cancel' : 'View your booking'
}

const HEADINGS = {
  confirmed: CONFIRMED_HEADING,
  pending_cancellation: 'Cancellation Pending',
  cancelled: 'Appointment Cancelled',
  pending_payment: 'Awaiting payment',
} as const satisfies Record<PublicAppointment['status'], string>

const PAYMENT_TEXTS: Partial<Record<PublicAppointment['payment_status'], string>> = {
  pending: 'Payment will be handled manually.',
  paid: 'Your payment was received.',
}
