import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { PaymentOffer, Provider } from './payment-offer.ts'
import type { SendBooking } from './send-booking.ts'
import { useCheckout } from './use-checkout.ts'

type PaymentChoiceProps = {
  offer: PaymentOffer
  slug: string
  pending: boolean
  book: (send: SendBooking) => void
}

/** 'Pay Now', with a choice where two providers take the money, or later. Source: rule B7. */
export function PaymentChoice({ offer, slug, pending, book }: PaymentChoiceProps) {
  const sendTo = useCheckout(slug)
  const [step, setStep] = useState<'start' | 'choosing' | 'back'>('start')
  const [pressed, setPressed] = useState<Provider | 'later' | null>(null)
  // The button that stood here while this part was downloaded is still on the page during the first rendering.
  const [isInPlaceOfFocused] = useState(() => document.activeElement?.matches('[data-focus="pay"]'))
  const [only, ...others] = offer.providers
  const pay = (provider: Provider | null) => {
    if (pending) return
    setPressed(provider ?? 'later')
    book(sendTo(provider))
  }
  /** Asks how to pay once the form is complete. Source: rule B7. */
  const choose = () =>
    book(async () => {
      setStep('choosing')
      return null
    })
  const note = offer.note && <p className="text-ink-soft">{offer.note}</p>
  const stateOf = (button: typeof pressed) => ({
    pending: pending && pressed === button,
    disabled: pending && pressed !== button,
  })

  if (others.length > 0 && step === 'choosing') {
    return (
      <section ref={bringIntoView} aria-labelledby="payment-choice" className="grid scroll-my-4 gap-3">
        <h2 id="payment-choice" ref={takeFocus} tabIndex={-1} className="rounded-sm text-xl">
          How would you like to pay?
        </h2>
        {note}
        <div className="grid gap-3 sm:grid-cols-2">
          {offer.providers.map((provider) => (
            <Button
              key={provider}
              size="lg"
              pendingLabel="Redirecting to payment..."
              {...stateOf(provider)}
              onClick={() => pay(provider)}
            >
              {PROVIDER_LABELS[provider]}
            </Button>
          ))}
        </div>
        <Button
          variant="ghost"
          className="-ms-4 justify-self-start"
          disabled={pending}
          onClick={() => setStep('back')}
        >
          Back
        </Button>
      </section>
    )
  }
  return (
    <>
      {note}
      <div className="grid gap-3 sm:auto-cols-fr sm:grid-flow-col">
        <Button
          ref={step === 'back' || (step === 'start' && isInPlaceOfFocused) ? takeFocus : undefined}
          variant="primary"
          size="lg"
          data-focus="pay"
          pendingLabel="Redirecting to payment..."
          {...stateOf(only ?? null)}
          onClick={() => (others.length > 0 ? choose() : pay(only ?? null))}
        >
          Pay Now
        </Button>
        {!offer.isRequired && (
          <Button size="lg" pendingLabel="Booking..." {...stateOf('later')} onClick={() => pay(null)}>
            Book & Pay Later
          </Button>
        )}
      </div>
    </>
  )
}

const PROVIDER_LABELS = { stripe: 'Credit Card', paypal: 'PayPal' } as const satisfies Record<
  Provider,
  string
>

/** The new element takes the focus from the button that it replaced. */
function takeFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}

/** All of it: on a phone the focus alone would leave the providers below the fold. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
