import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { callApi } from '#web/shared/call-api.ts'

/** The owner's plan and what it allows. */
export const subscriptionQuery = queryOptions({
  queryKey: [OWNER_KEY, 'subscription'],
  queryFn: ({ signal }) => callApi(at.checkSubscription, { signal }),
  staleTime: 60_000,
})
