import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { useFollowSession } from '#web/features/sessions/use-follow-session.ts'
import { useSignOut } from '#web/features/sessions/use-sign-out.ts'
import { Footer } from '#web/shared/footer.tsx'
import { Navigation } from '#web/shared/navigation.tsx'
import { isAppPath } from './app-paths.ts'
import { useClientLinks } from './use-client-links.ts'
import { usePageFocus } from './use-page-focus.ts'

/** Navigation, page and footer; follows the session for all pages. */
export function AppLayout() {
  const router = useRouter()
  const { pathname } = useLocation()
  const content = useRef<HTMLDivElement>(null)
  const guardAgain = useCallback(() => void router.invalidate(), [router])
  const goTo = useCallback((href: string) => void router.navigate({ href }), [router])
  const owner = useFollowSession(guardAgain)
  const signOut = useSignOut()
  useClientLinks(goTo)
  usePageFocus(content, pathname)

  return (
    <>
      <a
        href="#content"
        className="sr-only rounded-control bg-surface px-4 py-3 font-semibold shadow-pop focus:not-sr-only focus:fixed focus:start-4 focus:top-4 focus:z-50"
      >
        Skip to content
      </a>
      {/* Unknown is not signed out: the wrong links would flash by. */}
      <div className={owner === undefined ? 'invisible' : undefined}>
        <Navigation
          owner={owner ?? null}
          onSignOut={signOut}
          onNavigate={(path) => {
            if (!isAppPath(path)) return false
            goTo(path)
            return true
          }}
        />
      </div>
      <div id="content" ref={content} tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
        <Outlet />
      </div>
      <Footer />
    </>
  )
}
