import { type CalendarAddress, publicUrlOf } from '#core/addresses/public-url.ts'
import { PLANS, type PlanTier } from '#core/plans/plan.ts'
import type { Clock } from '#server/platform/clock.ts'
import { PLAN_GATES } from '#server/records/subscription/plan-gates.ts'
import type { DefaultPlanSettings } from '#server/records/subscription/use-cases.ts'

/** Settings that affect a calendar's public address, in addition to its stored row. */
export type AddressSettings = DefaultPlanSettings & {
  /** The installation's own URL, without a trailing slash. */
  readonly baseUrl: string
  readonly now: Clock
}

/** The verified host of a calendar, and the plan that its owner has bought. `VERIFIED_HOST_SQL` selects it. */
export type VerifiedHost = {
  readonly host: string
  readonly kind: 'subdomain' | 'custom'
  readonly tier: PlanTier | null
  /** When the plan ends, in epoch milliseconds; null when it has no end date. */
  readonly ends_at_ms: number | null
}

export type CalendarAddressRow = {
  readonly slug: string
  readonly domain_settings: Record<string, unknown>
  readonly live_host: VerifiedHost | null
}

/**
 * Returns the current public address of a calendar. A custom domain counts only while the plan includes domains.
 * Source: rules I1 and I9.
 */
export function toCalendarAddress(row: CalendarAddressRow, settings: AddressSettings): CalendarAddress {
  const { path } = row.domain_settings
  return {
    slug: row.slug,
    path: typeof path === 'string' && path !== '' ? path : null,
    host: row.live_host !== null && isInPlan(row.live_host, settings) ? row.live_host.host : null,
  }
}

/** Returns the URL where customers book. Source: rule J5. */
export function toPublicUrl(row: CalendarAddressRow, settings: AddressSettings): string {
  return publicUrlOf(toCalendarAddress(row, settings), settings.baseUrl)
}

function isInPlan({ kind, tier, ends_at_ms }: VerifiedHost, { defaultTier, now }: AddressSettings): boolean {
  if (kind === 'subdomain') return true
  const isRunning = tier !== null && (ends_at_ms === null || ends_at_ms > now())
  return PLAN_GATES.custom_domains.isIncluded(PLANS[isRunning ? tier : defaultTier])
}
