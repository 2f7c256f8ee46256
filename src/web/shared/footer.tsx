import type { ReactNode } from 'react'
import { INFORMATION_PAGES } from '#contract/information-pages.ts'
import type { SitePageData } from '#contract/page-data.ts'
import type { Owner } from '#contract/sessions.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Logo } from '#web/ui/logo.tsx'
import { OperatorBlock } from './operator-block.tsx'
import { paths } from './paths.ts'

type FooterProps = {
  /** Null is a visitor; undefined means that the session is not known yet, and leaves out what depends on it. */
  owner: Owner | null | undefined
  site: SitePageData
}

/** The foot of the page: where else to go, by which rules, and who is behind it. Source: spec §2 "Navigation and footer". */
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
        {/* Room for all rows, so that nothing moves when the session becomes known. */}
        <FooterLinks title="Quick Links" links={linksFor(owner)} className="min-h-33 grid-cols-2" />
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

type Link = readonly [label: string, path: string]

function FooterLinks({
  title,
  links,
  className,
}: {
  title: string
  links: readonly Link[]
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

const { about, contact, privacy, terms, cookies } = INFORMATION_PAGES
const LEGAL = [privacy, terms, cookies].map(toLink)

function linksFor(owner: FooterProps['owner']): readonly Link[] {
  const everybody = [
    ['Home', paths.home()],
    ['Pricing', paths.pricing()],
    toLink(about),
    toLink(contact),
  ] as const
  if (owner === undefined) return everybody
  if (owner === null) return [...everybody, ['Login', paths.login()], ['Get Started', paths.register()]]
  return [...everybody, ['Dashboard', paths.dashboard()], ['Profile', paths.profile()]]
}

function toLink({ label, path }: typeof about): Link {
  return [label, path]
}
