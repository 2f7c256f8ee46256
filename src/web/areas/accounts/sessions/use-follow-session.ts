import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { forgetDrafts } from '#web/shared/draft.ts'
import { LOGGED_IN_FLAG } from '#web/shared/sign-out.ts'
import { isJustKnown, sessionQuery } from './session-query.ts'
import { useAuthEvents } from './use-auth-events.ts'

/**
 * Follows the session for as long as the app is open: logs auth-change events, keeps the `isLoggedIn` flag, and asks
 * again when another tab logs in or out or the page comes back from the browser's history. `onOwnerChange` is called
 * when somebody logged in, signed out or was replaced by somebody else.
 */
export function useFollowSession(onOwnerChange: () => void): Owner | null | undefined {
  const client = useQueryClient()
  const { data, dataUpdatedAt } = useQuery(sessionQuery)
  const owner = data?.user
  const onChange = useCallback(
    (before: Owner | null, now: Owner | null) => {
      // Somebody else must not see what the previous owner saw or typed.
      if (before !== null && now !== null) {
        forgetDrafts()
        client.resetQueries({ queryKey: [OWNER_KEY] })
      }
      onOwnerChange()
    },
    [client, onOwnerChange],
  )
  useAuthEvents(owner, dataUpdatedAt, onChange)

  useEffect(() => {
    const { queryKey } = sessionQuery
    const askAgain = () => void client.refetchQueries({ queryKey })
    // A tab that comes to the front is asked about already; this is for windows side by side.
    const onFocus = () => {
      if (!isJustKnown(client.getQueryState(queryKey))) {
        void client.refetchQueries({ queryKey }, { cancelRefetch: false })
      }
    }
    const onStorage = (event: StorageEvent) => {
      // A null key means that everything was cleared.
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
