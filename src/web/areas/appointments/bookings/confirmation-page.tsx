import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfirmEmailWasRead } from '#web/shared/answer-email.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { BookingOutcome, CONFIRMED_HEADING } from './booking-outcome.tsx'
import { ConfirmedBooking } from './confirmed-booking.tsx'
import { PageMessage } from './page-message.tsx'
import { publicAppointmentQuery } from './public-appointment-query.ts'
import { readSavedBooking } from './saved-booking.ts'

type ConfirmationPageProps = {
  /** The calendar's slug; null on a calendar's own host, where paths do not contain the slug. */
  slug: string | null
  appointmentId: string | null
}

/** The confirmation at its own URL, so that the customer can reopen it. Source: rule B18. */
export function ConfirmationPage({ slug, appointmentId }: ConfirmationPageProps) {
  useConfirmEmailWasRead()
  if (appointmentId === null) {
    return (
      <PageMessage
        title="No appointment ID provided"
        hint="This link is incomplete. Please open it again from your confirmation email."
      >
        <ButtonLink href={slug === null ? paths.home() : paths.book(slug)}>
          {slug === null ? 'Go Home' : 'Return to booking'}
        </ButtonLink>
      </PageMessage>
    )
  }
  return <Confirmation slug={slug} appointmentId={appointmentId} />
}

function Confirmation({ slug, appointmentId }: { slug: string | null; appointmentId: string }) {
  const { data, isPending } = useQuery(publicAppointmentQuery(appointmentId))
  const [kept] = useState(readSavedBooking)
  if (isPending) return <LoadingState text="Loading appointment details..." />
  const bookingPath = slug === null ? (data?.public_url ?? paths.home()) : paths.book(slug)
  if (data !== undefined) return <ConfirmedBooking appointment={data} bookingPath={bookingPath} kept={kept} />
  return (
    <BookingOutcome heading={CONFIRMED_HEADING} bookingPath={bookingPath}>
      <Notice tone="warning" role="alert">
        Failed to load appointment details. Please refresh the page or contact support.
      </Notice>
    </BookingOutcome>
  )
}
