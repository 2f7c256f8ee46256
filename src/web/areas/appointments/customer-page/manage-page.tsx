import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CustomerAppointment, CustomerAppointmentStatus } from '#contract/appointments/customer-page.ts'
import { typeUrlOf } from '#core/addresses/public-url.ts'
import { AddToCalendar } from '#web/areas/appointments/bookings/add-to-calendar.tsx'
import { AppointmentSummary } from '#web/areas/appointments/bookings/appointment-summary.tsx'
import { ConfirmEmailForm } from '#web/areas/appointments/bookings/confirm-email.tsx'
import { CANCELLATION_REQUESTED } from '#web/areas/appointments/cancellations/cancellation-view.tsx'
import { useConfirmEmailWasRead } from '#web/shared/answer-email.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { formatLongDate } from '#web/shared/format-date.ts'
import { choosePageTimeZone, formatInPageTimeZone } from '#web/shared/page-clock.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { CancelAppointmentSection } from './cancel-part.tsx'
import { CustomerDetailsSection } from './details-part.tsx'
import { InvalidLinkMessage } from './invalid-link-message.tsx'
import { LaterDatesSection } from './later-dates-part.tsx'
import { customerAppointmentQuery } from './manage-query.ts'
import { MoveAppointmentSection } from './move-part.tsx'
import { CustomerRecordSection } from './record-part.tsx'
import { useFocusOnOutcome } from './use-focus-on-outcome.ts'

/** The page `/manage/{token}`: lets a customer manage one appointment. Source: rule R5. */
export function ManageAppointmentPage({ token }: { token: string }) {
  const { data: view, error, isPending, refetch } = useQuery(customerAppointmentQuery(token))
  const { heading, showOutcome } = useFocusOnOutcome(refetch)
  const title = view === undefined ? null : STANDINGS[view.standing].heading
  useEffect(() => {
    if (title !== null) document.title = `${title} · Meridian`
  }, [title])
  useConfirmEmailWasRead()
  if (isPending) return <LoadingState text="Loading your appointment..." />
  const tryAgain = () => void refetch()
  if (view === undefined) return <InvalidLinkMessage error={error} onRetry={tryAgain} />
  // If a reload fails because the customer is offline, keep showing the appointment. If it fails because the link has
  // expired (as after an erasure), hide it. Source: rule R4.
  if (hasEnded(error)) return <InvalidLinkMessage error={error} onRetry={tryAgain} />
  const { appointment, standing } = view
  const bookingPath = typeUrlOf(paths.book(appointment.calendar_slug), appointment.appointment_type_id)
  if (standing === 'awaits_email_code') {
    return (
      <ConfirmEmailForm
        appointment={appointment}
        kept={null}
        bookingPath={bookingPath}
        takesFocus={false}
        onConfirmed={tryAgain}
      />
    )
  }
  const part = { token, view, onChanged: refetch }
  const { text } = STANDINGS[standing]
  return (
    <div className="grid gap-6">
      <section className="grid gap-6 rounded-card border border-line bg-surface p-5 shadow-card sm:p-6">
        <div>
          <h1 ref={heading} tabIndex={-1} className="scroll-mt-8 rounded-sm text-3xl sm:text-4xl">
            {title}
          </h1>
          {text !== null && <p className="mt-2 max-w-[65ch] text-ink-soft">{text}</p>}
        </div>
        <AppointmentSummary appointment={appointment}>
          {view.can_change && (
            <div className="pb-3 sm:pt-3">
              <AddToCalendar appointment={appointment} token={token} />
            </div>
          )}
        </AppointmentSummary>
        <MovedLine view={view} />
        <div className="flex flex-wrap gap-3 empty:hidden">
          <MoveAppointmentSection {...part} showOutcome={showOutcome} />
          <CancelAppointmentSection {...part} showOutcome={showOutcome} />
          {standing === 'cancelled' && (
            <ButtonLink variant="primary" href={bookingPath}>
              Make Another Booking
            </ButtonLink>
          )}
        </div>
      </section>
      <LaterDatesSection {...part} showOutcome={showOutcome} />
      <CustomerDetailsSection {...part} />
      <CustomerRecordSection {...part} />
    </div>
  )
}

/** Shows the previous time of a moved appointment, for customers who open the page from an earlier email. */
function MovedLine({ view: { moved_from, appointment, standing } }: { view: CustomerAppointment }) {
  if (moved_from === null || standing === 'cancelled') return null
  const before = formatInPageTimeZone(choosePageTimeZone(appointment), moved_from, formatLongDate)
  return <p className="text-ink-soft">Moved from {before}.</p>
}

/** The page's heading and text, by the appointment's state. */
const STANDINGS = {
  upcoming: { heading: 'Your appointment', text: null },
  past: { heading: 'Your appointment', text: 'This appointment has started or ended.' },
  cancelled: { heading: 'Appointment Cancelled', text: 'This appointment has been cancelled.' },
  pending_cancellation: {
    heading: 'Cancellation Pending',
    text: CANCELLATION_REQUESTED,
  },
  awaits_payment: {
    heading: 'Awaiting payment',
    text: 'We’ll book this appointment as soon as your payment arrives.',
  },
  awaits_email_code: { heading: 'Confirm your email address', text: null },
} as const satisfies Record<CustomerAppointmentStatus, { heading: string; text: string | null }>

function hasEnded(error: Error | null): error is ApiProblem {
  return error instanceof ApiProblem && (error.status === 404 || error.status === 410)
}
