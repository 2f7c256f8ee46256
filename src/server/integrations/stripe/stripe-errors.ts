import Stripe from 'stripe'
import { ProviderError } from '#server/ports/payment-provider.ts'

const { errors } = Stripe

/**
 * Translates the library's errors into those of the port. An error that is not Stripe's is a fault of our own and stays
 * as it is.
 */
export function toProviderError(error: unknown): unknown {
  if (!(error instanceof errors.StripeError)) return error
  if (error.statusCode === 409) {
    return new ProviderError('in_progress', 'Stripe is asked the same already.', { cause: error })
  }
  if (isUnavailable(error)) {
    return new ProviderError('unavailable', 'Stripe could not be reached.', { cause: error })
  }
  if (error.code === 'account_invalid') {
    // Stripe's own words include a part of the key.
    return new ProviderError('refused', 'This Stripe account is no longer connected.', {
      isAccountGone: true,
    })
  }
  // Its words would include a part of the key, and tell an owner nothing.
  if (error instanceof errors.StripeAuthenticationError) {
    return new ProviderError('refused', 'Stripe does not accept the key of this installation.')
  }
  return new ProviderError('refused', error.message, { cause: error })
}

/** No answer, too many requests, or a fault there. */
export function isUnavailable(error: InstanceType<typeof errors.StripeError>): boolean {
  return (
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    error instanceof errors.StripeAPIError ||
    (error.statusCode ?? 0) >= 500
  )
}
