import { type MouseEvent, useRef } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Menu } from '#web/ui/icons/menu.ts'
import { X } from '#web/ui/icons/x.ts'
import { Logo } from '#web/ui/logo.tsx'
import { paths } from './paths.ts'
import { LOGIN_LINK, OWNER_LINKS, REGISTER_LINK, type SiteLink, VISITOR_LINKS } from './site-links.ts'
import { SkipLink } from './skip-link.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { useToggleMenu } from './use-menu.ts'

type NavigationProps = {
  /**
   * The logged-in owner; null for a visitor. Undefined until the session is known; the space of a visitor's links is then
   * reserved.
   */
  owner: Owner | null | undefined
  /** False where strangers cannot create an account: the login then takes the place of "Get Started". */
  canRegister: boolean
  onSignOut: () => void
  /** Lets a router handle a link. Returns true if the router has shown the path without loading a document. */
  onNavigate?: ((path: string) => boolean) | undefined
  /** The path of the current page. The server passes it; the browser uses `location`. */
  path?: string | undefined
}

/** The header of every page except the booking pages. Source: rule W2. */
export function Navigation({
  owner,
  canRegister,
  onSignOut,
  onNavigate,
  path: current = location.pathname,
}: NavigationProps) {
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLElement>(null)
  const { open, setOpen } = useToggleMenu(button, menu, current)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (opensElsewhere || !onNavigate?.(event.currentTarget.pathname)) return
    event.preventDefault()
    setOpen(false)
  }
  const links = linksFor({ owner, canRegister }).map(([label, path]) => (
    <a
      key={path}
      href={path}
      onClick={follow}
      aria-current={current === path ? 'page' : undefined}
      {...(owner === undefined && path === paths.login() ? ROOM : { className: LINK_CLASS })}
    >
      {label}
    </a>
  ))
  const action = (
    <div
      className={owner === undefined ? 'invisible grid' : 'grid'}
      aria-hidden={owner === undefined || undefined}
    >
      <SessionAction owner={owner} canRegister={canRegister} onSignOut={onSignOut} onFollow={follow} />
    </div>
  )
  return (
    <header className="border-b border-line bg-paper">
      <SkipLink />
      <nav
        aria-label="Main"
        className="mx-auto flex max-w-6xl flex-wrap items-center md:flex-nowrap gap-1 px-4 py-2 sm:px-6"
      >
        <a
          href={paths.home()}
          onClick={follow}
          aria-label="Meridian, home"
          className="me-auto flex min-h-11 items-center rounded-control"
        >
          <Logo />
        </a>
        <div className="hidden items-center gap-1 md:flex">{links}</div>
        <ThemeToggle />
        <div className="ms-2 hidden md:block">{action}</div>
        <button
          ref={button}
          type="button"
          aria-expanded={open}
          aria-controls="mobile-menu"
          aria-label={open ? 'Close menu' : 'Open menu'}
          onClick={() => setOpen(!open)}
          className="-me-2 grid size-11 place-items-center rounded-control hover:bg-sunken md:hidden"
        >
          {open ? <X aria-hidden="true" /> : <Menu aria-hidden="true" />}
        </button>
      </nav>
      <nav
        ref={menu}
        id="mobile-menu"
        aria-label="Menu"
        hidden={!open}
        className="border-t border-line px-4 pt-2 pb-4 md:hidden"
      >
        {links}
        <div className="mt-3 grid">{action}</div>
      </nav>
    </header>
  )
}

/** The session button of the header: "Get Started", "Login" or "Sign Out". It is not a primary button, because the page itself has one. */
function SessionAction({
  owner,
  canRegister,
  onSignOut,
  onFollow,
}: Pick<NavigationProps, 'owner' | 'canRegister' | 'onSignOut'> & {
  onFollow: (event: MouseEvent<HTMLAnchorElement>) => void
}) {
  if (owner) return <Button onClick={onSignOut}>Sign Out</Button>
  const [label, path] = canRegister ? REGISTER_LINK : LOGIN_LINK
  return (
    <ButtonLink href={path} onClick={onFollow} className="whitespace-nowrap">
      {label}
    </ButtonLink>
  )
}

function linksFor({
  owner,
  canRegister,
}: Pick<NavigationProps, 'owner' | 'canRegister'>): readonly SiteLink[] {
  if (owner) return [...VISITOR_LINKS, ...OWNER_LINKS]
  return canRegister ? [...VISITOR_LINKS, LOGIN_LINK] : VISITOR_LINKS
}

/** The CSS classes of a link. A line marks the current page: below the link in the bar, beside it in the menu. */
const LINK_CLASS =
  'relative flex min-h-11 items-center rounded-control px-3 font-medium md:max-lg:px-2 text-ink-soft after:absolute after:rounded-full hover:text-ink aria-[current]:text-ink aria-[current]:after:bg-noon max-md:after:inset-y-2.5 max-md:after:start-0 max-md:after:w-[3px] md:after:inset-x-2 lg:after:inset-x-3 md:after:bottom-1 md:after:h-[3px]'

/**
 * The attributes of a placeholder that reserves the space of a link, so that nothing moves when the link appears. It is invisible
 * and hidden from screen readers.
 */
const ROOM = { className: `${LINK_CLASS} invisible`, 'aria-hidden': true } as const
