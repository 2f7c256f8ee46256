import { PaymentCancelledPage } from './payment-cancelled-page.tsx'
import { PaymentSuccessPage } from './payment-success-page.tsx'

type PaymentPageProps = {
  page: 'payment-success' | 'payment-cancelled'
  appointmentId: string | null
  slug: string | null
  transactionId: string | null
}

/** Where a provider sends a customer back to. They are one part, because the booking page has no room to name two. */
export function PaymentPage({ page, appointmentId, slug, transactionId }: PaymentPageProps) {
  if (page === 'payment-success') return <PaymentSuccessPage appointmentId={appointmentId} />
  return <PaymentCancelledPage appointmentId={appointmentId} slug={slug} transactionId={transactionId} />
}
