import { WAIT_REASON_SENTENCES } from '#contract/messages/messages.ts'
import { SECOND_MS } from '#core/shared/duration.ts'
import { buildCalendarClosedCancellation } from '#server/messages/emails/cancellation-mail.ts'
import { withRecipientLink } from '#server/messages/emails/customer-facts.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { DELIVERY_MAIL_JOB } from './delivery-jobs.ts'
import { describeFailure, shouldGiveUpMessage } from './describe-failure.ts'
import type { AppointmentMailDeps } from './jobs.ts'
import { APPOINTMENT_MAIL_JOB, type ClosedCalendarJob } from './message-job.ts'
import { findRecipientStatus } from './recipient-repository.ts'
import { type SendPermit, spendMailBudgets, UNCOUNTED_PERMIT } from './spend-mail-budgets.ts'

type ClosedCalendarDeps = Omit<AppointmentMailDeps, 'signer' | 'manageLinks'> & {
  readonly jobs: Pick<JobQueue, 'send'>
}

/**
 * Tells one customer that their calendar was deleted. No ledger row exists to record a failure, so the owner gets an
 * email about each message that is given up or would come too late, with the customer's email address and phone number.
 * A message over the email limit waits in the queue. Source: rule M10.
 */
export async function sendClosedCalendarMail(
  deps: ClosedCalendarDeps,
  job: ClosedCalendarJob,
): Promise<void> {
  const { now, mailer, origin, recipientKeys, log, jobs } = deps
  const { facts, closedAt } = job
  const address = facts.customer.email
  if (address === null) return
  const recipientKey = recipientKeys.keyOf(address)
  const isOver = Date.parse(facts.endsAt) <= now()
  if (isOver || (await findRecipientStatus(deps.db, recipientKey)) === 'stopped') {
    log.info({ kind: 'calendar_closed', isOver }, 'no mail: it is not wanted any more')
    return
  }
  const room = await findRoom(deps, job, recipientKey)
  if (room.wait !== null) {
    const { reason, until } = room.wait
    if (until.getTime() >= Date.parse(facts.startsAt)) {
      log.warn({ kind: 'calendar_closed', reason }, 'a message has no room before its appointment')
      await jobs.send(DELIVERY_MAIL_JOB, { facts, reason: WAIT_REASON_SENTENCES[reason] })
      return
    }
    const waitMs = until.getTime() - now()
    const later = new Date(Date.parse(closedAt) + waitMs).toISOString()
    await jobs.send(
      APPOINTMENT_MAIL_JOB,
      { ...job, closedAt: later },
      { afterSeconds: Math.ceil(waitMs / SECOND_MS) },
    )
    return
  }
  const linked = withRecipientLink(facts, { link: recipientKeys.linkOf(address), manage: null })
  try {
    await mailer.send(await buildCalendarClosedCancellation(linked, origin))
  } catch (error) {
    await room.uncountAfter(error)
    if (!shouldGiveUpMessage(error, now() - Date.parse(closedAt))) throw error
    log.error({ err: error, kind: 'calendar_closed' }, 'a message was given up')
    await jobs.send(DELIVERY_MAIL_JOB, { facts, reason: describeFailure(error) })
  }
}

async function findRoom(
  deps: ClosedCalendarDeps,
  { counted }: ClosedCalendarJob,
  recipientKey: string,
): Promise<SendPermit> {
  if (counted === undefined) return UNCOUNTED_PERMIT
  return spendMailBudgets(deps, {
    ...counted,
    recipientKey,
    causedBy: 'owner',
    isToOwner: recipientKey === deps.recipientKeys.keyOf(counted.sender.email),
    isFirstWord: false,
    isKnown: true,
  })
}
