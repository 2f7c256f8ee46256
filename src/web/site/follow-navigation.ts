import { SITE_PAGES } from '#contract/site-pages.ts'
import { isSessionPath } from '#web/shared/app-paths.ts'
import { paths } from '#web/shared/paths.ts'
import { type LoadOwnerPart, loadPage, type OwnerPart, type ShownPage } from './shown-page.ts'

/** Pages of the owner's part that visitors are led to. */
const SIGN_IN_PATHS: readonly string[] = [paths.login(), paths.register()]

/** What tells that a link may be pressed next. */
const SIGNS = ['pointerover', 'pointerdown', 'focusin'] as const

/**
 * Has a page shown in place of another without loading a document, where the browser lets pages do so, with its own
 * care for history, focus and scrolling; elsewhere, and before this runs, links are what they are. What a link that is
 * pointed at leads to is fetched. Source: WHATWG HTML, "Navigation API".
 *
 * A page to sign in on is shown so once the owner's part has been fetched; until then its link loads the document, and
 * the browser shows that it does.
 *
 * @returns ends it
 */
export function followNavigation(
  loaded: ShownPage,
  show: (page: ShownPage) => void,
  loadOwnerPart?: LoadOwnerPart,
): () => void {
  if (!('navigation' in window)) return () => undefined
  const leaving = new AbortController()
  const { signal } = leaving
  let app = loaded.app
  let asked = 0
  let ready: OwnerPart | undefined
  let isDocumentAwaited = false

  /** Unless somebody has gone on meanwhile, which is false. @throws Error when the page cannot be opened */
  async function showOpened(
    opening: Promise<ShownPage>,
    isOvertaken = () => signal.aborted,
  ): Promise<boolean> {
    asked += 1
    const question = asked
    const page = await opening
    if (question !== asked || isOvertaken()) {
      page.app?.close()
      return false
    }
    app = page.app
    show(page)
    return true
  }

  async function openHere(path: string): Promise<ShownPage> {
    // What this document was loaded for is a page of this entry, whatever its address.
    if (path === loaded.path || path in SITE_PAGES) return loadPage(path)
    // A document that was loaded again does not know what else the one before it led to.
    if (loadOwnerPart === undefined || !isSessionPath(path)) throw new Error(`${path} is another document's`)
    const part = await loadOwnerPart()
    await part.prepareApp()
    return { path, app: await part.openApp() }
  }

  async function goHere(event: NavigateEvent, path: string): Promise<void> {
    const isOvertaken = () => signal.aborted || event.signal.aborted
    await arrival(event)
    if (isOvertaken()) return
    // Without its part it is loaded whole, and the browser says what is wrong.
    await showOpened(openHere(path), isOvertaken).catch(() => isOvertaken() || location.reload())
  }

  async function goToSignIn(part: OwnerPart, path: string): Promise<void> {
    const opening = part.openApp(path).then((opened) => ({ path, app: opened }))
    const isShown = await showOpened(opening).catch(() => location.assign(path))
    if (isShown) beginAtTop()
  }

  function onNavigate(event: NavigateEvent): void {
    const path = pathWithin(event, app !== undefined)
    if (path === null) return
    if (event.navigationType === 'traverse' || path in SITE_PAGES) {
      app?.close()
      app = undefined
      isDocumentAwaited = false
      event.intercept({ handler: () => goHere(event, path) })
    } else if (ready !== undefined && !isDocumentAwaited) {
      // Its router writes into the history itself, which ends a navigation of the browser's.
      event.preventDefault()
      void goToSignIn(ready, path)
    } else {
      isDocumentAwaited = true
    }
  }

  async function prepareSignIn(): Promise<void> {
    const part = await loadOwnerPart?.()
    await part?.prepareApp()
    ready = part
  }

  function prepare({ target }: Event): void {
    const path = target instanceof Element ? pathPointedAt(target) : null
    if (path === null) return
    const prepared = SIGN_IN_PATHS.includes(path) ? prepareSignIn() : loadPage(path)
    // A failure is told to whoever goes there.
    prepared.catch(() => undefined)
  }

  window.navigation.addEventListener('navigate', onNavigate, { signal })
  for (const sign of SIGNS) document.addEventListener(sign, prepare, { signal, passive: true })
  addEventListener(
    'pageshow',
    () => {
      isDocumentAwaited = false
    },
    { signal },
  )
  // Somebody has gone on before this ran.
  if (location.pathname !== loaded.path)
    void showOpened(openHere(location.pathname)).catch(() => location.reload())
  return () => leaving.abort()
}

/** Some browsers change the address of Back and Forward after they have asked who shows it. */
async function arrival({ destination }: NavigateEvent): Promise<void> {
  if (location.href === destination.url) return
  await new Promise((resolve) => {
    window.navigation.addEventListener('currententrychange', resolve, { once: true })
  })
}

/** As after a navigation of the browser's own. */
function beginAtTop(): void {
  scrollTo(0, 0)
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')
}

/** Where a press would lead. From the menu of a phone, which cannot point, most likely to the login. */
function pathPointedAt(target: Element): string | null {
  if (target.closest('[aria-controls="mobile-menu"]') !== null) return paths.login()
  const link = target.closest('a')
  return link?.origin === location.origin ? link.pathname : null
}

/**
 * Where somebody goes whom this document shows it; null for everything that is the browser's own business, or that of the
 * router of the owner's part while that is shown: from there, links to public pages load documents.
 */
function pathWithin(event: NavigateEvent, isAppShown: boolean): string | null {
  const { origin, pathname, search } = new URL(event.destination.url)
  if (!event.canIntercept || event.hashChange) return null
  // Back to what this document has shown, whatever its address: nobody else would show it.
  if (event.navigationType === 'traverse') return isAppShown && isSessionPath(pathname) ? null : pathname
  // What a script goes to may be meant to begin anew, as it is after a sign-out.
  const isAsked = event.userInitiated && event.navigationType === 'push' && !isAppShown
  const isPage = search === '' && (pathname in SITE_PAGES || SIGN_IN_PATHS.includes(pathname))
  const isPlain = origin === location.origin && event.downloadRequest === null && event.formData === null
  return isAsked && isPage && isPlain ? pathname : null
}
