import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PaymentOutcome } from '#contract/payments/checkouts.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { ConfirmedBooking } from './confirmed-booking.tsx'
import { keepBooking, readKeptBooking } from './kept-booking.ts'
import { PageMessage } from './page-message.tsx'
import { PaymentAnswer } from './payment-answer.tsx'
import { isRefusal, paymentQuery } from './payment-query.ts'
import { findLeft, forgetPayment } from './pending-payment.ts'

/** `/payment-success`: the customer comes back from the provider. Source: rule B23. */
export function PaymentSuccessPage({ appointmentId }: { appointmentId: string | null }) {
  if (appointmentId === null) {
    return (
      <DeadEnd
        title="No appointment ID provided"
        hint="The address is not complete. When a payment arrives, we write to you."
      />
    )
  }
  return <Payment appointmentId={appointmentId} />
}

function Payment({ appointmentId }: { appointmentId: string }) {
  const { data, error, isFetching, refetch } = useQuery(paymentQuery(appointmentId))
  const [hasAskedAgain, setAskedAgain] = useState(false)
  const payment = data?.payment
  const [kept] = useState(() => readKeptBooking() ?? findLeft(appointmentId))
  useEffect(() => {
    if (payment === undefined) return
    if (kept !== null) keepBooking(location.href, kept)
    forgetWhatIsOver(payment)
  }, [payment, kept])
  const askAgain = () => {
    setAskedAgain(true)
    void refetch()
  }

  if (data === undefined) {
    if (error === null || isFetching) return <LoadingState text="Loading appointment details..." />
    if (isRefusal(error)) return <DeadEnd title={error.message} />
    return (
      <PageMessage
        title={error.message}
        hint="Failed to load appointment details. Please refresh the page or contact support."
      >
        <Button onClick={askAgain}>Try again</Button>
      </PageMessage>
    )
  }
  const bookingPath = paths.book(data.calendar_slug)
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
    <PaymentAnswer
      outcome={data}
      bookingPath={bookingPath}
      isAsking={isFetching}
      takesFocus={hasAskedAgain}
      onAskAgain={askAgain}
    />
  )
}

/** Nothing that trying again would change. */
function DeadEnd(message: { title: string; hint?: string }) {
  return (
    <PageMessage {...message}>
      <ButtonLink href={paths.home()}>Go Home</ButtonLink>
    </PageMessage>
  )
}

/** An unpaid time is given back when the customer returns to the booking page, so it is remembered until then. */
function forgetWhatIsOver(payment: PaymentOutcome['payment']): void {
  if (payment === 'paid') forgetPayment('hold and draft')
  if (payment === 'refunded' || payment === 'ended') forgetPayment('hold')
}
