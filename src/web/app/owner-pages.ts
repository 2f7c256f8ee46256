import { isSessionPath } from './app-paths.ts'
import { whenIdle } from './kit/when-idle.ts'
import { isPrerendering } from './prerendering.ts'

/** Every page but those to sign in on, which need none of it: a download of its own. */
export const loadOwnerPages = () => import('./pages/owner-pages.ts')

/**
 * Usually a page is painted by then, and whoever signs in still types. The browser calls itself idle earlier: while it paints a
 * page that was opened beforehand, and the download would compete with that.
 */
const WAIT_FOR_PAINT_MS = 500

/**
 * Downloads them beforehand: at once where one of them is asked for, and when there is nothing else to do for somebody
 * who is about to sign in. A failure is told to whoever goes there.
 */
export function loadOwnerPagesBeforehand(
  path: string,
  download: () => Promise<unknown> = loadOwnerPages,
): void {
  const load = () => void download().catch(() => undefined)
  const loadLater = () => void setTimeout(() => whenIdle(load), WAIT_FOR_PAINT_MS)
  if (!isSessionPath(path)) load()
  // What is opened beforehand may never be looked at.
  else if (isPrerendering()) document.addEventListener('prerenderingchange', loadLater, { once: true })
  else loadLater()
}
