import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { RecipientKeys } from '#server/platform/secrets/recipient-keys.ts'
import { findRecipientStanding } from './recipient-repository.ts'
import { findBookingHistory } from './sender-repository.ts'

export type UnreachableDeps = {
  readonly now: Clock
  readonly budgets: Pick<Budgets, 'find'>
  readonly recipientKeys: RecipientKeys
}

/**
 * Refuses a booking whose email would have to wait longer than the time is held: somebody would look for a code that does not
 * come. Source: rule B27.
 * @throws ProblemError `confirmation.no_email`
 */
export async function refuseUnreachable(
  { now, budgets, recipientKeys }: UnreachableDeps,
  db: Db,
  booking: { readonly calendarId: string; readonly appointmentId: string; readonly email: string },
): Promise<void> {
  const key = recipientKeys.keyOf(booking.email)
  const answer = await findRecipientStanding(db, key)
  if (answer === 'answered') return
  if (answer === 'stopped') throw new ProblemError('confirmation.no_email')
  if ((await budgets.find([{ budget: 'email_unanswered', subject: key }], db)) === null) return
  const { isRegular } = await findBookingHistory(db, booking, new Date(now()))
  if (!isRegular) throw new ProblemError('confirmation.no_email')
}
