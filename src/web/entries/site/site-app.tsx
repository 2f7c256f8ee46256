import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { INFORMATION_PAGES, type InformationPageName } from '#contract/information/information-pages.ts'
import { LOGIN_AND_REGISTRATION_PAGES, NOT_FOUND_PAGE, toDocumentTitle } from '#contract/pages/app-pages.ts'
import type { SitePageData } from '#contract/pages/page-data.ts'
import { PUBLIC_PAGES } from '#contract/pages/site-pages.ts'
import { PricingPage } from '#web/areas/plans/pricing-page.tsx'
import { ApiProblem } from '#web/shared/api-client.ts'
import { Footer } from '#web/shared/footer.tsx'
import { Navigation } from '#web/shared/navigation.tsx'
import { showToastOfPreviousDocument } from '#web/shared/next-document.ts'
import { PageNotFound } from '#web/shared/page-not-found.tsx'
import { signOut } from '#web/shared/sign-out.ts'
import { toast } from '#web/ui/toast.tsx'
import { Toaster } from '#web/ui/toaster.tsx'
import { HomePage } from './home/home-page.tsx'
import { isSessionPath, type PageToShow } from './shown-page.ts'
import { type Session, useSession } from './use-session.ts'
import { useCurrentPage } from './use-shown-page.ts'

/** The page that is shown first. */
type SiteAppProps = PageToShow & { site: SitePageData }

/** The public pages and the pages around the login. */
export function SiteApp({ site, ...first }: SiteAppProps) {
  const { shown, isFirst } = useCurrentPage(first)
  const { path } = shown
  const { title } = findPage(path)
  const [announced, setAnnounced] = useState('')
  const canonical = useRef<HTMLLinkElement>(null)
  useEffect(() => {
    document.title = title
    canonical.current ??= document.querySelector('link[rel=canonical]')
    if (canonical.current !== null) shareAddress(canonical.current, isSessionPath(path) ? null : path)
    setAnnounced(isFirst ? '' : title)
  }, [title, path, isFirst])
  return (
    <>
      <SitePage site={site} shown={shown} />
      {/* Announces a page change to screen readers, which announce a newly loaded document on their own. */}
      <p role="status" className="sr-only">
        {announced}
      </p>
    </>
  )
}

/**
 * Sets the canonical URL, which browsers share instead of the current URL. Null removes it, so that browsers share the current
 * URL.
 */
function shareAddress(canonical: HTMLLinkElement, path: string | null): void {
  if (path === null) {
    canonical.remove()
  } else {
    canonical.href = new URL(path, canonical.href).href
    document.head.append(canonical)
  }
}

/** Shows a page of this entry between navigation and footer. */
function SitePage({ site, shown }: { site: SitePageData; shown: PageToShow }) {
  const { session, adopt } = useSession()
  const { owner } = session
  useEffect(showToastOfPreviousDocument, [])
  const { path } = shown
  return (
    <>
      {/* On pages with a form, the footer starts below the first screen. Otherwise, a page that grows while loading would push
          it through the visible area. */}
      <div className={isSessionPath(path) ? 'flex min-h-dvh flex-col' : 'contents'}>
        <Navigation
          owner={owner}
          canRegister={site.registration === 'open'}
          onSignOut={() => signOut().catch(sayWhy)}
          path={path}
        />
        {findPage(path).render({ site, session, onSignedIn: adopt, ...shown })}
      </div>
      <Footer owner={owner} site={site} />
      <Toaster />
    </>
  )
}

type PageContext = PageToShow & {
  site: SitePageData
  session: Session
  onSignedIn: (owner: Owner | null) => void
}

type Page = { title: string; render: (context: PageContext) => ReactNode }

const RENDERERS: Readonly<Record<string, Page['render']>> = {
  '/': ({ session, site }) => <HomePage owner={session.owner} canRegister={site.registration === 'open'} />,
  '/pricing': ({ session, site }) => <PricingPage owner={session.owner} site={site} />,
  ...Object.fromEntries(
    // The cast is safe, because `INFORMATION_PAGES` is an object literal of that type.
    (Object.keys(INFORMATION_PAGES) as InformationPageName[]).map((name): [string, Page['render']] => [
      INFORMATION_PAGES[name].path,
      ({ site, InformationPage }) => InformationPage && <InformationPage name={name} site={site} />,
    ]),
  ),
}

const NOT_FOUND: Page = {
  title: toDocumentTitle(NOT_FOUND_PAGE),
  render: ({ path }) => <PageNotFound path={toReadable(path)} />,
}

/** Decodes a path for display. Returns an invalid path unchanged. */
function toReadable(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function findPage(path: string): Page {
  if (isSessionPath(path)) {
    return {
      title: toDocumentTitle(LOGIN_AND_REGISTRATION_PAGES[path]),
      render: ({ SessionPage, search, state = {}, site, session, onSignedIn }) =>
        SessionPage && (
          <SessionPage query={new URLSearchParams(search)} {...{ path, state, site, session, onSignedIn }} />
        ),
    }
  }
  const [head, render] = [PUBLIC_PAGES[path], RENDERERS[path]]
  if (head !== undefined && render !== undefined) return { title: head.title, render }
  return path === '/sandbox/ui' && LOOPBACK_HOSTS.includes(location.hostname) ? KIT : NOT_FOUND
}

/** Only a browser on the same machine can open the UI kit, like every sandbox page. */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

const KitPage = lazy(() => import('./ui-kit/kit-page.tsx').then(({ KitPage }) => ({ default: KitPage })))
const KIT: Page = {
  title: toDocumentTitle('UI kit'),
  render: () => (
    <Suspense fallback={<main className="flex-1" />}>
      <KitPage />
    </Suspense>
  ),
}

function sayWhy(error: unknown): void {
  toast.error(error instanceof ApiProblem ? error.message : 'Something went wrong. Please try again.')
}
