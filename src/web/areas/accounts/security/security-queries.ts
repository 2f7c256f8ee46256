import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Loads the logged-in devices, the current device first. Never cached, because ended sessions must not be shown. */
export const accountSessionsQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'security', 'sessions'],
  queryFn: async ({ signal }) => (await callApi(at.listSessions, { signal })).sessions,
  staleTime: 0,
  retry: retryOnce,
})

/** Loads what the operator did to the account, the latest first. */
export const operatorActionsQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'security', 'operator-actions'],
  queryFn: async ({ signal }) => (await callApi(at.listOperatorActions, { signal })).actions,
  staleTime: 0,
  retry: retryOnce,
})

/** Loads the status of two-factor authentication. */
export const twoFactorQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'security', 'two-factor'],
  queryFn: ({ signal }) => callApi(at.getTwoFactor, { signal }),
  staleTime: 0,
  retry: retryOnce,
})
