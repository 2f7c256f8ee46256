import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { SendBooking } from './booking-draft.ts'
import type { OnlinePaymentOptions, PaymentProviderName } from './payment-offer.ts'
import { useCheckout } from './use-checkout.ts'

type PaymentChoiceProps = {
  offer: OnlinePaymentOptions
  slug: string
  pending: boolean
  book: (send: SendBooking) => void
}

/** Lets the customer pay now, with a choice if there are two providers, or book and pay later. Source: rule B7. */
export function PaymentButtons({ offer, slug, pending, book }: PaymentChoiceProps) {
  const sendTo = useCheckout(slug)
  const [step, setStep] = useState<'start' | 'choosing' | 'back'>('start')
  const [pressed, setPressed] = useState<PaymentProviderName | 'later' | null>(null)
  // True if the placeholder button, still in the document during the first render, has focus: our button then takes it.
  const [isInPlaceOfFocused] = useState(() => document.activeElement?.matches('[data-focus="pay"]'))
  const [only, ...others] = offer.providers
  const pay = (provider: PaymentProviderName | null) => {
    if (pending) return
    setPressed(provider ?? 'later')
    book(sendTo(provider))
  }
  /** Validates the form, then asks the customer to choose a provider. Source: rule B7. */
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
  PaymentProviderName,
  string
>

/** Focuses the element, because it replaces the focused button. */
function takeFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}

/** Scrolls the whole element into view. On a phone, focusing alone would leave the providers off the screen. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
