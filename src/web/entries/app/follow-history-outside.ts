import { documentPath } from '#web/shared/document-path.ts'
import { isRoutedPath } from './app-paths.ts'

/**
 * A document that was loaded again keeps the history of the one before it, which may have been of another entry. Then
 * Back changes only the address. The page there is loaded, and the router of this entry need not look for it.
 */
export function followHistoryOutside(): void {
  const onPopState = (event: PopStateEvent) => {
    if (isRoutedPath(location.pathname)) return
    event.stopImmediatePropagation()
    location.reload()
  }
  // Runs before the router, which listens there as well.
  window.addEventListener('popstate', onPopState, { capture: true })
  // Somebody went back before this ran.
  if (location.pathname !== documentPath()) location.reload()
}
