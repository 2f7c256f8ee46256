import { MutationCache, QueryCache, QueryClient, type QueryOptions } from '@tanstack/react-query'
import { endSessionInCache } from '#web/areas/accounts/sessions/session-query.ts'
import { subscriptionQuery } from '#web/areas/plans/subscription-query.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { toast } from '#web/ui/toast.tsx'

declare module '@tanstack/react-query' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can extend the library's interface
  interface Register {
    mutationMeta: {
      /** The message that the login shows after a session has ended. */
      loginReason?: string
    }
  }
}

/** HTTP 402 Payment Required: the owner's plan does not include the action. */
const NOT_IN_PLAN = 402

/**
 * Delays the refetch of data that a new page shows already until the page is painted, because starting a page's requests takes as
 * long as rendering it. A hidden page paints nothing, so it does not wait; neither does data that a change has made out of date
 * (`cancelRefetch`).
 */
const PAINT_FIRST: NonNullable<QueryOptions['behavior']> = {
  onFetch: (fetch) => {
    const { fetchFn, state, fetchOptions, signal } = fetch
    if (state.data === undefined || fetchOptions?.cancelRefetch || document.visibilityState === 'hidden')
      return
    fetch.fetchFn = async () => {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      // The page may have been left meanwhile.
      signal.throwIfAborted()
      return fetchFn()
    }
  },
}

/**
 * Builds the client that caches all server data. If a response says that nobody is logged in, the client drops the session, and
 * the page's guard redirects to the login and back (see `router.tsx`). If the server refuses an action because of the plan, the
 * plan has changed since it was loaded. The client then reloads it, and the page offers to change the plan.
 */
export function buildQueryClient(): QueryClient {
  const noticeSignedOut = (error: Error, reason: string | null = null) => {
    if (!(error instanceof ApiProblem) || error.code !== 'auth.required') return
    toast.info(reason ?? error.message)
    endSessionInCache(client, reason)
  }
  const noticeOtherPlan = (error: Error) => {
    if (!(error instanceof ApiProblem) || error.status !== NOT_IN_PLAN) return
    void client.invalidateQueries({ queryKey: subscriptionQuery.queryKey })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => noticeSignedOut(error) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        noticeSignedOut(error, mutation.meta?.loginReason)
        noticeOtherPlan(error)
      },
    }),
    // Offline requests fail with an error message instead of waiting without any message.
    defaultOptions: {
      queries: { retry: retryOnce, networkMode: 'always', behavior: PAINT_FIRST },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
