import { queryOptions } from '@tanstack/react-query'
import type { Profile } from '#contract/profile.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { getJson } from '#web/shared/api-client.ts'

export const PROFILE_PATH = '/api/profile'

/** What the owner set about themselves. */
export const profileQuery = queryOptions({
  queryKey: [OWNER_KEY, 'profile'],
  queryFn: ({ signal }) => getJson<Profile>(PROFILE_PATH, signal),
  staleTime: 60_000,
  retry: retryOnce,
})
