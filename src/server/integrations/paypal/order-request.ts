import { cutText } from '#core/shared/text.ts'
import type { CheckoutRequest } from '#server/ports/payment-provider.ts'
import { toPaypalMoney } from './paypal-money.ts'

/** PayPal's limit for the line that says what is paid for, in characters. */
const DESCRIPTION_LENGTH = 127

/** The order that a checkout is at PayPal. Source: https://developer.paypal.com/docs/api/orders/v2/#orders_create */
export function toOrderRequest(request: CheckoutRequest) {
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: request.appointmentId,
        custom_id: request.transactionId,
        // PayPal takes money for one invoice once.
        invoice_id: request.transactionId,
        description: cutText(request.description, DESCRIPTION_LENGTH),
        amount: toPaypalMoney(request.amountCents, request.currency),
        payee: { merchant_id: request.account.accountId },
      },
    ],
    payment_source: {
      paypal: {
        // It is filled into PayPal's login; the customer can log in as somebody else.
        email_address: request.customerEmail,
        experience_context: {
          return_url: withoutPlaceholder(request.successUrl),
          cancel_url: withoutPlaceholder(request.cancelUrl),
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
          // A cheque that takes days outlives the held time.
          payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
        },
      },
    },
  }
}

/** It is Stripe's; PayPal adds the order as `token` itself. */
function withoutPlaceholder(url: string): string {
  return url.replaceAll('{CHECKOUT_SESSION_ID}', '')
}
