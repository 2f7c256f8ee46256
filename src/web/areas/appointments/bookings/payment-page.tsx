import { PaymentCancelledPage } from './payment-cancelled-page.tsx'
import { PaymentSuccessPage } from './payment-success-page.tsx'

type PaymentPageProps = {
  page: 'payment-success' | 'payment-cancelled'
  appointmentId: string | null
  slug: string | null
  transactionId: string | null
}

/**
 * The pages to which a provider redirects customers. All of them are in one lazy chunk, because each chunk's name makes
 * the booking page larger.
 */
export function PaymentPage({ page, appointmentId, slug, transactionId }: PaymentPageProps) {
  if (page === 'payment-success') return <PaymentSuccessPage appointmentId={appointmentId} />
  return <PaymentCancelledPage appointmentId={appointmentId} slug={slug} transactionId={transactionId} />
}
