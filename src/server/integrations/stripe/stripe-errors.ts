import Stripe from 'stripe'
import { PaymentProviderError } from '#server/ports/payment-provider.ts'

const { errors } = Stripe

/** Translates Stripe's errors into those of the port. Any other error is a bug of ours and is returned unchanged. */
export function toProviderError(error: unknown): unknown {
  if (!(error instanceof errors.StripeError)) return error
  if (error.statusCode === 409) {
    return new PaymentProviderError('in_progress', 'Stripe is asked the same already.', { cause: error })
  }
  if (isStripeUnavailable(error)) {
    return new PaymentProviderError('unavailable', 'Stripe could not be reached.', { cause: error })
  }
  if (error.code === 'account_invalid') {
    // Replace Stripe's message, which contains a part of the key.
    return new PaymentProviderError('refused', 'This Stripe account is no longer connected.', {
      isAccountGone: true,
    })
  }
  // Replace Stripe's message, which contains a part of the key and does not help the owner.
  if (error instanceof errors.StripeAuthenticationError) {
    return new PaymentProviderError('refused', 'Stripe does not accept the key of this installation.')
  }
  return new PaymentProviderError('refused', error.message, { cause: error })
}

/** True for no response, rate limiting, or a server error. */
export function isStripeUnavailable(error: InstanceType<typeof errors.StripeError>): boolean {
  return (
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    error instanceof errors.StripeAPIError ||
    (error.statusCode ?? 0) >= 500
  )
}
