import { buildCalendarClosedCancellation } from '#server/features/mail/appointment-mail.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { DELIVERY_MAIL } from './delivery-problems.ts'
import { describeFailure } from './describe-failure.ts'
import { isToGiveUp } from './give-up.ts'
import type { AppointmentMailDeps } from './jobs.ts'
import type { ClosedCalendarJob } from './message-job.ts'

type ClosedCalendarDeps = Pick<AppointmentMailDeps, 'now' | 'mailer' | 'origin' | 'log'> & {
  readonly jobs: Pick<JobQueue, 'send'>
}

/**
 * Tells one customer that their calendar was closed. There is no row that could say that it failed, so the owner is told of
 * each that is given up, with what is needed to reach the customer.
 */
export async function sendClosedCalendarMail(
  { now, mailer, origin, log, jobs }: ClosedCalendarDeps,
  { facts, closedAt }: ClosedCalendarJob,
): Promise<void> {
  if (facts.customer.email === null) return
  try {
    await mailer.send(await buildCalendarClosedCancellation(facts, origin))
  } catch (error) {
    if (!isToGiveUp(error, now() - Date.parse(closedAt))) throw error
    log.error({ err: error, kind: 'calendar_closed' }, 'a message was given up')
    await jobs.send(DELIVERY_MAIL, { facts, reason: describeFailure(error) })
  }
}
