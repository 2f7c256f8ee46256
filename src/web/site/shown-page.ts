import type { ComponentType, ReactNode } from 'react'
import { INFORMATION_PAGES, type InformationPageName } from '#contract/information-pages.ts'
import type { SitePageData } from '#contract/page-data.ts'

/** A page to be shown, with the part of it that is a download of its own. */
export type ShownPage = {
  readonly path: string
  readonly InformationPage?: InformationPageComponent | undefined
  /** The owner's part, where the page is one to sign in on. */
  readonly app?: OpenedApp | undefined
}

type InformationPageComponent = ComponentType<{ name: InformationPageName; site: SitePageData }>

/** It follows the address until it is closed; what it shows stays until it is replaced. */
type OpenedApp = { readonly page: ReactNode; close(): void }

/**
 * The owner's part, which is another entry: it shows a page at the document's address, after going to `path` where one is
 * given.
 */
export type OwnerPart = { prepareApp(): Promise<void>; openApp(path?: string): Promise<OpenedApp> }

/** Downloads the owner's part, once. */
export type LoadOwnerPart = () => Promise<OwnerPart>

/** Gets what a page of this entry needs before it can be shown. It is downloaded once. */
export async function loadPage(path: string): Promise<ShownPage> {
  if (!isInformation(path)) return { path }
  const { InformationPage } = await import('#web/features/information/information-page.tsx')
  return { path, InformationPage }
}

/** Whether a page's text is a download of its own. */
export function isInformation(path: string): boolean {
  return Object.values(INFORMATION_PAGES).some((page) => page.path === path)
}
