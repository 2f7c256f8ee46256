import type { Owner } from '#contract/accounts/sessions.ts'
import type { LOGIN_AND_REGISTRATION_PAGES } from '#contract/pages/app-pages.ts'
import type { SitePageData } from '#contract/pages/page-data.ts'
import type { StateForNextPage } from '#web/shared/next-document.ts'
import type { Session } from './use-session.ts'

/** The properties of a page around the login. */
export type SessionPageProps = {
  readonly path: keyof typeof LOGIN_AND_REGISTRATION_PAGES
  readonly query: URLSearchParams
  readonly state: StateForNextPage
  readonly site: SitePageData
  readonly session: Session
  /** Called when the user has just logged in. */
  readonly onSignedIn: (owner: Owner | null) => void
}
