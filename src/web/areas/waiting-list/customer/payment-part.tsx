import * as at from '#contract/operations/addresses.ts'
import type { AcceptOfferResponse, WaitingView } from '#contract/waiting-list/waiting-list.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { formatDeadline } from './format-start.ts'
import { OfferTime } from './offer-time.tsx'
import { useAttempt } from './use-attempt.ts'

type PaymentPartProps = {
  token: string
  view: WaitingView
  offer: NonNullable<WaitingView['offer']>
  /** Until when the time is held, an instant. */
  until: string
  onAccepted: (accepted: AcceptOfferResponse) => Promise<void>
  /** Something else became of the offer meanwhile. */
  onRefused: () => void
}

/** Leads whoever accepted a time and has not paid for it back to the payment. Source: rule Z8. */
export function PaymentPart({ token, view, offer, until, onAccepted, onRefused }: PaymentPartProps) {
  const { doing, attempt } = useAttempt<'pay'>(onRefused)
  const pay = () =>
    attempt('pay', async () => {
      // An offer that is accepted twice is booked once, and leads to the same payment.
      await onAccepted(await callApi(at.acceptOffer, { params: { token }, body: {} }))
    })
  return (
    <div className="grid gap-5">
      <OfferTime view={view} offer={offer} />
      <p>Held for you until {formatDeadline(until, view)}.</p>
      <Button
        className="justify-self-start"
        variant="primary"
        size="lg"
        pending={doing !== null}
        pendingLabel="Continuing..."
        onClick={() => void pay()}
      >
        Continue to payment
      </Button>
    </div>
  )
}
