import * as at from '#contract/operations/addresses.ts'
import type { AcceptOfferResponse, CustomerWaitingRequest } from '#contract/waiting-list/waiting-list.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { formatDeadline } from './format-start.ts'
import { OfferTime } from './offer-time.tsx'
import { useButtonAction } from './use-attempt.ts'

type PaymentPartProps = {
  token: string
  view: CustomerWaitingRequest
  offer: NonNullable<CustomerWaitingRequest['offer']>
  /** The instant at which the unpaid time is released. */
  until: string
  onAccepted: (accepted: AcceptOfferResponse) => Promise<void>
  /** Called when the server refuses the action, because the offer has changed. */
  onRefused: () => void
}

/** Lets a customer who has accepted an offer pay for it. Source: rule Z8. */
export function OfferPaymentSection({ token, view, offer, until, onAccepted, onRefused }: PaymentPartProps) {
  const { doing, attempt } = useButtonAction<'pay'>(onRefused)
  const pay = () =>
    attempt('pay', async () => {
      // Accepting is idempotent: accepting again returns the same payment.
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
