import { Logo } from '#web/ui/logo.tsx'
import { paths } from './paths.ts'

/** The foot of the page: links to the pages that exist. Source: spec §2 "Navigation and footer". */
export function Footer() {
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
          <ul className="mt-1 grid grid-cols-2 gap-x-10">
            {LINKS.map(([label, path]) => (
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

const LINKS = [
  ['Home', paths.home()],
  ['Login', paths.login()],
  ['Pricing', paths.pricing()],
  ['Get Started', paths.register()],
] as const
