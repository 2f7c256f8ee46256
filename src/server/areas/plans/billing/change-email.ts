import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { BillingError } from '#server/ports/billing-provider.ts'
import type { BillingDeps } from './deps.ts'
import { BILLING_EMAIL_CHANGE_JOB } from './job-definitions.ts'
import { findCustomerOfOwner, findOwner, updateCustomerEmail } from './repository.ts'

/**
 * Sends the owner's current email address to the billing provider. Throws when the provider does not respond, so that
 * the job is retried. Source: rule S16.
 */
export async function changeEmailAtProvider(
  deps: Pick<BillingDeps, 'billing' | 'db' | 'log'>,
  ownerId: OwnerId,
): Promise<void> {
  const owner = await findOwner(deps.db, ownerId)
  const customer = await findCustomerOfOwner(deps.db, ownerId)
  if (deps.billing === null || owner === null || customer === null) return
  const { customerId } = customer
  const { email } = owner
  if (customer.email === email) return
  try {
    await deps.billing.changeEmail({ customerId, email })
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== 'customer_gone') throw error
    // The next sync notices the deletion too. No other customer record needs the address.
    deps.log.warn({ customerId }, 'a customer was deleted at the provider')
  }
  await updateCustomerEmail(deps.db, customerId, email)
}

/**
 * Queues an update of the email address at the provider, for an owner who is a customer there. Called in the
 * transaction that changes the address. Source: rule S16.
 */
export async function queueEmailChange(
  { jobs }: Pick<BillingDeps, 'jobs'>,
  trx: Trx,
  ownerId: OwnerId,
): Promise<void> {
  if ((await findCustomerOfOwner(trx, ownerId)) !== null)
    await jobs.insert(trx, BILLING_EMAIL_CHANGE_JOB, [{ ownerId }])
}
