/** Everything for a payment, in one download that only paying customers make. */
export { PaymentCancelledPage } from './payment-cancelled-page.tsx'
export { PaymentChoice } from './payment-choice.tsx'
export { PaymentSuccessPage } from './payment-success-page.tsx'
export { lookAfter } from './pending-payment.ts'
