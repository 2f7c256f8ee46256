import type { PaymentState } from '#contract/payments/checkouts.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { AppointmentSummary } from './appointment-summary.tsx'
import { BookingOutcome } from './booking-outcome.tsx'
import { NearbyFreeTimes } from './near-times.tsx'

type PaymentStatusMessageProps = {
  outcome: PaymentState
  bookingPath: string
  isAsking: boolean
  /** True to focus the heading, because the content has changed. */
  takesFocus: boolean
  onAskAgain: () => void
}

/** Shows the status of a payment that has not led to a booking, and what the customer can do. Source: rule B23. */
export function PaymentStatusMessage({
  outcome,
  bookingPath,
  isAsking,
  takesFocus,
  onAskAgain,
}: PaymentStatusMessageProps) {
  const { payment, appointment, near_times, hour_cycle } = outcome
  const { heading, text } = ANSWERS[payment]
  const mayAsk = payment === 'open' || payment === 'processing'
  return (
    <BookingOutcome
      heading={heading}
      bookingPath={bookingPath}
      takesFocus={takesFocus}
      actions={
        <>
          {mayAsk && (
            <Button variant="primary" pending={isAsking} pendingLabel="Checking..." onClick={onAskAgain}>
              Check again
            </Button>
          )}
          {payment !== 'processing' && (
            <ButtonLink variant={mayAsk ? 'secondary' : 'primary'} href={bookingPath}>
              Return to booking
            </ButtonLink>
          )}
        </>
      }
    >
      <p className="text-ink-soft">{text}</p>
      {near_times.length > 0 && (
        <NearbyFreeTimes startsAt={near_times} hourCycle={hour_cycle} bookingPath={bookingPath} />
      )}
      {mayAsk && appointment !== null && <AppointmentSummary appointment={appointment} />}
    </BookingOutcome>
  )
}

const PROCESSING = {
  heading: 'Payment processing',
  text: 'Your payment is on its way. We’ll email you when it arrives, so you don’t need to wait here.',
}

const ANSWERS = {
  open: {
    heading: 'Payment not received',
    text: 'We haven’t received your payment. If you’ve just paid, please check again in a moment.',
  },
  processing: PROCESSING,
  // Used when the payment is paid but there is no appointment to show.
  paid: PROCESSING,
  refunded: {
    heading: 'Payment refunded',
    text: 'We couldn’t use your payment for this appointment, so we’re refunding it in full, the way you paid.',
  },
  ended: {
    heading: 'Payment not completed',
    text: 'You weren’t charged, and the time is no longer held. You can choose a time and try again.',
  },
} as const satisfies Record<PaymentState['payment'], { heading: string; text: string }>
