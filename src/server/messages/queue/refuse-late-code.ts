import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { RecipientKeys } from '#server/platform/secrets/recipient-keys.ts'
import { findRecipientStatus } from './recipient-repository.ts'
import { findBookingHistory } from './sender-repository.ts'

export type UnreachableDeps = {
  readonly now: Clock
  readonly budgets: Pick<Budgets, 'find'>
  readonly recipientKeys: RecipientKeys
}

type Asked = {
  readonly calendarId: string
  readonly appointmentId: string
  readonly email: string
  /**
   * The refusal to use: for a booking, the customer can enter another address; on the customer's page, there is only
   * one address.
   */
  readonly refusal: 'confirmation.no_email' | 'manage.no_code'
}

/**
 * Refuses to send a code that would have to wait for as long as the time is held or longer, because the customer would
 * wait for it in vain. Source: rules B27 and R8.
 * @throws ProblemError `confirmation.no_email`, `manage.no_code`
 */
export async function refuseWhenCodeWouldBeLate(
  { now, budgets, recipientKeys }: UnreachableDeps,
  db: Db,
  { refusal, ...booking }: Asked,
): Promise<void> {
  const key = recipientKeys.keyOf(booking.email)
  const answer = await findRecipientStatus(db, key)
  if (answer === 'answered') return
  if (answer === 'stopped') throw new ProblemError(refusal)
  if ((await budgets.find([{ budget: 'email_unanswered', subject: key }], db)) === null) return
  const { isRegular } = await findBookingHistory(db, booking, new Date(now()))
  if (!isRegular) throw new ProblemError(refusal)
}
