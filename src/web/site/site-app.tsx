import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { NOT_FOUND_PAGE, toDocumentTitle } from '#contract/app-pages.ts'
import { INFORMATION_PAGES, type InformationPageName } from '#contract/information-pages.ts'
import type { SitePageData } from '#contract/page-data.ts'
import type { Owner } from '#contract/sessions.ts'
import { SITE_PAGES } from '#contract/site-pages.ts'
import { PricingPage } from '#web/features/plans/pricing-page.tsx'
import { ApiProblem } from '#web/shared/api-client.ts'
import { showCarriedToast } from '#web/shared/carried-toast.ts'
import { Footer } from '#web/shared/footer.tsx'
import { Navigation } from '#web/shared/navigation.tsx'
import { PageNotFound } from '#web/shared/page-not-found.tsx'
import { signOut } from '#web/shared/sign-out.ts'
import { Toaster, toast } from '#web/ui/toast.tsx'
import { HomePage } from './home/home-page.tsx'
import type { LoadOwnerPart, ShownPage } from './shown-page.ts'
import { useSession } from './use-session.ts'
import { useShownPage } from './use-shown-page.ts'

/** Where it begins. */
type SiteAppProps = ShownPage & {
  site: SitePageData
  /** Absent where nobody can press a link: on the server. */
  loadOwnerPart?: LoadOwnerPart | undefined
}

/** The pages anyone may read; and, where one of their links led there, a page to sign in on in their place. */
export function SiteApp({ site, loadOwnerPart, ...first }: SiteAppProps) {
  const { shown, isFirst } = useShownPage(first, loadOwnerPart)
  const { path, app } = shown
  // The owner's part names its pages itself.
  const title = app === undefined ? findPage(path).title : null
  const [announced, setAnnounced] = useState('')
  const canonical = useRef<HTMLLinkElement>(null)
  useEffect(() => {
    if (title !== null) document.title = title
    canonical.current ??= document.querySelector('link[rel=canonical]')
    if (canonical.current !== null) shareAddress(canonical.current, title === null ? null : path)
    setAnnounced(isFirst ? '' : document.title)
  }, [title, path, isFirst])
  return (
    <>
      {app === undefined ? <SitePage site={site} shown={shown} /> : app.page}
      {/* For screen readers, which say by themselves what a document is called that was loaded. */}
      <p role="status" className="sr-only">
        {announced}
      </p>
    </>
  )
}

/** What the browser shares instead of the address; null leaves it to the address. */
function shareAddress(canonical: HTMLLinkElement, path: string | null): void {
  if (path === null) {
    canonical.remove()
  } else {
    canonical.href = new URL(path, canonical.href).href
    document.head.append(canonical)
  }
}

/** A page of this entry, between navigation and footer. */
function SitePage({ site, shown }: { site: SitePageData; shown: ShownPage }) {
  const owner = useSession()
  useEffect(showCarriedToast, [])
  const { path } = shown
  return (
    <>
      <Navigation owner={owner} onSignOut={() => signOut().catch(sayWhy)} path={path} />
      {findPage(path).render({ owner, site, ...shown })}
      <Footer owner={owner} site={site} />
      <Toaster />
    </>
  )
}

type Page = {
  title: string
  render: (at: ShownPage & { site: SitePageData; owner: Owner | null | undefined }) => ReactNode
}

const RENDERERS: Readonly<Record<string, Page['render']>> = {
  '/': ({ owner }) => <HomePage owner={owner} />,
  '/pricing': ({ owner, site }) => <PricingPage owner={owner} site={site} />,
  ...Object.fromEntries(
    // The keys of an object literal of that type.
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

/** As a person would write it, where it can be read at all. */
function toReadable(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function findPage(path: string): Page {
  const [head, render] = [SITE_PAGES[path], RENDERERS[path]]
  if (head !== undefined && render !== undefined) return { title: head.title, render }
  return path === '/sandbox/ui' && LOOPBACK_HOSTS.includes(location.hostname) ? KIT : NOT_FOUND
}

/** Like every sandbox page, the kit is shown on the machine itself and nowhere else. */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

const KitPage = lazy(() => import('./kit/kit-page.tsx').then(({ KitPage }) => ({ default: KitPage })))
const KIT: Page = {
  title: 'UI kit · Meridian',
  render: () => (
    <Suspense fallback={<main className="flex-1" />}>
      <KitPage />
    </Suspense>
  ),
}

function sayWhy(error: unknown): void {
  toast.error(error instanceof ApiProblem ? error.message : 'Something went wrong. Please try again.')
}
