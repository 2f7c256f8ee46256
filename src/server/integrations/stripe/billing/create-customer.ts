import type Stripe from 'stripe'
import { BillingError } from '#server/ports/billing-provider.ts'
import { isNotFoundError } from './billing-errors.ts'
import { OWNER_ID_METADATA_KEY } from './subscription-state.ts'

type NewCustomer = { readonly ownerId: string; readonly email: string; readonly name: string }

/**
 * Maximum number of deleted customers of one owner within a day that are skipped. For a day, Stripe repeats its first
 * response, which names the deleted customer.
 */
const MOST_DELETED = 10

/**
 * Returns the owner's customer; idempotent. Stripe forgets idempotency keys after a day, so an existing customer is
 * looked up first. Requests with the same key must be identical; changed details are set afterwards.
 */
export async function createCustomer(stripe: Stripe, request: NewCustomer): Promise<{ customerId: string }> {
  const earlier = await findCustomer(stripe, request)
  if (earlier !== null) return { customerId: earlier }

  let idempotencyKey = `plan-customer-${request.ownerId}`
  for (let attempt = 0; attempt < MOST_DELETED; attempt += 1) {
    const { id } = await stripe.customers.create(
      { metadata: { [OWNER_ID_METADATA_KEY]: request.ownerId } },
      { idempotencyKey },
    )
    if (await isNamed(stripe, id, request)) return { customerId: id }
    idempotencyKey = `plan-customer-${request.ownerId}-after-${id}`
  }
  throw new BillingError('refused', 'The customers of this owner were deleted at Stripe again and again.')
}

async function findCustomer(stripe: Stripe, { ownerId, email }: NewCustomer): Promise<string | null> {
  const { data } = await stripe.customers.list({ email, limit: 100 })
  return data.find(({ metadata }) => metadata[OWNER_ID_METADATA_KEY] === ownerId)?.id ?? null
}

/** Returns false when the customer was deleted: Stripe has repeated an earlier response. */
async function isNamed(stripe: Stripe, id: string, { email, name }: NewCustomer): Promise<boolean> {
  try {
    await stripe.customers.update(id, { email, name })
    return true
  } catch (error) {
    if (isNotFoundError(error)) return false
    throw error
  }
}
