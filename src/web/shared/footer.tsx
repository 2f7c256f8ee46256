import type { Owner } from '#contract/sessions.ts'
import { Logo } from '#web/ui/logo.tsx'
import { paths } from './paths.ts'

type FooterProps = {
  /** Null is a visitor; undefined means that the session is not known yet, and leaves out what depends on it. */
  owner: Owner | null | undefined
}

/** The foot of the page: links to the pages that exist. Source: spec §2 "Navigation and footer". */
export function Footer({ owner }: FooterProps) {
  return (
    <footer className="mt-auto border-t border-line bg-paper">
      <div className="mx-auto flex max-w-6xl flex-wrap items-start justify-between gap-x-12 gap-y-8 px-4 py-10 sm:px-6">
        <div className="max-w-sm">
          <Logo />
          <p className="mt-3 text-sm text-ink-soft">
            Named after the line that the sun crosses at noon. Free software under the AGPL, version 3.
          </p>
        </div>
        <nav aria-labelledby="quick-links">
          <h2 id="quick-links" className="text-lg">
            Quick Links
          </h2>
          {/* Room for both rows, so that nothing moves when the session becomes known. */}
          <ul className="mt-1 grid min-h-22 grid-cols-2 content-start gap-x-10">
            {linksFor(owner).map(([label, path]) => (
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
      </div>
    </footer>
  )
}

function linksFor(owner: FooterProps['owner']): readonly (readonly [label: string, path: string])[] {
  const everybody = [
    ['Home', paths.home()],
    ['Pricing', paths.pricing()],
  ] as const
  if (owner === undefined) return everybody
  if (owner === null) return [...everybody, ['Login', paths.login()], ['Get Started', paths.register()]]
  return [...everybody, ['Dashboard', paths.dashboard()], ['Profile', paths.profile()]]
}
