import { type ReactNode, useEffect, useState } from 'react'
import { toSafeRedirect } from '#web/areas/accounts/sessions/safe-redirect.ts'
import { storeToastForNextDocument } from '#web/shared/next-document.ts'
import { LoadingState } from '#web/ui/loading-state.tsx'
import type { Session } from './use-session.ts'

type ForVisitorsProps = {
  session: Session
  /** The page to which a logged-in user is redirected. Defaults to the dashboard. */
  redirect: string | undefined
  children: ReactNode
}

/** How long to wait before a loading text appears, in ms. */
const QUIET_MS = 300

/**
 * Shows a page only to visitors. Redirects logged-in users, including a user who logs in on this page or in another tab. The
 * redirect loads a new document, because a browser may still show this one for Back after a sign-out.
 */
export function VisitorsOnly({ session: { owner, isAsked }, redirect, children }: ForVisitorsProps) {
  const [isVisitor, setVisitor] = useState(false)
  // From now on, the form stays visible until the next document has loaded.
  if (isAsked && !owner && !isVisitor) setVisitor(true)
  useEffect(() => {
    if (!owner) return
    storeToastForNextDocument()
    location.replace(toSafeRedirect(redirect, location.origin))
  }, [owner, redirect])
  return isVisitor ? children : <Waiting />
}

function Waiting() {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  return <main className="flex-1">{isLong && <LoadingState text="Loading..." />}</main>
}
