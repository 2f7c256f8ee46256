import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { callApi } from '#web/shared/call-api.ts'

/** The owner's plan with its limits. */
export const subscriptionQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'subscription'],
  queryFn: ({ signal }) => callApi(at.checkSubscription, { signal }),
  staleTime: 60_000,
})

/** The owner's invoices for the plan. */
export const invoicesQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'plan-invoices'],
  queryFn: ({ signal }) => callApi(at.listInvoices, { signal }),
  staleTime: 60_000,
})

/** A plan that an owner can change to. */
export type SelectableTier = (typeof NEXT_TIERS)[number]

const NEXT_TIERS = ['free', 'professional', 'business'] as const

/** True for the tier of a plan that an owner can change to. */
export function isSelectableTier(name: unknown): name is SelectableTier {
  return NEXT_TIERS.some((tier) => tier === name)
}

const EFFECT_KEY = [OWNER_QUERY_KEY, 'plan-effect'] as const

/** The effects of changing to a plan. Refetched each time they are shown. Source: rule S12. */
export function planChangePreviewQuery(tier: SelectableTier) {
  return queryOptions({
    queryKey: [...EFFECT_KEY, tier],
    queryFn: ({ signal }) => callApi(at.previewPlanChange, { query: { tier }, signal }),
  })
}

/** Refreshes the plan from the provider and stores the result in the cache. @throws ApiProblem */
export async function refreshPlan(client: QueryClient): Promise<SubscriptionResponse> {
  const fresh = await callApi(at.refreshSubscription)
  // Cancel a running request, because it may return the outdated status.
  await client.cancelQueries({ queryKey: subscriptionQuery.queryKey })
  client.setQueryData(subscriptionQuery.queryKey, fresh)
  invalidatePlanDetails(client)
  return fresh
}

/** Refetches the data that depends on the plan. */
export function invalidatePlanDetails(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: EFFECT_KEY })
  void client.invalidateQueries({ queryKey: invoicesQuery.queryKey })
}
