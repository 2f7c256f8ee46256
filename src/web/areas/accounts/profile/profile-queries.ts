import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Loads the owner's profile. */
export const profileQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'profile'],
  queryFn: ({ signal }) => callApi(at.getProfile, { signal }),
  staleTime: 60_000,
  retry: retryOnce,
})
