import { addDays } from '#core/shared/calendar-date.ts'
import { SECOND_MS } from '#core/shared/duration.ts'
import { toEpochMs } from '#core/shared/zoned-time.ts'
import { buildWaitingClosed } from '#server/messages/emails/waiting-mail.ts'
import { findRecipientStatus } from '#server/messages/queue/recipient-repository.ts'
import { spendMailBudgets } from '#server/messages/queue/spend-mail-budgets.ts'
import { CLOSED_LIST_MAIL, type ClosedListJob } from './job-definitions.ts'
import type { WaitingMailDeps } from './send-waiting-mail.ts'

/**
 * Sends the "list closed" email, unless the last date that the customer asked for has passed. Throws when the mail server did
 * not accept it, so that the job is retried. Source: rule Z15.
 */
export async function sendClosedListMail(
  deps: Omit<WaitingMailDeps, 'signer' | 'baseUrl' | 'defaultTier'>,
  job: ClosedListJob,
): Promise<void> {
  const { calendarId, sender, content, lastDate, timeZone } = job
  const isOver = deps.now() >= toEpochMs(addDays(lastDate, 1), 0, timeZone)
  const recipientKey = deps.recipientKeys.keyOf(content.customer.email)
  if (isOver || (await findRecipientStatus(deps.db, recipientKey)) === 'stopped') return
  const room = await spendMailBudgets(deps, {
    sender,
    calendarId,
    recipientKey,
    causedBy: 'owner',
    isToOwner: recipientKey === deps.recipientKeys.keyOf(sender.email),
    isFirstWord: false,
    isKnown: true,
  })
  if (room.wait !== null) {
    const waitMs = room.wait.until.getTime() - deps.now()
    await deps.jobs.send(CLOSED_LIST_MAIL, job, { afterSeconds: Math.ceil(waitMs / SECOND_MS) })
    return
  }
  try {
    await deps.mailer.send(buildWaitingClosed(content, deps.origin))
  } catch (error) {
    await room.uncountAfter(error)
    throw error
  }
}
