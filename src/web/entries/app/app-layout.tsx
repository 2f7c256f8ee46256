import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { useWatchSession } from '#web/areas/accounts/sessions/use-follow-session.ts'
import { useSignOut } from '#web/areas/accounts/sessions/use-sign-out.ts'
import { Footer } from '#web/shared/footer.tsx'
import { Navigation } from '#web/shared/navigation.tsx'
import { readSitePageData } from '#web/shared/site-page-data.ts'
import { isOwnerPage, isOwnerPagePath } from './app-paths.ts'
import { WorkspaceFrame } from './frame/workspace-frame.tsx'
import { useClientLinks } from './use-client-links.ts'
import { usePageFocus } from './use-page-focus.ts'

/**
 * Lays out the page and follows the session for all pages. The owner's pages have a frame; the login has the header and footer of
 * the public site.
 */
export function AppLayout() {
  const router = useRouter()
  const { pathname } = useLocation()
  const [site] = useState(readSitePageData)
  const content = useRef<HTMLDivElement>(null)
  const guardAgain = useCallback(() => void router.invalidate(), [router])
  const goTo = useCallback((href: string) => void router.navigate({ href }), [router])
  const owner = useWatchSession(guardAgain)
  const signOut = useSignOut()
  useClientLinks(goTo, isOwnerPagePath)
  usePageFocus(content, pathname)

  const page = (
    <div
      ref={content}
      tabIndex={-1}
      data-page=""
      className="@container flex min-w-0 flex-1 flex-col outline-none"
    >
      <Outlet />
    </div>
  )
  if (isOwnerPage(pathname)) {
    return (
      <WorkspaceFrame owner={owner} pathname={pathname} onSignOut={signOut}>
        {page}
      </WorkspaceFrame>
    )
  }
  return (
    <>
      {/* The footer starts below the first screen, so that a growing page does not push it through the visible part. */}
      <div className="flex min-h-dvh flex-col">
        <Navigation
          owner={owner}
          canRegister={site.registration === 'open'}
          path={pathname}
          onSignOut={signOut}
          onNavigate={(path) => {
            if (!isOwnerPagePath(path)) return false
            goTo(path)
            return true
          }}
        />
        {page}
      </div>
      <Footer owner={owner} site={site} />
    </>
  )
}
