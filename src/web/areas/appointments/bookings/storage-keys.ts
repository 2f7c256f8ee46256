/** The localStorage key of the hold that the customer has left to pay for (rule B21). */
export const PENDING_PAYMENT = 'pending-payment'
/** The sessionStorage key of the draft while the customer is at the provider. */
export const LEFT_FORM = 'left-booking-form'
