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
  /** The instant at which the hold expires. */
  until: string
  onAccepted: (accepted: AcceptOfferResponse) => Promise<void>
  /** Called after a refusal, because the offer has changed. */
  onRefused: () => void
}

/** Lets a customer who has accepted an offer continue to the payment. Source: rule Z8. */
export function PaymentPart({ token, view, offer, until, onAccepted, onRefused }: PaymentPartProps) {
  const { doing, attempt } = useAttempt<'pay'>(onRefused)
  const pay = () =>
    attempt('pay', async () => {
      // Accepting again is idempotent and returns the same payment.
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
