/** API errors about payments and accounts at payment providers (rule X1). */
export const PAYMENT_PROBLEMS = {
  'payment.initiation_failed': { status: 502, title: 'Failed to initiate payment' },
  'payment.provider_not_connected': {
    status: 409,
    title: 'This way to pay is no longer offered. Please choose another one.',
  },
  'payment.nothing_to_pay': {
    status: 409,
    title: 'There is nothing to pay for this appointment. Please book it without payment.',
  },
  'payment.under_way': {
    status: 409,
    title: 'The payment of this appointment is under way, so its time is kept for now.',
  },
  'payment.disconnect_under_way': {
    status: 409,
    title: 'A payment through this account is still under way. Please try again in a few minutes.',
  },
  'payment.deletion_under_way': {
    status: 409,
    title: 'A customer’s payment is still under way. Please try again in a few minutes.',
  },
  'payment.deletion_unanswered': {
    status: 409,
    title:
      'The payment provider does not answer, so nobody knows where a customer’s money is. Please try again in a few minutes. After half an hour you can delete this all the same, and we write to you where the money may be.',
  },
  'payment.not_found': { status: 404, title: 'There is no payment for this appointment.' },
  // Only the session that started a connection can complete it.
  'payment.callback_invalid': { status: 403, title: 'Invalid callback from the payment provider' },
  'payment.connect_failed': {
    status: 502,
    title: 'The payment provider did not connect the account. Please try again.',
  },
  'payment.disconnect_failed': {
    status: 502,
    title: 'The payment provider did not answer. Please try again.',
  },
  'payment.paypal_incomplete': {
    status: 400,
    title: 'Enter PayPal Client ID and Redirect URI, then click Save before connecting.',
  },
  'payment.paypal_credentials_incomplete': {
    status: 400,
    title: 'Enter the PayPal Client Secret, then click Save before connecting.',
  },
  'payment.paypal_connected': {
    status: 409,
    title: 'Disconnect PayPal before you change its Client ID or its mode.',
  },
  'payment.account_connected': {
    status: 409,
    title: 'This calendar already has another account there. Disconnect it first.',
  },
  'payment.account_unavailable': {
    status: 409,
    title: 'The other calendar is no longer connected to this account. Reload the page.',
  },
  'payment.redirect_uri_invalid': {
    status: 400,
    title: 'Please enter the full address, like https://example.com/paypal-connect-callback',
  },
  'payment.provider_not_offered': {
    status: 409,
    title: 'This payment provider is not set up on this installation.',
  },
  'payment.not_in_plan': { status: 402, title: 'This payment provider is not available on your plan.' },
  'payment.webhook_unsigned': { status: 400, title: 'The signature of this message is not valid.' },
} as const satisfies Record<string, { status: number; title: string }>
