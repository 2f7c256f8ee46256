import { type ReactNode, useEffect, useState } from 'react'
import { toSafeRedirect } from '#web/features/sessions/safe-redirect.ts'
import { carryToast } from '#web/shared/carried-toast.ts'
import { LoadingState } from '#web/ui/loading-state.tsx'
import type { Session } from './use-session.ts'

type ForVisitorsProps = {
  session: Session
  /** The page that whoever is signed in goes on to; without it, the dashboard. */
  redirect: string | undefined
  children: ReactNode
}

/** So long nobody waits for a word. */
const QUIET_MS = 300

/**
 * A page for people who are not signed in. Everybody else is led on, and so is whoever signs in here or in another tab: to
 * another document, as browsers may keep this one for whoever presses Back after a sign-out.
 */
export function ForVisitors({ session: { owner, isAsked }, redirect, children }: ForVisitorsProps) {
  const [isVisitor, setVisitor] = useState(false)
  // From then on the form stays until the next document is there.
  if (isAsked && !owner && !isVisitor) setVisitor(true)
  useEffect(() => {
    if (!owner) return
    carryToast()
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
