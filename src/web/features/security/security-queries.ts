import { queryOptions } from '@tanstack/react-query'
import type { OwnSession, TwoFactor } from '#contract/security.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { getJson } from '#web/shared/api-client.ts'

export const SESSIONS_PATH = '/api/security/sessions'
export const TWO_FACTOR_PATH = '/api/security/two-factor'

/** The logged-in devices, this one first. Always loaded again, because ended sessions must not be shown. */
export const ownSessionsQuery = queryOptions({
  queryKey: [OWNER_KEY, 'security', 'sessions'],
  queryFn: async ({ signal }) => (await getJson<{ sessions: OwnSession[] }>(SESSIONS_PATH, signal)).sessions,
  staleTime: 0,
  retry: retryOnce,
})

/** Whether logging in asks for a code, too. */
export const twoFactorQuery = queryOptions({
  queryKey: [OWNER_KEY, 'security', 'two-factor'],
  queryFn: ({ signal }) => getJson<TwoFactor>(TWO_FACTOR_PATH, signal),
  staleTime: 0,
  retry: retryOnce,
})
