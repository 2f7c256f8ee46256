import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import { buildPlanMail } from '#server/messages/emails/plan-mail.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { changeEmailAtProvider } from './change-email.ts'
import { comparePlans } from './check-plans.ts'
import type { BillingDeps } from './deps.ts'
import {
  PLAN_COMPARISON,
  PLAN_COMPARISON_CRON,
  PLAN_EMAIL,
  PLAN_MAIL,
  PLAN_SETTLEMENT,
  PLAN_SETTLEMENT_CRON,
  PLAN_SYNC,
  type PlanMailJob,
  SECOND_SUBSCRIPTION_END,
} from './job-definitions.ts'
import { findOwner } from './repository.ts'
import { syncSubscription } from './run-sync.ts'
import { settlePlans } from './settle-plan.ts'

export const BILLING_JOBS: readonly JobDefinition<object>[] = [
  PLAN_SYNC,
  SECOND_SUBSCRIPTION_END,
  PLAN_EMAIL,
  PLAN_MAIL,
  PLAN_SETTLEMENT,
  PLAN_COMPARISON,
]

export type BillingJobDeps = BillingDeps & { readonly mailer: Mailer; readonly origin: MailOrigin }

/** Registers the job handlers for plans. The handlers that call the provider do nothing if no plans are sold. */
export async function workOnBilling(queue: JobQueue, deps: BillingJobDeps): Promise<void> {
  const { billing } = deps
  await queue.work(PLAN_SYNC, async ({ customerId }) => {
    if (billing !== null) await syncSubscription({ ...deps, billing }, customerId)
  })
  await queue.work(SECOND_SUBSCRIPTION_END, async (second) => {
    await billing?.endSubscription(second)
  })
  // The cast is safe: the job was queued for this owner.
  await queue.work(PLAN_EMAIL, ({ ownerId }) => changeEmailAtProvider(deps, ownerId as OwnerId))
  await queue.work(PLAN_MAIL, (job) => sendPlanMail(deps, job))
  await queue.work(PLAN_SETTLEMENT, () => settlePlans(deps))
  await queue.schedule(PLAN_SETTLEMENT, PLAN_SETTLEMENT_CRON, {})
  // Run at once, for plans that ended while no worker ran, or if the default plan has changed.
  await queue.send(PLAN_SETTLEMENT, {})
  await queue.work(PLAN_COMPARISON, async () => {
    if (billing !== null) await comparePlans({ ...deps, billing })
  })
  await queue.schedule(PLAN_COMPARISON, PLAN_COMPARISON_CRON, {})
}

/** Sends one email to the owner's current address. Sends nothing when the account was deleted. */
async function sendPlanMail(deps: BillingJobDeps, { ownerId, about, facts }: PlanMailJob): Promise<void> {
  // The cast is safe: the job was queued for this owner.
  const owner = await findOwner(deps.db, ownerId as OwnerId)
  if (owner === null) return
  const { baseUrl, origin, mailer } = deps
  await mailer.send(buildPlanMail({ owner, deliveryId: `${ownerId}.${about}`, facts, baseUrl }, origin))
}
