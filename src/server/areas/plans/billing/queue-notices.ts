import {
  type DuplicateSubscription,
  isPlanActive,
  isSubscriptionRunning,
  type StoredPlan,
} from '#core/plans/decide-plan.ts'
import { listDueReminders } from '#core/plans/payment-reminders.ts'
import { includesPlan, PLANS, type Plan } from '#core/plans/plan.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { InactiveFeature, PlanMailFacts } from '#server/messages/emails/plan-mail.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { PlanCalendar } from '#server/records/calendars/plan-repository.ts'
import { PLAN_GATES } from '#server/records/subscription/plan-gates.ts'
import type { BillingDeps } from './deps.ts'
import { PLAN_MAIL_JOB } from './job-definitions.ts'
import { insertPlanNotice } from './repository.ts'

type Notice = { readonly ownerId: OwnerId; readonly about: string; readonly facts: PlanMailFacts }

/** Queues an email about the plan, unless the owner has already received it. Source: rule S15. */
export async function queuePlanNotice(
  deps: Pick<BillingDeps, 'jobs' | 'now'>,
  trx: Trx,
  { ownerId, about, facts }: Notice,
): Promise<void> {
  const at = new Date(deps.now())
  if (!(await insertPlanNotice(trx, ownerId, { occasion: facts.occasion, about, at }))) return
  await deps.jobs.insert(trx, PLAN_MAIL_JOB, [{ ownerId, about, facts }])
}

/** Queues a welcome email when an owner gets a plan that is new to them and not a smaller one. */
export async function queueWelcomeMail(
  deps: Pick<BillingDeps, 'jobs' | 'now'>,
  trx: Trx,
  ownerId: OwnerId,
  { before, after }: { readonly before: StoredPlan | null; readonly after: StoredPlan },
): Promise<void> {
  const { bought, tier } = after
  if (bought === null || !isSubscriptionRunning(bought) || bought.status === 'past_due') return
  if (before !== null && isPlanActive(before, deps.now()) && includesPlan(before.tier, tier)) return
  await queuePlanNotice(deps, trx, {
    ownerId,
    about: `${bought.subscriptionId}:${tier}`,
    facts: {
      occasion: 'welcome',
      plan: PLANS[tier].name,
      amountCents: bought.amountCents,
      currency: bought.currency,
      nextChargeAt: after.endsAtMs === null ? new Date(bought.periodEndsAtMs).toISOString() : null,
    },
  })
}

/** Queues an email, once per payment, when a payment is refunded because the owner already had a plan. */
export async function queueDoublePaymentNotices(
  deps: Pick<BillingDeps, 'jobs' | 'now'>,
  trx: Trx,
  ownerId: OwnerId,
  { seconds, kept }: { readonly seconds: readonly DuplicateSubscription[]; readonly kept: StoredPlan | null },
): Promise<void> {
  for (const { id, tier, isPaid } of seconds) {
    if (!isPaid || tier === null || kept === null) continue
    const facts = { occasion: 'paid_twice', plan: PLANS[tier].name, kept: PLANS[kept.tier].name } as const
    await queuePlanNotice(deps, trx, { ownerId, about: id, facts })
  }
}

/** Queues reminders of an overdue payment: at once, after 3 days and after 7 days. Source: rule S14. */
export async function queuePaymentReminders(
  deps: Pick<BillingDeps, 'jobs' | 'now'>,
  trx: Trx,
  ownerId: OwnerId,
  plan: StoredPlan | null,
): Promise<void> {
  const since = plan?.bought?.pastDueSinceMs ?? null
  if (plan === null || plan.bought === null || since === null || !isPlanActive(plan, deps.now())) return
  const { subscriptionId, amountCents, currency } = plan.bought
  const at = new Date(deps.now())
  const due = listDueReminders(since, deps.now())
  const toAbout = (days: number) => `${subscriptionId}:${new Date(since).toISOString()}:${days}`
  // Skip reminders that were missed during an outage, because they would say the same as the last one.
  for (const days of due.slice(0, -1)) {
    await insertPlanNotice(trx, ownerId, { occasion: 'payment_failed', about: toAbout(days), at })
  }
  const last = due.at(-1)
  if (last === undefined) return
  await queuePlanNotice(deps, trx, {
    ownerId,
    about: toAbout(last),
    facts: {
      occasion: 'payment_failed',
      plan: PLANS[plan.tier].name,
      amountCents,
      currency,
      day: last,
      endsAt: plan.endsAtMs === null ? null : new Date(plan.endsAtMs).toISOString(),
    },
  })
}

/** Queues an email when a bought plan has ended. It names the current plan and the features that are inactive. */
export async function queuePlanEndedMail(
  deps: Pick<BillingDeps, 'jobs' | 'now'>,
  trx: Trx,
  ownerId: OwnerId,
  {
    ended,
    about,
    plan,
    calendars,
  }: {
    readonly ended: StoredPlan
    readonly about: string
    readonly plan: Plan
    readonly calendars: readonly PlanCalendar[]
  },
): Promise<void> {
  await queuePlanNotice(deps, trx, {
    ownerId,
    about,
    facts: {
      occasion: 'plan_ended',
      ended: PLANS[ended.tier].name,
      plan: plan.name,
      pausedCalendars: calendars.filter(({ is_paused }) => is_paused).map(({ name }) => name),
      inactive: listInactiveFeatures(calendars, plan),
    },
  })
}

/** Lists the features that are set up on some calendar but not included in the plan. Source: rule S13. */
export function listInactiveFeatures(calendars: readonly PlanCalendar[], plan: Plan): InactiveFeature[] {
  const isSetUp = {
    paypal: calendars.some(({ has_paypal }) => has_paypal),
    custom_branding: calendars.some(({ has_branding }) => has_branding),
    custom_domains: calendars.some(({ has_domain }) => has_domain),
  }
  const things = Object.keys(isSetUp) as InactiveFeature[] // `isSetUp` has no other keys.
  return things.filter((thing) => isSetUp[thing] && !PLAN_GATES[thing].isIncluded(plan))
}

/**
 * Maximum age of an ended plan whose owner is still notified, in milliseconds. Plans may have ended longer ago, before
 * an upgrade or a restore of the product.
 */
const MAX_NOTICE_AGE_MS = 30 * DAY_MS

/** True when an owner should be notified that a stored plan has ended. */
export function hasUnreportedEnd(
  plan: StoredPlan | null,
  nowMs: number,
): plan is StoredPlan & { endsAtMs: number } {
  if (plan === null || plan.bought === null || plan.endsAtMs === null) return false
  return plan.endsAtMs <= nowMs && plan.endsAtMs > nowMs - MAX_NOTICE_AGE_MS
}
