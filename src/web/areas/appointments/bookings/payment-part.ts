/** The code for payments, in one chunk that only paying customers download. */
export { PaymentChoice } from './payment-choice.tsx'
export { PaymentPage } from './payment-page.tsx'
export { handleRememberedHold, rememberOffer } from './pending-payment.ts'
