import { documentPath } from '#web/shared/document-path.ts'
import { isPathOfAppRouter } from './app-paths.ts'

/**
 * Reloads the document when Back or Forward reaches a page of another entry. After a reload, a document keeps the history of
 * the previous one, so Back may change the URL without loading a document.
 */
export function reloadOnHistoryLeavingApp(): void {
  const onPopState = (event: PopStateEvent) => {
    if (isPathOfAppRouter(location.pathname)) return
    event.stopImmediatePropagation()
    location.reload()
  }
  // `capture`: runs before the router's listener.
  window.addEventListener('popstate', onPopState, { capture: true })
  // The user may have gone back before this code ran.
  if (location.pathname !== documentPath()) location.reload()
}
