import { INFORMATION_PAGES } from '#contract/information/information-pages.ts'
import { paths } from './paths.ts'

export type SiteLink = readonly [label: string, path: string]

export function toSiteLink({ label, path }: { readonly label: string; readonly path: string }): SiteLink {
  return [label, path]
}

/** The links in header and footer: for all visitors, and for logged-in owners. Source: rule W2. */
export const VISITOR_LINKS: readonly SiteLink[] = [
  ['Home', paths.home()],
  ['Pricing', paths.pricing()],
  toSiteLink(INFORMATION_PAGES.about),
  toSiteLink(INFORMATION_PAGES.contact),
]
export const OWNER_LINKS: readonly SiteLink[] = [
  ['Dashboard', paths.dashboard()],
  ['Profile', paths.profile()],
]
export const LOGIN_LINK: SiteLink = ['Login', paths.login()]
export const REGISTER_LINK: SiteLink = ['Get Started', paths.register()]
