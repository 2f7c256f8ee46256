/** Everything for a payment, in one download that only paying customers make. */
export { PaymentChoice } from './payment-choice.tsx'
export { PaymentPage } from './payment-page.tsx'
export { lookAfter, rememberOffer } from './pending-payment.ts'
