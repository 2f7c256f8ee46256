import { SITE_PAGES } from '#contract/pages/site-pages.ts'
import { readPageState } from '#web/shared/next-document.ts'
import { paths } from '#web/shared/paths.ts'
import { OPENED_BY_PAGE } from './open-page.ts'
import { isSessionPath, loadPage, type ShownPage } from './shown-page.ts'

/** Events that say that a link may be pressed next. */
const SIGNS = ['pointerover', 'pointerdown', 'focusin'] as const

/**
 * Shows a page of this entry instead of another without loading a document, in browsers with the Navigation API: the
 * browser keeps history, focus and scrolling. In other browsers, and before this runs, links load documents. The target
 * of a link is downloaded when somebody points at it. Source: WHATWG HTML, "Navigation API".
 *
 * @returns ends it
 */
export function followNavigation(loaded: ShownPage, show: (page: ShownPage) => void): () => void {
  if (!('navigation' in window)) return () => undefined
  const leaving = new AbortController()
  const { signal } = leaving
  let shownPath = loaded.path
  let questions = 0

  /**
   * Shows the page of the document's address. An address without a page of this entry is loaded as a document, and so
   * is a page that cannot be downloaded.
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
    // A failure is told to whoever goes there.
    if (path !== null) loadPage({ path }).catch(() => undefined)
  }

  window.navigation.addEventListener('navigate', onNavigate, { signal })
  for (const sign of SIGNS) document.addEventListener(sign, prepare, { signal, passive: true })
  const catchUp = () => {
    if (location.pathname !== shownPath) void showAddress()
  }
  // A document that the browser has kept comes back as it was left, under the new address.
  addEventListener('pageshow', catchUp, { signal })
  // Somebody has gone on before this ran.
  catchUp()
  return () => leaving.abort()
}

/** @throws Error when the address belongs to another document: one that was loaded again does not know what its history has been */
function readAddress(loadedPath: string): ShownPage {
  const { pathname: path, search } = location
  // The page that this document was loaded for belongs to this entry, whatever its address.
  if (path !== loadedPath && !isSitePath(path)) throw new Error(`${path} is a page of another document`)
  return { path, search, state: readPageState() }
}

/** Some browsers change the address of Back and Forward after they have asked who shows it. */
async function arrival({ destination }: NavigateEvent): Promise<void> {
  if (location.href === destination.url) return
  await new Promise((resolve) => {
    window.navigation.addEventListener('currententrychange', resolve, { once: true })
  })
}

/** The target of a press. From the menu of a phone, where nobody can point, it is most likely the login. */
function pathPointedAt(target: Element): string | null {
  if (target.closest('[aria-controls="mobile-menu"]') !== null) return paths.login()
  const link = target.closest('a')
  return link?.origin === location.origin ? link.pathname : null
}

/** Whether this document shows the target. The browser does everything else. */
function isShownHere(event: NavigateEvent): boolean {
  if (!event.canIntercept || event.hashChange) return false
  // Back to a page that this document has shown, whatever its address: nothing else would show it.
  if (event.navigationType === 'traverse') return true
  const { pathname, search } = new URL(event.destination.url)
  // A script may want to begin with a new document, as after a sign-out.
  const isLink = event.userInitiated && event.navigationType === 'push'
  const isPage = isSessionPath(pathname) || (search === '' && isSitePath(pathname))
  const isPlain = event.downloadRequest === null && event.formData === null
  return (isLink || event.info === OPENED_BY_PAGE) && isPage && isPlain
}

function isSitePath(path: string): boolean {
  return isSessionPath(path) || Object.hasOwn(SITE_PAGES, path)
}
