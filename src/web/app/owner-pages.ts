import { isSessionPath } from '#web/shared/app-paths.ts'
import { whenIdle } from './kit/when-idle.ts'

/** Every page but those to sign in on, which need none of it: a download of its own. */
export const loadOwnerPages = () => import('./pages/owner-pages.ts')

/** Usually a page is painted by then, and whoever signs in still types: the download would compete with the paint. */
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
  if (isSessionPath(path)) setTimeout(() => whenIdle(load), WAIT_FOR_PAINT_MS)
  else load()
}
