import { useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import type { AcceptOfferResponse, WaitingView } from '#contract/waiting.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { formatDateHeading, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { OfferTime } from './offer-time.tsx'

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
  const zone = view.customer_time_zone
  const [isLeaving, setIsLeaving] = useState(false)
  const pay = async () => {
    setIsLeaving(true)
    try {
      // An offer that is accepted twice is booked once, and leads to the same payment.
      await onAccepted(await callApi(at.acceptOffer, { params: { token }, body: {} }))
    } catch (problem) {
      toast.error(problem instanceof ApiProblem ? problem.message : 'Something went wrong. Please try again.')
      setIsLeaving(false)
      onRefused()
    }
  }
  return (
    <div className="grid gap-5">
      <OfferTime view={view} offer={offer} />
      <p>
        Held for you until {formatDateHeading(localDateOf(until, zone))}, {formatTime(until, zone)}.
      </p>
      <Button
        className="justify-self-start"
        variant="primary"
        size="lg"
        pending={isLeaving}
        pendingLabel="Continuing..."
        onClick={() => void pay()}
      >
        Continue to payment
      </Button>
    </div>
  )
}
