import { bookingPaths } from './booking-paths.ts'
import { SkipLink } from './skip-link.tsx'
import { ThemeToggle } from './theme-toggle.tsx'

/** The header of the booking pages. It has few links, because customers come to book. Source: rule W2. */
export function BookingNavigation() {
  return (
    <header>
      <SkipLink />
      <nav
        aria-label="Main"
        className="mx-auto flex max-w-3xl items-center justify-between px-4 py-2 sm:px-6"
      >
        <a
          href={bookingPaths.home()}
          className="-ms-2 flex min-h-11 items-center rounded-control px-2 font-medium text-ink-soft hover:text-ink"
        >
          Home
        </a>
        <span className="-me-3">
          <ThemeToggle />
        </span>
      </nav>
    </header>
  )
}
