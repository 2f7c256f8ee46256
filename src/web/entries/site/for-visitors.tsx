import { type ReactNode, useEffect, useState } from 'react'
import { toSafeRedirect } from '#web/areas/accounts/sessions/safe-redirect.ts'
import { storeToastForNextDocument } from '#web/shared/next-document.ts'
import { LoadingState } from '#web/ui/loading-state.tsx'
import type { Session } from './use-session.ts'

type ForVisitorsProps = {
  session: Session
  /** The page that whoever is signed in goes on to; without it, the dashboard. */
  redirect: string | undefined
  children: ReactNode
}

/** Nobody needs a text before this much time has passed. */
const QUIET_MS = 300

/**
 * A page for people who are not logged in. Everybody else is led on, and so is somebody who logs in here or in another
 * tab: to another document, because browsers may keep this one for Back after a sign-out.
 */
export function ForVisitors({ session: { owner, isAsked }, redirect, children }: ForVisitorsProps) {
  const [isVisitor, setVisitor] = useState(false)
  // From then on the form stays until the next document is there.
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
