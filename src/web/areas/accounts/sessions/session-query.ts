import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { SessionResponse } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { callApi } from '#web/shared/call-api.ts'

const JUST_NOW_MS = 1_000

/** True for an answer from the last second, which need not be loaded again when the window gets the focus. */
export function isJustLoaded(state: { readonly dataUpdatedAt: number } | undefined): boolean {
  // Also if the clock was set back meanwhile.
  return state !== undefined && Math.abs(Date.now() - state.dataUpdatedAt) < JUST_NOW_MS
}

/**
 * The logged-in owner. Refetched when the window gets the focus, to notice a session that ended elsewhere and to keep a
 * used one alive. Source: rule U14.
 */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  // Not abortable: a route guard may wait for an answer that a component no longer needs.
  queryFn: () => callApi(at.getSession),
  staleTime: 60_000,
  gcTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: ({ state }) => (isJustLoaded(state) ? false : 'always'),
})

/** Stores the session after a login and removes the cached data of any earlier owner. */
export async function adoptSession(client: QueryClient, session: SessionResponse): Promise<void> {
  // A request that is still running would answer that nobody is logged in.
  await client.cancelQueries({ queryKey: sessionQuery.queryKey })
  client.removeQueries({ queryKey: [OWNER_KEY] })
  client.setQueryData(sessionQuery.queryKey, session)
}

/** The reason for the login page, if the action that needs it has a text of its own. Source: rule U13. */
const LOGIN_REASON = ['login-reason']

/** Marks the session as ended. */
export function dropSession(client: QueryClient, reason: string | null = null): void {
  client.setQueryData(LOGIN_REASON, reason)
  client.setQueryData(sessionQuery.queryKey, { user: null })
}

/** Returns and clears the reason of the last `dropSession`. */
export function consumeLoginReason(client: QueryClient): string | null {
  const reason = client.getQueryData<string | null>(LOGIN_REASON) ?? null
  client.removeQueries({ queryKey: LOGIN_REASON })
  return reason
}
