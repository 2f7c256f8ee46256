import { queryOptions } from '@tanstack/react-query'
import type { SubscriptionResponse } from '#contract/subscription.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { getJson } from '#web/shared/api-client.ts'

/** The owner's plan and what it allows. */
export const subscriptionQuery = queryOptions({
  queryKey: [OWNER_KEY, 'subscription'],
  queryFn: ({ signal }) => getJson<SubscriptionResponse>('/api/subscription', signal),
  staleTime: 60_000,
})
