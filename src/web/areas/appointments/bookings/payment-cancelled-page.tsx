import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiProblem } from '#web/shared/api-client.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { BookingOutcome } from './booking-outcome.tsx'
import { forgetPayment, giveBack, type RefundAmount } from './pending-payment.ts'

type PaymentCancelledPageProps = {
  /** null when the address names none: there is nothing to give back. */
  appointmentId: string | null
  slug: string | null
  /** The payment that is removed with it. Source: rule Y10. */
  transactionId: string | null
}

/** `/payment-cancelled`: the customer went back without paying. Source: rule B22. */
export function PaymentCancelledPage({ appointmentId, slug, transactionId }: PaymentCancelledPageProps) {
  const { data, error, isFetching, refetch } = useQuery({
    ...giveBackQuery(appointmentId ?? '', transactionId),
    enabled: appointmentId !== null,
  })
  useEffect(() => {
    if (data !== undefined) forgetPayment('hold')
  }, [data])
  useEffect(() => {
    if (error !== null) toast.error(sentenceFor(error))
  }, [error])
  const isKept = appointmentId !== null && data === 'kept'
  const bookingPath = slug === null ? paths.home() : paths.book(slug)
  return (
    <BookingOutcome
      heading={isKept ? 'Payment Not Cancelled' : 'Payment Cancelled'}
      bookingPath={bookingPath}
      actions={
        <>
          {isKept && (
            <ButtonLink variant="primary" href={paths.paymentSuccess(appointmentId)}>
              See Your Payment
            </ButtonLink>
          )}
          {error !== null && (
            <Button pending={isFetching} pendingLabel="Trying again..." onClick={() => refetch()}>
              Try again
            </Button>
          )}
          <ButtonLink variant={isKept ? 'secondary' : 'primary'} href={bookingPath}>
            Return to Booking
          </ButtonLink>
        </>
      }
    >
      <p role="status" className="text-ink-soft">
        {isFetching ? 'Giving your time back...' : error === null ? TEXTS[data ?? 'gone'] : FAILED}
      </p>
    </BookingOutcome>
  )
}

function giveBackQuery(appointmentId: string, transactionId: string | null) {
  return queryOptions({
    queryKey: ['give-back', appointmentId],
    queryFn: () => giveBack(appointmentId, transactionId),
    retry: false,
    // A command that is sent once: a time that was given back need not be given back again.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
}

const TEXTS = {
  given_back: 'Nothing was paid, and your time was given back.',
  gone: 'There is no open payment.',
  kept: 'This payment is under way or was made already, so your time is kept.',
} as const satisfies Record<RefundAmount, string>
const FAILED = 'Your time becomes free by itself within a few minutes.'

/** Source: rule B22. */
function sentenceFor(error: Error): string {
  return error instanceof ApiProblem && error.status > 0
    ? 'Failed to cancel appointment. Please try again.'
    : 'An error occurred while cancelling your appointment'
}
