import { useEffect, useState } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { LOGGED_IN_FLAG } from '#web/shared/sign-out.ts'

export type Session = {
  /** Who is signed in: undefined until that is known, null for a visitor. */
  readonly owner: Owner | null | undefined
  /** Whether the server has been asked, and has answered or failed to. */
  readonly isAsked: boolean
}

const NOT_ASKED: Session = { owner: undefined, isAsked: false }

/**
 * The session, and a function that says that somebody has just logged in.
 * Most of these pages are the same for everybody, so a failed first answer is not shown: it means a visitor, unless
 * somebody had logged in here. They are not told to do so again.
 * It is loaded again when the page comes to the front or another tab logs in or out.
 */
export function useSession(): { session: Session; adopt: (owner: Owner | null) => void } {
  const [session, setSession] = useState(NOT_ASKED)
  const [adopt] = useState(() => (owner: Owner | null) => setSession({ owner, isAsked: true }))
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    // Answers may overtake each other; the last question counts.
    let asked = 0
    const ask = () => {
      asked += 1
      const question = asked
      callApi(at.getSession, { signal })
        .then(({ user }) => question === asked && adopt(user))
        .catch(() => signal.aborted || setSession(afterFailure))
    }
    const onStorage = ({ key }: StorageEvent) => {
      // A null key means that everything was cleared.
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
    // Storage is forbidden: then the flag was never set.
    return false
  }
}
