import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { dropSession } from '#web/features/sessions/session-query.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { toast } from '#web/ui/toast.tsx'

/**
 * The cache of everything the server said. When the server answers that nobody is logged in, the session is dropped,
 * and the guard of the page leads to the login and back (see `router.tsx`).
 */
export function buildQueryClient(): QueryClient {
  const noticeSignedOut = (error: Error) => {
    if (!(error instanceof ApiProblem) || error.code !== 'auth.required') return
    toast.info(error.message)
    dropSession(client)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: noticeSignedOut }),
    mutationCache: new MutationCache({ onError: noticeSignedOut }),
    // Offline, a request fails with its own sentence instead of waiting in silence.
    defaultOptions: {
      queries: { retry: retryOnce, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
