import { type ReactNode, type RefObject, useEffect } from 'react'
import type { PublicAppointment } from '#contract/appointments/bookings.ts'
import { CANCELLATION_PROBLEMS } from '#contract/appointments/cancellation-problems.ts'
import { typeUrlOf } from '#core/addresses/public-url.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

type CancellationViewProps = {
  appointment: PublicAppointment
  summary: ReactNode
  asking: boolean
  /** Why the last request failed; null if it has not. */
  failure: string | null
  headingRef: RefObject<HTMLHeadingElement | null>
  onAsk: () => void
}

/** Shows the appointment, its cancellation's state, and buttons for the possible actions. */
export function CancellationRequestView({
  appointment,
  summary,
  asking,
  failure,
  headingRef,
  onAsk,
}: CancellationViewProps) {
  const { heading, text } = describeStatus(appointment, Date.now())
  const mayAsk = heading === ASK
  useEffect(() => {
    document.title = `${heading} · Meridian`
  }, [heading])
  return (
    <section className="grid gap-6 rounded-card border border-line bg-surface p-5 shadow-card sm:p-8">
      <div>
        <h1 ref={headingRef} tabIndex={-1} className="rounded-sm text-3xl sm:text-4xl">
          {heading}
        </h1>
        <p className="mt-2 text-ink-soft">{text}</p>
      </div>
      {summary}
      {/* If the appointment cannot be cancelled any longer, the page already says why. */}
      {mayAsk && failure !== null && (
        <Notice tone="danger" role="alert">
          {failure}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {mayAsk && (
          <>
            <Button variant="danger" pending={asking} pendingLabel="Requesting..." onClick={onAsk}>
              Request cancellation
            </Button>
            <ButtonLink href={paths.bookConfirmation(appointment.calendar_slug, appointment.id)}>
              Keep appointment
            </ButtonLink>
          </>
        )}
        {appointment.status === 'cancelled' && (
          <ButtonLink
            variant="primary"
            href={typeUrlOf(paths.book(appointment.calendar_slug), appointment.appointment_type_id)}
          >
            Make Another Booking
          </ButtonLink>
        )}
      </div>
    </section>
  )
}

const ASK = 'Cancel appointment'

/** The text of a page about an appointment whose cancellation has been requested. */
export const CANCELLATION_REQUESTED =
  'Cancellation request submitted successfully. The calendar owner will review your request. You’ll get an email.'

/** Returns the heading and text for the appointment's current state. Source: rule B19. */
function describeStatus(
  { status, starts_at }: PublicAppointment,
  nowMs: number,
): { heading: string; text: string } {
  if (status === 'cancelled')
    return { heading: 'Appointment Cancelled', text: 'This appointment has been cancelled.' }
  if (status === 'pending_cancellation') {
    return { heading: 'Cancellation Pending', text: CANCELLATION_REQUESTED }
  }
  if (Date.parse(starts_at) <= nowMs)
    return { heading: 'Your appointment', text: CANCELLATION_PROBLEMS['appointment.past'].title }
  if (status === 'pending_payment') {
    return { heading: 'Your appointment', text: CANCELLATION_PROBLEMS['appointment.not_confirmed'].title }
  }
  return { heading: ASK, text: 'Do you want to ask the calendar owner to cancel this appointment?' }
}
