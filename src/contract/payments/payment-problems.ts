/** API errors about payments and accounts at payment providers (rule X1). */
export const PAYMENT_PROBLEMS = {
  'payment.initiation_failed': { status: 502, title: 'Failed to initiate payment' },
  'payment.provider_not_connected': {
    status: 409,
    title: 'This payment method is no longer offered. Please choose another one.',
  },
  'payment.nothing_to_pay': {
    status: 409,
    title: 'This appointment is free. Please book it without payment.',
  },
  'payment.under_way': {
    status: 409,
    title: 'The payment for this appointment is in progress, so we’re still holding the time.',
  },
  'payment.disconnect_under_way': {
    status: 409,
    title: 'A payment through this account is still in progress. Please try again in a few minutes.',
  },
  'payment.deletion_under_way': {
    status: 409,
    title: 'A customer’s payment is still in progress. Please try again in a few minutes.',
  },
  'payment.deletion_unanswered': {
    status: 409,
    title:
      'The payment provider isn’t responding, so we can’t tell where a customer’s money is. Please try again in a few minutes. After half an hour you can delete this anyway, and we’ll email you where the money may be.',
  },
  'payment.not_found': { status: 404, title: 'There is no payment for this appointment.' },
  // Only the session that started a connection can complete it.
  'payment.callback_invalid': { status: 403, title: 'Invalid callback from the payment provider' },
  'payment.connect_failed': {
    status: 502,
    title: 'The payment provider couldn’t connect the account. Please try again.',
  },
  'payment.disconnect_failed': {
    status: 502,
    title: 'The payment provider didn’t respond. Please try again.',
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
    title: 'Disconnect PayPal before you change its Client ID or mode.',
  },
  'payment.account_connected': {
    status: 409,
    title: 'This calendar is already connected to another account. Disconnect it first.',
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
    title: 'This payment provider isn’t available on this site.',
  },
  'payment.not_in_plan': { status: 402, title: 'This payment provider isn’t available on your plan.' },
  'payment.webhook_unsigned': { status: 400, title: 'The signature of this message is invalid.' },
} as const satisfies Record<string, { status: number; title: string }>
