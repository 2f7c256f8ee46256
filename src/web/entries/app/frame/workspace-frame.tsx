import { type ReactNode, useEffect } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { useIsWide } from '#web/kit/use-is-wide.ts'
import { useThemePreference } from '#web/shared/theme.ts'
import { BottomBar } from './bottom-bar.tsx'
import { Sidebar } from './sidebar.tsx'
import { useMoreSheet } from './use-more-sheet.ts'

type WorkspaceFrameProps = {
  /** The logged-in owner. Undefined until the session is known; the frame is the same. */
  owner: Owner | null | undefined
  pathname: string
  onSignOut: () => void
  children: ReactNode
}

/** The frame of the owner's pages: a sidebar beside the page, or on narrow windows a bar below it. Source: rule W22. */
export function WorkspaceFrame({ children, ...navigation }: WorkspaceFrameProps) {
  const isWide = useIsWide()
  const more = useMoreSheet()
  // A tablet was turned, or the window widened, while More was open.
  useEffect(() => {
    if (isWide) more.close()
  }, [isWide, more])
  // On a phone, the theme button is not there until More is open, but the page must follow a change of the system's theme.
  useThemePreference()
  return (
    <div className={isWide ? 'flex min-h-dvh' : 'flex min-h-dvh flex-col'}>
      {isWide && <Sidebar {...navigation} />}
      {children}
      {!isWide && <BottomBar {...navigation} more={more} />}
    </div>
  )
}
