import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { RecipientKeys } from '#server/platform/secrets/recipient-keys.ts'
import { endWaitForResponse, storeRecipientStatus } from './recipient-repository.ts'

export type RecipientsDeps = {
  readonly db: Db
  readonly now: Clock
  readonly budgets: Pick<Budgets, 'clear'>
  readonly recipientKeys: RecipientKeys
}

/**
 * Records that the reader of an email has opened and used a link in it. Source: rule E5.
 * @throws ProblemError `email_link.invalid`
 */
export async function recordResponseByLink(deps: RecipientsDeps, link: string): Promise<void> {
  await recordEmailResponse(deps, getKey(deps, link))
}

/**
 * Records that the reader of an address did not book and wants no emails about appointments. Source: rule E7.
 * @throws ProblemError `email_link.invalid`
 */
export async function unsubscribe(deps: RecipientsDeps, link: string): Promise<void> {
  const row = { recipient_key: getKey(deps, link), standing: 'stopped', since: new Date(deps.now()) } as const
  await storeRecipientStatus(deps.db, row)
}

/**
 * Records that the reader of an email address knows about the bookings. Waiting messages are then sent, and later
 * emails about bookings by strangers no longer wait. Undoes an unsubscription. Never call this for an action that the
 * person who entered the address could perform. Source: rule E6.
 */
export async function recordEmailResponse(deps: RecipientsDeps, recipientKey: string): Promise<void> {
  const now = new Date(deps.now())
  await storeRecipientStatus(deps.db, { recipient_key: recipientKey, standing: 'answered', since: now })
  await deps.budgets.clear({ budget: 'email_unanswered', subject: recipientKey })
  await endWaitForResponse(deps.db, recipientKey, now)
}

function getKey({ recipientKeys }: RecipientsDeps, link: string): string {
  const key = recipientKeys.findKey(link)
  if (key === null) throw new ProblemError('email_link.invalid')
  return key
}
