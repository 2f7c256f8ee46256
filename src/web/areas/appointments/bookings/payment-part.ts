/** The code for payments, in one chunk that only paying customers download. */
export { PaymentButtons } from './payment-choice.tsx'
export { PaymentPage } from './payment-page.tsx'
export { handleSavedHold, saveOfferLink } from './pending-payment.ts'
