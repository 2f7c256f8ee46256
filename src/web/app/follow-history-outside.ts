import { isAppPath } from '#web/shared/app-paths.ts'
import { documentPath } from '#web/shared/document-path.ts'

/**
 * A page of this entry that took a public page's place, and was loaded again then, has that page behind it in its own history:
 * Back changes the address only. The page there is loaded, and the router of this entry need not look for it.
 */
export function followHistoryOutside(): void {
  const onPopState = (event: PopStateEvent) => {
    if (isAppPath(location.pathname)) return
    event.stopImmediatePropagation()
    location.reload()
  }
  // Before the router, which listens there as well.
  window.addEventListener('popstate', onPopState, { capture: true })
  // Somebody has gone back before this ran.
  if (location.pathname !== documentPath()) location.reload()
}
