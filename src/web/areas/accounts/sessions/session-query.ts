import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { SessionResponse } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { callApi } from '#web/shared/call-api.ts'

const JUST_NOW_MS = 1_000

/** True for a response from the last second, which need not be loaded again when the window gets the focus. */
export function isFreshResponse(state: { readonly dataUpdatedAt: number } | undefined): boolean {
  // The absolute difference also covers a clock that was set back meanwhile.
  return state !== undefined && Math.abs(Date.now() - state.dataUpdatedAt) < JUST_NOW_MS
}

/**
 * Loads the logged-in owner. Refetched when the window gets the focus, which detects a session that ended elsewhere and extends a
 * session in use. Source: rule U14.
 */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  // Not abortable, because a route guard may wait for a response that a component no longer needs.
  queryFn: () => callApi(at.getSession),
  staleTime: 60_000,
  gcTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: ({ state }) => (isFreshResponse(state) ? false : 'always'),
})

/** Stores the session after a login and removes the cached data of any earlier owner. */
export async function startSession(client: QueryClient, session: SessionResponse): Promise<void> {
  // A request that is still running would respond that nobody is logged in.
  await client.cancelQueries({ queryKey: sessionQuery.queryKey })
  client.removeQueries({ queryKey: [OWNER_QUERY_KEY] })
  client.setQueryData(sessionQuery.queryKey, session)
}

/**
 * The query key of the reason that the login page shows, if the action that requires a login has its own text. Source: rule U13.
 */
const LOGIN_REASON = ['login-reason']

/** Stores in the cache that the session has ended. */
export function endSessionInCache(client: QueryClient, reason: string | null = null): void {
  client.setQueryData(LOGIN_REASON, reason)
  client.setQueryData(sessionQuery.queryKey, { user: null })
}

/** Returns the reason passed to the last `endSessionInCache`, and clears it. */
export function consumeLoginReason(client: QueryClient): string | null {
  const reason = client.getQueryData<string | null>(LOGIN_REASON) ?? null
  client.removeQueries({ queryKey: LOGIN_REASON })
  return reason
}
