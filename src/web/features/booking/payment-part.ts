/** All that a payment takes. One download, which only those who pay make. */
export { PaymentCancelledPage } from './payment-cancelled-page.tsx'
export { PaymentChoice } from './payment-choice.tsx'
export { PaymentSuccessPage } from './payment-success-page.tsx'
export { lookAfter } from './pending-payment.ts'
