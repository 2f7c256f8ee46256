import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { dropSession } from '#web/areas/accounts/sessions/session-query.ts'
import { subscriptionQuery } from '#web/areas/plans/subscription-query.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { toast } from '#web/ui/toast.tsx'

declare module '@tanstack/react-query' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to the one of the library
  interface Register {
    mutationMeta: {
      /** The login's message after a session has ended. */
      loginReason?: string
    }
  }
}

/** "Payment Required": the owner's plan does not allow it. */
const NOT_IN_PLAN = 402

/**
 * The cache of everything the server said. When the server answers that nobody is logged in, the session is dropped,
 * and the guard of the page leads to the login and back (see `router.tsx`). When it refuses something because of the plan, the plan
 * has changed since it was read: it is read again, and the screen offers the way to another one.
 */
export function buildQueryClient(): QueryClient {
  const noticeSignedOut = (error: Error, reason: string | null = null) => {
    if (!(error instanceof ApiProblem) || error.code !== 'auth.required') return
    toast.info(reason ?? error.message)
    dropSession(client, reason)
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
    // Offline, a request fails with its own sentence instead of waiting in silence.
    defaultOptions: {
      queries: { retry: retryOnce, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
