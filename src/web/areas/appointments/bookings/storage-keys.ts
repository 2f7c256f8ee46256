/** The localStorage key of the hold that the customer has gone to the payment provider to pay for (rule B21). */
export const PENDING_PAYMENT_KEY = 'pending-payment'
/** The sessionStorage key of the draft that is saved while the customer is on the payment provider's page. */
export const DRAFT_BEFORE_PAYMENT_KEY = 'left-booking-form'
