import Stripe from 'stripe'
import { BillingError } from '#server/ports/billing-provider.ts'
import { isUnavailable } from '../stripe-errors.ts'

const { errors } = Stripe

/**
 * Translates the library's errors into those of the port. An error that is not Stripe's is a fault of our own and stays
 * as it is.
 */
export function toBillingError(error: unknown): unknown {
  if (!(error instanceof errors.StripeError)) return error
  // A request with the same key is under way: it may do it.
  if (isUnavailable(error) || error.statusCode === 409) {
    return new BillingError('unavailable', 'Stripe could not be reached.', { cause: error })
  }
  if (isCustomerGone(error)) {
    return new BillingError('customer_gone', 'This customer was deleted at Stripe.', { cause: error })
  }
  // Its words would include a part of the key.
  if (error instanceof errors.StripeAuthenticationError) {
    return new BillingError('refused', 'Stripe does not accept the key of this installation.')
  }
  return new BillingError('refused', error.message, { cause: error })
}

/** Stripe has no object with the id that was asked for. */
export function isMissing(error: unknown): boolean {
  return error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing'
}

/** Stripe gives no code of its own for a customer that was deleted. */
function isCustomerGone(error: unknown): boolean {
  return isMissing(error) && error instanceof errors.StripeError && /^No such customer\b/i.test(error.message)
}

/** Runs `ask`. @throws BillingError */
export async function withBillingErrors<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    throw toBillingError(error)
  }
}
