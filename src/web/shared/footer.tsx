import type { ReactNode } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { INFORMATION_PAGES } from '#contract/information/information-pages.ts'
import type { SitePageData } from '#contract/pages/page-data.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Logo } from '#web/ui/logo.tsx'
import { OperatorBlock } from './operator-block.tsx'
import {
  LOGIN_LINK,
  OWNER_LINKS,
  REGISTER_LINK,
  type SiteLink,
  toSiteLink,
  VISITOR_LINKS,
} from './site-links.ts'

type FooterProps = {
  /**
   * The logged-in owner; null for a visitor. Undefined until the session is known; links that depend on the session are then left
   * out.
   */
  owner: Owner | null | undefined
  site: SitePageData
}

/** The footer, with links, legal pages and the operator. Source: rule W2. */
export function Footer({ owner, site }: FooterProps) {
  return (
    <footer className="mt-auto border-t border-line bg-paper">
      <div className="mx-auto grid max-w-6xl gap-x-12 gap-y-8 px-4 py-10 sm:grid-cols-2 sm:px-6 lg:grid-cols-[1.4fr_1.3fr_0.7fr_1.2fr]">
        <div className="max-w-sm">
          <Logo />
          <p className="mt-3 text-sm text-ink-soft">
            Named after the line that the sun crosses at noon. Free software under the AGPL, version 3.
          </p>
        </div>
        {/* The links reserve space for all rows, so that nothing moves when the session becomes known. */}
        <FooterLinks title="Quick Links" links={linksFor(owner, site)} className="min-h-33 grid-cols-2" />
        <FooterLinks title="Legal" links={LEGAL} className="max-sm:grid-cols-2" />
        <section aria-labelledby="foot-contact">
          <h2 id="foot-contact" className="text-lg">
            Contact
          </h2>
          <OperatorBlock site={site} className="mt-2.5" />
        </section>
      </div>
    </footer>
  )
}

function FooterLinks({
  title,
  links,
  className,
}: {
  title: string
  links: readonly SiteLink[]
  className?: string
}): ReactNode {
  const id = `foot-${title.toLowerCase().replace(' ', '-')}`
  return (
    <nav aria-labelledby={id}>
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      <ul className={classNames('mt-1 grid content-start gap-x-8', className)}>
        {links.map(([label, path]) => (
          <li key={path}>
            <a
              href={path}
              className="flex min-h-11 items-center text-ink-soft underline-offset-4 hover:text-ink hover:underline"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const { privacy, terms, cookies } = INFORMATION_PAGES
const LEGAL = [privacy, terms, cookies].map(toSiteLink)

function linksFor(
  owner: FooterProps['owner'],
  { registration }: Pick<SitePageData, 'registration'>,
): readonly SiteLink[] {
  if (owner === undefined) return VISITOR_LINKS
  if (owner !== null) return [...VISITOR_LINKS, ...OWNER_LINKS]
  return [...VISITOR_LINKS, LOGIN_LINK, ...(registration === 'open' ? [REGISTER_LINK] : [])]
}
