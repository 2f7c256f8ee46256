import { queryOptions, useQuery } from '@tanstack/react-query'
import { Button } from '#web/ui/button.tsx'
import type { SendBooking } from './booking-draft.ts'
import type { OnlinePaymentOptions } from './payment-offer.ts'
import { RetryNotice } from './times-message.tsx'

type SubmitStepProps = {
  /** The ways to pay online; null if no online payment is due. */
  offer: OnlinePaymentOptions | null
  slug: string
  pending: boolean
  /** Submits the form's booking, through `send` if that is given. */
  book: (send?: SendBooking) => void
}

/** Lets the customer submit or pay. The payment buttons' code is downloaded only if an online payment is possible. */
export function SubmitOrPayStep({ offer, slug, pending, book }: SubmitStepProps) {
  const { data: Choice, isError, isFetching, refetch } = useQuery({ ...choiceQuery, enabled: offer !== null })
  if (offer === null) {
    return (
      <Button type="submit" variant="primary" size="lg" pending={pending} pendingLabel="Booking...">
        Book appointment
      </Button>
    )
  }
  if (Choice !== undefined) return <Choice offer={offer} slug={slug} pending={pending} book={book} />
  if (!isError) {
    return (
      <Button variant="primary" size="lg" data-focus="pay" pending>
        Pay Now
      </Button>
    )
  }
  return (
    <RetryNotice title="Failed to initiate payment" isFetching={isFetching} refetch={refetch}>
      Everything you entered is still here.
    </RetryNotice>
  )
}

const choiceQuery = queryOptions({
  queryKey: ['payment-choice'],
  queryFn: () => import('./payment-part.ts').then((part) => part.PaymentButtons),
  staleTime: Number.POSITIVE_INFINITY,
})
