import * as at from '#contract/operations/addresses.ts'
import type { AcceptOfferResponse, CustomerWaitingRequest } from '#contract/waiting-list/waiting-list.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { formatDeadline } from './format-start.ts'
import { OfferTime } from './offer-time.tsx'
import { useButtonAction } from './use-attempt.ts'

type Offer = NonNullable<CustomerWaitingRequest['offer']>
type Provider = Offer['providers'][number]

type OfferPartProps = {
  token: string
  view: CustomerWaitingRequest
  offer: Offer
  onChanged: (view: CustomerWaitingRequest) => void
  /** Called when the time is booked, or held until the customer has paid. Opens the next page. */
  onAccepted: (accepted: AcceptOfferResponse) => Promise<void>
  /** Called when the server refuses the action, because the offer has changed. */
  onRefused: () => void
}

const WAYS: Readonly<Record<Provider, string>> = { stripe: 'credit card', paypal: 'PayPal' }

/** Lets the customer accept or decline the offered time. Source: rule Z8. */
export function OfferSection({ token, view, offer, onChanged, onAccepted, onRefused }: OfferPartProps) {
  const { doing, attempt } = useButtonAction<Provider | 'book' | 'decline'>(onRefused)
  const accept = (provider: Provider | null) =>
    attempt(provider ?? 'book', async () => {
      await onAccepted(await callApi(at.acceptOffer, { params: { token }, body: { provider } }))
    })
  const decline = () =>
    attempt('decline', async () => {
      onChanged(await callApi(at.declineOffer, { params: { token } }))
    })
  const isBusy = doing !== null
  /** The action of the primary button: accepting without payment (null), or paying if payment is required. */
  const first = offer.payment === 'required' ? offer.providers[0] : null
  const acceptButton = (provider: Provider | null, label: string) => (
    <Button
      key={label}
      variant={provider === first ? 'primary' : 'secondary'}
      size="lg"
      pending={doing === (provider ?? 'book')}
      pendingLabel="Accepting..."
      disabled={isBusy && doing !== (provider ?? 'book')}
      onClick={() => void accept(provider)}
    >
      {label}
    </Button>
  )
  return (
    <div className="grid gap-5">
      <OfferTime view={view} offer={offer} />
      <p>
        {offer.is_held
          ? `Held for you until ${formatDeadline(offer.expires_at, view)}.`
          : 'This time isn’t held for you. The first person to accept or book it gets it.'}
      </p>
      <p className="text-ink-soft">{offer.policy_text}</p>
      <div className="flex flex-wrap gap-3">
        {offer.payment !== 'required' && acceptButton(null, 'Accept this time')}
        {offer.payment !== 'none' &&
          offer.providers.map((provider) => acceptButton(provider, `Accept and pay by ${WAYS[provider]}`))}
        <Button
          size="lg"
          pending={doing === 'decline'}
          pendingLabel="Declining..."
          disabled={isBusy && doing !== 'decline'}
          onClick={() => void decline()}
        >
          Decline
        </Button>
      </div>
    </div>
  )
}
