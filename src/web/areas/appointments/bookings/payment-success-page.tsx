import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PaymentState } from '#contract/payments/checkouts.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { ConfirmedBooking } from './confirmed-booking.tsx'
import { PageMessage } from './page-message.tsx'
import { isClientError, paymentStateQuery } from './payment-query.ts'
import { PaymentStatusMessage } from './payment-status-message.tsx'
import { bookingPathBeforePayment, deletePendingPayment, findSavedBeforePayment } from './pending-payment.ts'
import { readSavedBooking, saveBooking } from './saved-booking.ts'

/** The page `/payment-success`, to which the provider redirects the customer. Source: rule B23. */
export function PaymentSuccessPage({ appointmentId }: { appointmentId: string | null }) {
  if (appointmentId === null) {
    return (
      <DeadEnd
        title="No appointment ID provided"
        hint="This link is incomplete. We’ll email you when your payment arrives."
      />
    )
  }
  return <Payment appointmentId={appointmentId} />
}

function Payment({ appointmentId }: { appointmentId: string }) {
  const { data, error, isFetching, refetch } = useQuery(paymentStateQuery(appointmentId))
  const [hasAskedAgain, setAskedAgain] = useState(false)
  const payment = data?.payment
  const [kept] = useState(() => readSavedBooking() ?? findSavedBeforePayment(appointmentId))
  useEffect(() => {
    if (payment === undefined) return
    if (kept !== null) saveBooking(location.href, kept)
    forgetWhatIsOver(payment)
  }, [payment, kept])
  const askAgain = () => {
    setAskedAgain(true)
    void refetch()
  }

  if (data === undefined) {
    if (error === null || isFetching) return <LoadingState text="Loading appointment details..." />
    if (isClientError(error)) return <DeadEnd title={error.message} />
    return (
      <PageMessage
        title={error.message}
        hint="Failed to load appointment details. Please refresh the page or contact support."
      >
        <Button onClick={askAgain}>Try again</Button>
      </PageMessage>
    )
  }
  const bookingPath = bookingPathBeforePayment(data.calendar_slug)
  if (data.payment === 'paid' && data.appointment !== null) {
    return (
      <ConfirmedBooking
        appointment={data.appointment}
        bookingPath={bookingPath}
        kept={kept}
        takesFocus={hasAskedAgain}
      />
    )
  }
  return (
    <PaymentStatusMessage
      outcome={data}
      bookingPath={bookingPath}
      isAsking={isFetching}
      takesFocus={hasAskedAgain}
      onAskAgain={askAgain}
    />
  )
}

/** Shows an error that a retry would not fix. */
function DeadEnd(message: { title: string; hint?: string }) {
  return (
    <PageMessage {...message}>
      <ButtonLink href={paths.home()}>Go Home</ButtonLink>
    </PageMessage>
  )
}

/** Forgets a finished payment. Keeps an open one, so that the booking page can release its hold. */
function forgetWhatIsOver(payment: PaymentState['payment']): void {
  if (payment === 'paid') deletePendingPayment('hold and draft')
  if (payment === 'refunded' || payment === 'ended') deletePendingPayment('hold')
}
