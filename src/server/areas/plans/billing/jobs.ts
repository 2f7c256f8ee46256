import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import { buildPlanMail } from '#server/messages/emails/plan-mail.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { applyStoredPlans } from './apply-stored-plan.ts'
import { changeEmailAtProvider } from './change-email.ts'
import { syncDifferingPlans } from './check-plans.ts'
import type { BillingDeps } from './deps.ts'
import {
  BILLING_EMAIL_CHANGE_JOB,
  PLAN_COMPARISON_CRON,
  PLAN_COMPARISON_JOB,
  PLAN_MAIL_JOB,
  PLAN_SETTLEMENT_CRON,
  PLAN_SETTLEMENT_JOB,
  PLAN_SYNC_JOB,
  type PlanMailJob,
  SECOND_SUBSCRIPTION_END_JOB,
} from './job-definitions.ts'
import { findOwner } from './repository.ts'
import { syncSubscription } from './run-sync.ts'

export const BILLING_JOBS: readonly JobDefinition<object>[] = [
  PLAN_SYNC_JOB,
  SECOND_SUBSCRIPTION_END_JOB,
  BILLING_EMAIL_CHANGE_JOB,
  PLAN_MAIL_JOB,
  PLAN_SETTLEMENT_JOB,
  PLAN_COMPARISON_JOB,
]

export type BillingJobDeps = BillingDeps & { readonly mailer: Mailer; readonly origin: MailOrigin }

/** Registers the job handlers for plans. The handlers that call the provider do nothing if no plans are sold. */
export async function registerBillingJobs(queue: JobQueue, deps: BillingJobDeps): Promise<void> {
  const { billing } = deps
  await queue.work(PLAN_SYNC_JOB, async ({ customerId }) => {
    if (billing !== null) await syncSubscription({ ...deps, billing }, customerId)
  })
  await queue.work(SECOND_SUBSCRIPTION_END_JOB, async (second) => {
    await billing?.endSubscription(second)
  })
  // The cast is safe: the job was queued for this owner.
  await queue.work(BILLING_EMAIL_CHANGE_JOB, ({ ownerId }) => changeEmailAtProvider(deps, ownerId as OwnerId))
  await queue.work(PLAN_MAIL_JOB, (job) => sendPlanMail(deps, job))
  await queue.work(PLAN_SETTLEMENT_JOB, () => applyStoredPlans(deps))
  await queue.schedule(PLAN_SETTLEMENT_JOB, PLAN_SETTLEMENT_CRON, {})
  // Run at once, for plans that ended while no worker ran, or if the default plan has changed.
  await queue.send(PLAN_SETTLEMENT_JOB, {})
  await queue.work(PLAN_COMPARISON_JOB, async () => {
    if (billing !== null) await syncDifferingPlans({ ...deps, billing })
  })
  await queue.schedule(PLAN_COMPARISON_JOB, PLAN_COMPARISON_CRON, {})
}

/** Sends one email to the owner's current address. Sends nothing when the account was deleted. */
async function sendPlanMail(deps: BillingJobDeps, { ownerId, about, facts }: PlanMailJob): Promise<void> {
  // The cast is safe: the job was queued for this owner.
  const owner = await findOwner(deps.db, ownerId as OwnerId)
  if (owner === null) return
  const { baseUrl, origin, mailer } = deps
  await mailer.send(buildPlanMail({ owner, deliveryId: `${ownerId}.${about}`, facts, baseUrl }, origin))
}
