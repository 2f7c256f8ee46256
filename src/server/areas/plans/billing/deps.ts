import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'
import type { BillingProvider } from '#server/ports/billing-provider.ts'
import type { SubscriptionDeps } from '#server/records/subscription/use-cases.ts'

export type BillingDeps = SubscriptionDeps & {
  /** The product's own URL, without a trailing slash. */
  readonly baseUrl: string
  readonly jobs: Pick<JobQueue, 'insert' | 'send'>
  readonly log: Pick<Log, 'error' | 'warn' | 'info'>
  readonly budgets: Pick<Budgets, 'spend'>
}

/** The dependencies of an installation that sells plans. */
export type PlanSalesDeps = BillingDeps & { readonly billing: BillingProvider }
