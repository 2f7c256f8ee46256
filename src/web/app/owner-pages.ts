import { isSessionPath } from './app-paths.ts'
import { whenIdle } from './kit/when-idle.ts'
import { isPrerendering } from './prerendering.ts'

/** Every page but those to sign in on, which need none of it: a download of its own. */
export const loadOwnerPages = () => import('./pages/owner-pages.ts')

/**
 * By then a page has been painted, and whoever signs in still types. The browser calls itself idle before that: while it
 * paints a page that was opened beforehand, which the download kept from the screen for another third of its time.
 */
const PAINTED_MS = 500

/**
 * Downloads them beforehand: at once where one of them is asked for, and when there is nothing else to do for somebody
 * who is about to sign in. A failure is told to whoever goes there.
 */
export function loadOwnerPagesBeforehand(path: string): void {
  const load = () => void loadOwnerPages().catch(() => undefined)
  const loadLater = () => void setTimeout(() => whenIdle(load), PAINTED_MS)
  if (!isSessionPath(path)) load()
  // What is opened beforehand may never be looked at.
  else if (isPrerendering()) document.addEventListener('prerenderingchange', loadLater, { once: true })
  else loadLater()
}
