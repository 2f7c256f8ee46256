import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { callApi } from '#web/shared/call-api.ts'

/** The owner's plan and what it allows. */
export const subscriptionQuery = queryOptions({
  queryKey: [OWNER_KEY, 'subscription'],
  queryFn: ({ signal }) => callApi(at.checkSubscription, { signal }),
  staleTime: 60_000,
})

/** The owner's invoices for the plan. */
export const invoicesQuery = queryOptions({
  queryKey: [OWNER_KEY, 'plan-invoices'],
  queryFn: ({ signal }) => callApi(at.listInvoices, { signal }),
  staleTime: 60_000,
})

/** The plans that an owner can change to. */
export type NextTier = (typeof NEXT_TIERS)[number]

const NEXT_TIERS = ['free', 'professional', 'business'] as const

/** True for the name of such a plan. */
export function isNextTier(name: unknown): name is NextTier {
  return NEXT_TIERS.some((tier) => tier === name)
}

const EFFECT_KEY = [OWNER_KEY, 'plan-effect'] as const

/** The effect of a change to a plan. Refetched each time it is shown. Source: rule S12. */
export function planEffectQuery(tier: NextTier) {
  return queryOptions({
    queryKey: [...EFFECT_KEY, tier],
    queryFn: ({ signal }) => callApi(at.previewPlanChange, { query: { tier }, signal }),
  })
}

/** Refreshes the plan from the provider and stores it in the cache. @throws ApiProblem */
export async function refreshPlan(client: QueryClient): Promise<SubscriptionResponse> {
  const fresh = await callApi(at.refreshSubscription)
  // A running request may return the status from before.
  await client.cancelQueries({ queryKey: subscriptionQuery.queryKey })
  client.setQueryData(subscriptionQuery.queryKey, fresh)
  invalidatePlanDetails(client)
  return fresh
}

/** Refetches everything that depends on the plan. */
export function invalidatePlanDetails(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: EFFECT_KEY })
  void client.invalidateQueries({ queryKey: invoicesQuery.queryKey })
}
