import { INFORMATION_PAGES } from '#contract/information/information-pages.ts'
import { toDocumentTitle } from './app-pages.ts'

/** The title and the meta description of a public page. */
export type PublicPageMeta = { readonly title: string; readonly description: string }

export const PRODUCT_DESCRIPTION =
  'Meridian lets customers book your time online: publish a calendar, share its link, and see every appointment in one place.'

/** The public pages by path. The browser navigates between them without loading a new document. */
export const PUBLIC_PAGES: Readonly<Record<string, PublicPageMeta>> = {
  '/': {
    title: 'Meridian · Appointment booking for professionals',
    description: PRODUCT_DESCRIPTION,
  },
  '/pricing': {
    title: toDocumentTitle('Pricing'),
    description: 'Start with one calendar, free forever. Larger plans add calendars and PayPal.',
  },
  ...Object.fromEntries(
    Object.values(INFORMATION_PAGES).map(({ label, path, description }) => [
      path,
      { title: toDocumentTitle(label), description },
    ]),
  ),
}
