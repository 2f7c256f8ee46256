import { cutText } from '#core/shared/text.ts'
import type { CheckoutRequest } from '#server/ports/payment-provider.ts'
import { toPaypalMoney } from './paypal-money.ts'

/** PayPal's maximum length of the description, in characters. */
const DESCRIPTION_LENGTH = 127

/** Builds the PayPal order of a checkout. Source: https://developer.paypal.com/docs/api/orders/v2/#orders_create */
export function toOrderRequest(request: CheckoutRequest) {
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: request.appointmentId,
        custom_id: request.transactionId,
        // PayPal accepts one payment per invoice id.
        invoice_id: request.transactionId,
        description: cutText(request.description, DESCRIPTION_LENGTH),
        amount: toPaypalMoney(request.amountCents, request.currency),
        payee: { merchant_id: request.account.accountId },
      },
    ],
    payment_source: {
      paypal: {
        // Prefills PayPal's login; the customer can log in as somebody else.
        email_address: request.customerEmail,
        experience_context: {
          return_url: withoutPlaceholder(request.successUrl),
          cancel_url: withoutPlaceholder(request.cancelUrl),
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
          // Delayed payments (eCheck) take days, longer than the hold.
          payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
        },
      },
    },
  }
}

/** The placeholder is Stripe's; PayPal appends the order as `token`. */
function withoutPlaceholder(url: string): string {
  return url.replaceAll('{CHECKOUT_SESSION_ID}', '')
}
