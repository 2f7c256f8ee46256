import type { ComponentType } from 'react'
import { INFORMATION_PAGES, type InformationPageName } from '#contract/information/information-pages.ts'
import { LOGIN_AND_REGISTRATION_PAGES } from '#contract/pages/app-pages.ts'
import type { SitePageData } from '#contract/pages/page-data.ts'
import type { StateForNextPage } from '#web/shared/next-document.ts'
import type { SessionPageProps } from './session-page-props.ts'

/** A page to show, with its separately downloaded components. */
export type PageToShow = {
  readonly path: string
  /** The query of the page's URL, including the `?`. */
  readonly search?: string
  /** The data that the previous page passed to this page. */
  readonly state?: StateForNextPage
  readonly InformationPage?: ComponentType<{ name: InformationPageName; site: SitePageData }> | undefined
  readonly SessionPage?: ComponentType<SessionPageProps> | undefined
}

/** Downloads the chunk of a page, if it has one. The browser downloads each chunk only once. */
export async function loadPage(page: PageToShow): Promise<PageToShow> {
  if (isInformationPath(page.path)) {
    const { InformationPage } = await import('#web/areas/information/information-page.tsx')
    return { ...page, InformationPage }
  }
  if (isSessionPath(page.path)) {
    const { SessionPage } = await import('./session-page.tsx')
    return { ...page, SessionPage }
  }
  return page
}

/** True when the page has a separate chunk. */
export function isPageCodeLoaded(path: string): boolean {
  return isInformationPath(path) || isSessionPath(path)
}

function isInformationPath(path: string): boolean {
  return Object.values(INFORMATION_PAGES).some((page) => page.path === path)
}

/** True for the pages around the login. */
export function isSessionPath(path: string): path is keyof typeof LOGIN_AND_REGISTRATION_PAGES {
  return Object.hasOwn(LOGIN_AND_REGISTRATION_PAGES, path)
}
