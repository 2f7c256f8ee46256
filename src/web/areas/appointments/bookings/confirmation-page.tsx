import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { EMAIL_LINK_MARK } from '#contract/messages/email-link-mark.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { BookingOutcome, CONFIRMED } from './booking-outcome.tsx'
import { ConfirmedBooking } from './confirmed-booking.tsx'
import { readKeptBooking } from './kept-booking.ts'
import { PageMessage } from './page-message.tsx'

type ConfirmationPageProps = {
  /** null on a host of its own, where the address does not name the calendar. */
  slug: string | null
  appointmentId: string | null
}

/** The confirmation as a page that can be opened again. Source: rule B18. */
export function ConfirmationPage({ slug, appointmentId }: ConfirmationPageProps) {
  useEffect(() => {
    if (!location.hash.startsWith(EMAIL_LINK_MARK)) return
    // Downloaded only where an email led here. The page is complete without it.
    import('#web/shared/answer-email.ts').then(
      ({ answerWhenUsed }) => answerWhenUsed(),
      () => {},
    )
  }, [])
  if (appointmentId === null) {
    return (
      <PageMessage
        title="No appointment ID provided"
        hint="The link is not complete. Please open it again from your confirmation email."
      >
        <ButtonLink href={slug === null ? paths.home() : paths.book(slug)}>
          {slug === null ? 'Go Home' : 'Return to Booking'}
        </ButtonLink>
      </PageMessage>
    )
  }
  return <Confirmation slug={slug} appointmentId={appointmentId} />
}

function Confirmation({ slug, appointmentId }: { slug: string | null; appointmentId: string }) {
  const { data, isPending } = useQuery(appointmentQuery(appointmentId))
  const [kept] = useState(readKeptBooking)
  if (isPending) return <LoadingState text="Loading appointment details..." />
  const bookingPath = slug === null ? (data?.public_url ?? paths.home()) : paths.book(slug)
  if (data !== undefined) return <ConfirmedBooking appointment={data} bookingPath={bookingPath} kept={kept} />
  return (
    <BookingOutcome heading={CONFIRMED} bookingPath={bookingPath}>
      <Notice tone="warning" role="alert">
        Failed to load appointment details. Please refresh the page or contact support.
      </Notice>
    </BookingOutcome>
  )
}

function appointmentQuery(id: string) {
  return queryOptions({
    queryKey: ['appointment', id],
    queryFn: ({ signal }) => callApi(at.getPublicAppointmentDetails, { params: { id }, signal }),
  })
}
