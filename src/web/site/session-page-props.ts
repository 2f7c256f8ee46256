import type { SESSION_PAGES } from '#contract/app-pages.ts'
import type { SitePageData } from '#contract/page-data.ts'
import type { Owner } from '#contract/sessions.ts'
import type { PageState } from '#web/shared/page-state.ts'
import type { Session } from './use-session.ts'

/** The properties of a page around the login. */
export type SessionPageProps = {
  readonly path: keyof typeof SESSION_PAGES
  readonly query: URLSearchParams
  readonly state: PageState
  readonly site: SitePageData
  readonly session: Session
  /** Somebody has just signed in. */
  readonly onSignedIn: (owner: Owner | null) => void
}
