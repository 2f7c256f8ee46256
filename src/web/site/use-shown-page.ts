import { type ComponentType, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { INFORMATION_PAGES, type InformationPageName } from '#contract/information-pages.ts'
import type { SitePageData } from '#contract/page-data.ts'
import { SITE_PAGES } from '#contract/site-pages.ts'

/** A page to be shown, with the part of it that is a download of its own. */
export type ShownPage = {
  readonly path: string
  readonly InformationPage?: InformationPageComponent | undefined
}

type InformationPageComponent = ComponentType<{ name: InformationPageName; site: SitePageData }>

/** Gets what a page needs before it can be shown. It is downloaded once. */
export async function loadPage(path: string): Promise<ShownPage> {
  if (!isInformation(path)) return { path }
  const { InformationPage } = await import('#web/features/information/information-page.tsx')
  return { path, InformationPage }
}

/** Whether a page's text is a download of its own. */
export function isInformation(path: string): boolean {
  return Object.values(INFORMATION_PAGES).some((page) => page.path === path)
}

/**
 * Shows a page of this entry in place of another without loading a document, where the browser lets pages do so, with its own
 * care for history, focus and scrolling; elsewhere, and before this runs, links are what they are. What a link that is
 * pointed at leads to is fetched. Source: WHATWG HTML, "Navigation API".
 */
export function useShownPage(first: ShownPage): { shown: ShownPage; isFirst: boolean } {
  const [loaded] = useState(first)
  const [shown, setShown] = useState(loaded)
  useEffect(() => {
    if (!('navigation' in window)) return
    const leaving = new AbortController()
    const { signal } = leaving
    const show = (event: NavigateEvent) => {
      const path = sitePathOf(event)
      if (path !== null) event.intercept({ handler: () => follow(event, path, setShown) })
    }
    const prepare = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null
      // A failure is told to whoever goes there.
      if (link?.origin === location.origin) loadPage(link.pathname).catch(() => undefined)
    }
    window.navigation.addEventListener('navigate', show, { signal })
    for (const sign of ['pointerover', 'pointerdown', 'focusin']) {
      document.addEventListener(sign, prepare, { signal, passive: true })
    }
    return () => leaving.abort()
  }, [])
  return { shown, isFirst: shown === loaded }
}

/** Where somebody goes who stays within this document; null for everything that is the browser's own business. */
function sitePathOf(event: NavigateEvent): string | null {
  const { origin, pathname, search } = new URL(event.destination.url)
  if (!event.canIntercept || event.hashChange) return null
  // Back to what this document has shown, whatever its address: nobody else would show it.
  if (event.navigationType === 'traverse') return pathname
  const isPage = origin === location.origin && pathname in SITE_PAGES && search === ''
  // What a script goes to may be meant to begin anew, as it is after a sign-out.
  const isAsked = event.userInitiated && event.navigationType === 'push'
  return isPage && isAsked && event.downloadRequest === null && event.formData === null ? pathname : null
}

async function follow(event: NavigateEvent, path: string, show: (page: ShownPage) => void): Promise<void> {
  const page = await loadPage(path).catch(() => null)
  if (event.signal.aborted) return
  // Without its part it is loaded whole, and the browser says what is wrong.
  if (page === null) location.reload()
  else flushSync(() => show(page))
}
