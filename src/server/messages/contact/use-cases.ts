import type { ContactMessage } from '#contract/messages/contact.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { MailAddress } from '#server/ports/mailer.ts'
import { CONTACT_MAIL_JOB } from './contact-job.ts'

export type ContactDeps = {
  readonly db: Db
  readonly jobs: Pick<JobQueue, 'insert'>
  readonly budgets: Pick<Budgets, 'spend'>
  /** The recipient of messages to the operator; null when none is configured. */
  readonly operatorMailbox: MailAddress | null
}

/**
 * Queues a message to the operator. The message is stored only in the job. The route limits messages per client; this
 * function limits the total number that reaches the operator. Source: rule W17.
 * @throws ProblemError `contact.no_operator`, `contact.too_many_today`
 */
export async function sendContactMessage(deps: ContactDeps, message: ContactMessage): Promise<void> {
  const { operatorMailbox: to } = deps
  if (to === null) throw new ProblemError('contact.no_operator')
  const spent = await deps.budgets.spend([{ budget: 'contact_messages', subject: to.address }])
  if (spent !== null) throw new ProblemError('contact.too_many_today', [], spent.waitSeconds)
  await inTransaction(deps.db, (trx) => deps.jobs.insert(trx, CONTACT_MAIL_JOB, [{ to, message }]))
}
