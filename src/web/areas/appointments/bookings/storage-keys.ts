/** Where the browser remembers the hold that its customer went to pay for (rule B21). */
export const PENDING_PAYMENT = 'pending-payment'
/** Where this tab keeps what was typed, while its customer is at the provider. */
export const LEFT_FORM = 'left-booking-form'
