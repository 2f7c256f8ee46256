import { PUBLIC_PAGES } from '#contract/pages/site-pages.ts'
import { readPageState } from '#web/shared/next-document.ts'
import { paths } from '#web/shared/paths.ts'
import { OPENED_BY_SITE_STATE } from './open-page.ts'
import { isSessionPath, loadPage, type PageToShow } from './shown-page.ts'

/** Events which suggest that the user may click a link next. */
const SIGNS = ['pointerover', 'pointerdown', 'focusin'] as const

/**
 * Switches between pages of this entry without loading a document, in browsers with the Navigation API. The browser handles
 * history, focus and scrolling. In other browsers, and before this function runs, links load documents. Prefetches a link's
 * target when the user points at the link. Source: WHATWG HTML, "Navigation API".
 *
 * @returns a function that stops following
 */
export function switchPagesOnNavigation(loaded: PageToShow, show: (page: PageToShow) => void): () => void {
  if (!('navigation' in window)) return () => undefined
  const leaving = new AbortController()
  const { signal } = leaving
  let shownPath = loaded.path
  let questions = 0

  /**
   * Shows the page of the current URL. Reloads the document if the URL is not a page of this entry, or if the page cannot be
   * downloaded.
   */
  async function showAddress(): Promise<void> {
    questions += 1
    const question = questions
    const isOvertaken = () => question !== questions || signal.aborted
    try {
      const page = await loadPage(readAddress(loaded.path))
      if (isOvertaken()) return
      shownPath = page.path
      show(page)
    } catch {
      if (!isOvertaken()) location.reload()
    }
  }

  function onNavigate(event: NavigateEvent): void {
    if (!isShownHere(event)) return
    event.intercept({
      handler: async () => {
        await arrival(event)
        if (!event.signal.aborted) await showAddress()
      },
    })
  }

  function prepare({ target }: Event): void {
    const path = target instanceof Element ? pathPointedAt(target) : null
    // If the prefetch fails, the navigation reports the error.
    if (path !== null) loadPage({ path }).catch(() => undefined)
  }

  window.navigation.addEventListener('navigate', onNavigate, { signal })
  for (const sign of SIGNS) document.addEventListener(sign, prepare, { signal, passive: true })
  const catchUp = () => {
    if (location.pathname !== shownPath) void showAddress()
  }
  // The browser may restore this document from the back-forward cache: it then still shows the old page under the new URL.
  addEventListener('pageshow', catchUp, { signal })
  // The user may have opened another page before this function ran.
  catchUp()
  return () => leaving.abort()
}

/**
 * Returns the page of the current URL. @throws Error when the URL belongs to another document, which happens because a reloaded
 * document does not know the pages in its history
 */
function readAddress(loadedPath: string): PageToShow {
  const { pathname: path, search } = location
  // The page for which this document was loaded belongs to this entry, whatever its URL.
  if (path !== loadedPath && !isSitePath(path)) throw new Error(`${path} is a page of another document`)
  return { path, search, state: readPageState() }
}

/** Waits until the URL is the destination. For Back and Forward, some browsers change the URL only after the `navigate` event. */
async function arrival({ destination }: NavigateEvent): Promise<void> {
  if (location.href === destination.url) return
  await new Promise((resolve) => {
    window.navigation.addEventListener('currententrychange', resolve, { once: true })
  })
}

/**
 * Returns the path to prefetch. The menu button of a phone stands for the login, its most likely target, because touch users do
 * not hover over links.
 */
function pathPointedAt(target: Element): string | null {
  if (target.closest('[aria-controls="mobile-menu"]') !== null) return paths.login()
  const link = target.closest('a')
  return link?.origin === location.origin ? link.pathname : null
}

/** True when this document handles the navigation. The browser handles all other navigations. */
function isShownHere(event: NavigateEvent): boolean {
  if (!event.canIntercept || event.hashChange) return false
  // Back or Forward to a page that this document has shown, whatever its URL: the browser itself would not show that page.
  if (event.navigationType === 'traverse') return true
  const { pathname, search } = new URL(event.destination.url)
  // A script may need to load a new document, for example after a sign-out.
  const isLink = event.userInitiated && event.navigationType === 'push'
  const isPage = isSessionPath(pathname) || (search === '' && isSitePath(pathname))
  const isPlain = event.downloadRequest === null && event.formData === null
  return (isLink || event.info === OPENED_BY_SITE_STATE) && isPage && isPlain
}

function isSitePath(path: string): boolean {
  return isSessionPath(path) || Object.hasOwn(PUBLIC_PAGES, path)
}
