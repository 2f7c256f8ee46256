import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { deleteAllDrafts } from '#web/shared/draft.ts'
import { LOGGED_IN_FLAG } from '#web/shared/sign-out.ts'
import { useLogAuthEvents } from './auth-events.ts'
import { isFreshResponse, sessionQuery } from './session-query.ts'

/**
 * Follows the session while the app is open: logs session events and keeps the `isLoggedIn` flag up to date. Refetches the
 * session when another tab logs in or out, or when the page returns from the back-forward cache. Calls `onOwnerChange` after a
 * login, a logout or a change of the user.
 */
export function useWatchSession(onOwnerChange: () => void): Owner | null | undefined {
  const client = useQueryClient()
  const { data, dataUpdatedAt } = useQuery(sessionQuery)
  const owner = data?.user
  const onChange = useCallback(
    (before: Owner | null, now: Owner | null) => {
      // The next owner must not see the data or drafts of the previous owner.
      if (before !== null && now !== null) {
        deleteAllDrafts()
        client.resetQueries({ queryKey: [OWNER_QUERY_KEY] })
      }
      onOwnerChange()
    },
    [client, onOwnerChange],
  )
  useLogAuthEvents(owner, dataUpdatedAt, onChange)

  useEffect(() => {
    const { queryKey } = sessionQuery
    const askAgain = () => void client.refetchQueries({ queryKey })
    // TanStack Query already refetches on `visibilitychange`. This listener handles two visible windows, where only the focus
    // changes.
    const onFocus = () => {
      if (!isFreshResponse(client.getQueryState(queryKey))) {
        void client.refetchQueries({ queryKey }, { cancelRefetch: false })
      }
    }
    const onStorage = (event: StorageEvent) => {
      // A null key means that the whole storage was cleared.
      if (event.key === LOGGED_IN_FLAG || event.key === null) askAgain()
    }
    const onPageShow = (event: PageTransitionEvent) => {
      if (event.persisted) askAgain()
    }
    window.addEventListener('focus', onFocus)
    window.addEventListener('storage', onStorage)
    window.addEventListener('pageshow', onPageShow)
    return () => {
      window.removeEventListener('focus', onFocus)
      window.removeEventListener('storage', onStorage)
      window.removeEventListener('pageshow', onPageShow)
    }
  }, [client])

  return owner
}
