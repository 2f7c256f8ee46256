import { useEffect, useState } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { LOGGED_IN_FLAG } from '#web/shared/sign-out.ts'

export type Session = {
  /** The logged-in owner; undefined until the session is known, null for a visitor. */
  readonly owner: Owner | null | undefined
  /** True once the server has responded or the request has failed. */
  readonly isAsked: boolean
}

const NOT_ASKED: Session = { owner: undefined, isAsked: false }

/**
 * Returns the session, and a function to call when the user has just logged in. Most of these pages are the same for all
 * visitors, so a failed first request shows no error. It counts as a visitor's session, unless this browser has logged in before:
 * such a user is not asked to log in again. The session is reloaded when the page gets the focus or another tab logs in or out.
 */
export function useSession(): { session: Session; adopt: (owner: Owner | null) => void } {
  const [session, setSession] = useState(NOT_ASKED)
  const [adopt] = useState(() => (owner: Owner | null) => setSession({ owner, isAsked: true }))
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    // Responses may arrive out of order. Only the response to the last request counts.
    let asked = 0
    const ask = () => {
      asked += 1
      const question = asked
      callApi(at.getSession, { signal })
        .then(({ user }) => question === asked && adopt(user))
        .catch(() => signal.aborted || setSession(afterFailure))
    }
    const onStorage = ({ key }: StorageEvent) => {
      // A null key means that the whole storage was cleared.
      if (key === LOGGED_IN_FLAG || key === null) ask()
    }
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) ask()
    }
    ask()
    addEventListener('focus', ask, { signal })
    addEventListener('storage', onStorage, { signal })
    addEventListener('pageshow', onPageShow, { signal })
    return () => leaving.abort()
  }, [adopt])
  return { session, adopt }
}

function afterFailure({ owner }: Session): Session {
  return { owner: owner ?? (hadLoggedIn() ? undefined : null), isAsked: true }
}

function hadLoggedIn(): boolean {
  try {
    return localStorage.getItem(LOGGED_IN_FLAG) !== null
  } catch {
    // Storage is blocked, so the flag was never set.
    return false
  }
}
