import { type ReactNode, type RefObject, useEffect } from 'react'
import type { PublicAppointment } from '#contract/appointments/bookings.ts'
import { CANCELLATION_PROBLEMS } from '#contract/appointments/cancellation-problems.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'

type CancellationViewProps = {
  appointment: PublicAppointment
  summary: ReactNode
  asking: boolean
  headingRef: RefObject<HTMLHeadingElement | null>
  onAsk: () => void
}

/** Shows the appointment, its cancellation's state, and buttons for the possible actions. */
export function CancellationRequestView({
  appointment,
  summary,
  asking,
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
          <ButtonLink variant="primary" href={paths.book(appointment.calendar_slug)}>
            Make Another Booking
          </ButtonLink>
        )}
      </div>
    </section>
  )
}

const ASK = 'Cancel appointment'

/** Returns the heading and text for the appointment's current state. Source: rule B19. */
function describeStatus(
  { status, starts_at }: PublicAppointment,
  nowMs: number,
): { heading: string; text: string } {
  if (status === 'cancelled')
    return { heading: 'Appointment Cancelled', text: 'This appointment has been cancelled.' }
  if (status === 'pending_cancellation') {
    return {
      heading: 'Cancellation Pending',
      text: 'We’ve sent your request. The calendar owner will review it, and you’ll get an email.',
    }
  }
  if (Date.parse(starts_at) <= nowMs)
    return { heading: 'Your appointment', text: CANCELLATION_PROBLEMS['appointment.past'].title }
  if (status === 'pending_payment') {
    return { heading: 'Your appointment', text: CANCELLATION_PROBLEMS['appointment.not_confirmed'].title }
  }
  return { heading: ASK, text: 'Do you want to ask the calendar owner to cancel this appointment?' }
}
