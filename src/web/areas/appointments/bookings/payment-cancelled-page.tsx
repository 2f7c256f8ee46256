import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiProblem } from '#web/shared/api-client.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { BookingOutcome } from './booking-outcome.tsx'
import {
  bookingPathBeforePayment,
  deletePendingPayment,
  type ReleaseOutcome,
  releaseHold,
} from './pending-payment.ts'

type PaymentCancelledPageProps = {
  /** The appointment's id in the URL; null if it is missing, in which case there is no hold to release. */
  appointmentId: string | null
  slug: string | null
  /** The id of the payment to remove together with the hold. Source: rule Y10. */
  transactionId: string | null
}

/** The page `/payment-cancelled`: opened when the customer leaves the payment provider without paying. Source: rule B22. */
export function PaymentCancelledPage({ appointmentId, slug, transactionId }: PaymentCancelledPageProps) {
  const { data, error, isFetching, refetch } = useQuery({
    ...releaseHoldQuery(appointmentId ?? '', transactionId),
    enabled: appointmentId !== null,
  })
  useEffect(() => {
    if (data !== undefined) deletePendingPayment('hold')
  }, [data])
  useEffect(() => {
    if (error !== null) toast.error(sentenceFor(error))
  }, [error])
  const isKept = appointmentId !== null && data === 'kept'
  const bookingPath = slug === null ? paths.home() : bookingPathBeforePayment(slug)
  return (
    <BookingOutcome
      heading={isKept ? 'Payment not cancelled' : 'Payment Cancelled'}
      bookingPath={bookingPath}
      actions={
        <>
          {isKept && (
            <ButtonLink variant="primary" href={paths.paymentSuccess(appointmentId)}>
              See your payment
            </ButtonLink>
          )}
          {error !== null && (
            <Button pending={isFetching} pendingLabel="Trying again..." onClick={() => refetch()}>
              Try again
            </Button>
          )}
          <ButtonLink variant={isKept ? 'secondary' : 'primary'} href={bookingPath}>
            Return to booking
          </ButtonLink>
        </>
      }
    >
      <p role="status" className="text-ink-soft">
        {isFetching ? 'Cancelling your payment...' : error === null ? TEXTS[data ?? 'gone'] : FAILED}
      </p>
    </BookingOutcome>
  )
}

function releaseHoldQuery(appointmentId: string, transactionId: string | null) {
  return queryOptions({
    queryKey: ['give-back', appointmentId],
    queryFn: () => releaseHold(appointmentId, transactionId),
    retry: false,
    // This query is a command. Send it only once, because a released hold need not be released again.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
}

const TEXTS = {
  given_back: 'You weren’t charged, and we’re no longer holding your time.',
  gone: 'You have no open payment.',
  kept: 'This payment is in progress or complete, so we’re keeping your time.',
} as const satisfies Record<ReleaseOutcome, string>
const FAILED = 'We’ll release your time within a few minutes.'

/** Returns the error message. Source: rule B22. */
function sentenceFor(error: Error): string {
  return error instanceof ApiProblem && error.status > 0
    ? 'Failed to cancel appointment. Please try again.'
    : 'An error occurred while cancelling your appointment'
}
