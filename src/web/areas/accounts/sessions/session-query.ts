import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { SessionResponse } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { callApi } from '#web/shared/call-api.ts'

const JUST_NOW_MS = 1_000

/** A window that gets the focus just after its page was loaded need not ask again. */
export function isJustKnown(state: { readonly dataUpdatedAt: number } | undefined): boolean {
  // Whichever way the clock was put meanwhile.
  return state !== undefined && Math.abs(Date.now() - state.dataUpdatedAt) < JUST_NOW_MS
}

/**
 * Who is logged in. Loaded again whenever the window gets the focus, so that a session that ended elsewhere is noticed
 * and a used session stays alive. Source: rule U14.
 */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  // Without an abort signal: the guard of a page may be waiting for the answer that a component no longer wants.
  queryFn: () => callApi(at.getSession),
  staleTime: 60_000,
  gcTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: ({ state }) => (isJustKnown(state) ? false : 'always'),
})

/** Stores the session that a login gave, and removes what was read for somebody else before. */
export async function adoptSession(client: QueryClient, session: SessionResponse): Promise<void> {
  // An older answer that is still on its way would say "nobody".
  await client.cancelQueries({ queryKey: sessionQuery.queryKey })
  client.removeQueries({ queryKey: [OWNER_KEY] })
  client.setQueryData(sessionQuery.queryKey, session)
}

/** Why the login is shown, where what was pressed says it better than the page. Source: rule U13. */
const LOGIN_REASON = ['login-reason']

/** Records that the server no longer knows this browser's session. */
export function dropSession(client: QueryClient, reason: string | null = null): void {
  client.setQueryData(LOGIN_REASON, reason)
  client.setQueryData(sessionQuery.queryKey, { user: null })
}

/** The reason of the session that was dropped last, once. */
export function takeLoginReason(client: QueryClient): string | null {
  const reason = client.getQueryData<string | null>(LOGIN_REASON) ?? null
  client.removeQueries({ queryKey: LOGIN_REASON })
  return reason
}
