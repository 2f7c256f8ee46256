import Stripe from 'stripe'
import { ProviderError } from '#server/ports/payment-provider.ts'

const { errors } = Stripe

/** Translates Stripe's errors into those of the port. Any other error is a bug of ours and is returned unchanged. */
export function toProviderError(error: unknown): unknown {
  if (!(error instanceof errors.StripeError)) return error
  if (error.statusCode === 409) {
    return new ProviderError('in_progress', 'Stripe is asked the same already.', { cause: error })
  }
  if (isUnavailable(error)) {
    return new ProviderError('unavailable', 'Stripe could not be reached.', { cause: error })
  }
  if (error.code === 'account_invalid') {
    // Replace Stripe's message, which contains a part of the key.
    return new ProviderError('refused', 'This Stripe account is no longer connected.', {
      isAccountGone: true,
    })
  }
  // Replace Stripe's message, which contains a part of the key and does not help the owner.
  if (error instanceof errors.StripeAuthenticationError) {
    return new ProviderError('refused', 'Stripe does not accept the key of this installation.')
  }
  return new ProviderError('refused', error.message, { cause: error })
}

/** True for no response, rate limiting, or a server error. */
export function isUnavailable(error: InstanceType<typeof errors.StripeError>): boolean {
  return (
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    error instanceof errors.StripeAPIError ||
    (error.statusCode ?? 0) >= 500
  )
}
