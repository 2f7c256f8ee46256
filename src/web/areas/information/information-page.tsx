import type { InformationPageName } from '#contract/information/information-pages.ts'
import type { SitePageData } from '#contract/pages/page-data.ts'
import { AboutPage } from './about-page.tsx'
import { ContactPage } from './contact-page.tsx'
import { CookiesPage } from './cookies-page.tsx'
import { PrivacyPage } from './privacy-page.tsx'
import { TermsPage } from './terms-page.tsx'

const PAGES = {
  about: AboutPage,
  contact: ContactPage,
  privacy: PrivacyPage,
  terms: TermsPage,
  cookies: CookiesPage,
} as const

/** One of the five information pages, which share one JavaScript chunk. Source: rule W1. */
export function InformationPage({ name, site }: { name: InformationPageName; site: SitePageData }) {
  const Page = PAGES[name]
  return <Page site={site} />
}
