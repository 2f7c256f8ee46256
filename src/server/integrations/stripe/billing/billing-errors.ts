import Stripe from 'stripe'
import { BillingError } from '#server/ports/billing-provider.ts'
import { isStripeUnavailable } from '../stripe-errors.ts'

const { errors } = Stripe

/** Translates Stripe's errors into those of the port. Any other error is a bug of ours and is returned unchanged. */
export function toBillingError(error: unknown): unknown {
  if (!(error instanceof errors.StripeError)) return error
  // Status 409: a request with the same idempotency key is in progress and may succeed.
  if (isStripeUnavailable(error) || error.statusCode === 409) {
    return new BillingError('unavailable', 'Stripe could not be reached.', { cause: error })
  }
  if (isCustomerGone(error)) {
    return new BillingError('customer_gone', 'This customer was deleted at Stripe.', { cause: error })
  }
  // Replace Stripe's message, which contains a part of the key.
  if (error instanceof errors.StripeAuthenticationError) {
    return new BillingError('refused', 'Stripe does not accept the key of this installation.')
  }
  return new BillingError('refused', error.message, { cause: error })
}

/** True when Stripe has no object with the requested id. */
export function isNotFoundError(error: unknown): boolean {
  return error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing'
}

/** True when the customer was deleted at Stripe, for which Stripe has no error code. */
function isCustomerGone(error: unknown): boolean {
  return (
    isNotFoundError(error) &&
    error instanceof errors.StripeError &&
    /^No such customer\b/i.test(error.message)
  )
}

/** Runs `ask` and translates its errors. @throws BillingError */
export async function translateBillingErrors<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    throw toBillingError(error)
  }
}
