import type { Owner } from '#contract/accounts/sessions.ts'
import { useIsExtraWide } from '#web/kit/use-is-wide.ts'
import { SkipLink } from '#web/shared/skip-link.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { LogOut } from '#web/ui/icons/log-out.ts'
import { PanelLeft } from '#web/ui/icons/panel-left.ts'
import { Logo } from '#web/ui/logo.tsx'
import { FrameCalendars } from './frame-calendars.tsx'
import { currentOf, FIRST_LINKS, REST_LINKS, SETTINGS_PATH, SITE_LINKS } from './frame-links.ts'
import { FRAME_ROW_CLASS, FrameRow } from './frame-row.tsx'
import { RequestCount } from './request-count.tsx'
import { useSidebarState } from './sidebar-state.ts'
import { ThemeRow } from './theme-row.tsx'

type SidebarProps = {
  owner: Owner | null | undefined
  pathname: string
  onSignOut: () => void
}

/** The navigation of the owner's pages on a wide window. It can be collapsed to icons. Source: rule W22. */
export function Sidebar({ owner, pathname, onSignOut }: SidebarProps) {
  const isExtraWide = useIsExtraWide()
  // A calendar's settings have a list of their own beside the form.
  const [isCollapsed, setCollapsed] = useSidebarState(!isExtraWide && SETTINGS_PATH.test(pathname))
  const label = isCollapsed ? 'Expand sidebar' : 'Collapse sidebar'
  return (
    <header
      data-sidebar={isCollapsed ? 'icons' : 'full'}
      className={classNames(
        'sticky top-0 flex h-dvh shrink-0 flex-col gap-4 overflow-y-auto border-e border-line bg-paper px-3 py-4',
        isCollapsed ? 'w-17' : 'w-60',
      )}
    >
      <SkipLink />
      <div className={classNames('flex shrink-0 items-center gap-2', isCollapsed ? 'flex-col' : 'ps-3')}>
        <span className={isCollapsed ? 'w-9 overflow-hidden' : 'me-auto'}>
          <Logo />
        </span>
        <button
          type="button"
          aria-expanded={!isCollapsed}
          aria-label={label}
          title={label}
          onClick={() => setCollapsed(!isCollapsed)}
          className="grid size-10 shrink-0 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink touch:size-11"
        >
          <PanelLeft aria-hidden="true" className="size-5" />
        </button>
      </div>
      <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-5">
        <ul className="flex shrink-0 flex-col gap-0.5">
          {[...FIRST_LINKS, ...REST_LINKS].map((link) => (
            <li key={link.path}>
              <FrameRow
                link={link}
                current={currentInSidebar(link, pathname, isCollapsed)}
                isIcon={isCollapsed}
              >
                {link.label === 'Appointments' && (
                  <RequestCount
                    isKnownOwner={!!owner}
                    className={isCollapsed ? 'absolute end-0 top-0 scale-90' : ''}
                  />
                )}
              </FrameRow>
            </li>
          ))}
        </ul>
        {!isCollapsed && owner && <FrameCalendars ownerId={owner.id} pathname={pathname} />}
        <div data-sidebar-foot="" className="mt-auto shrink-0">
          <ul data-sidebar-end="" className="flex flex-col gap-0.5 border-t border-line pt-3">
            {SITE_LINKS.map((link) => (
              <li key={link.path}>
                <FrameRow link={link} current={undefined} isIcon={isCollapsed} />
              </li>
            ))}
            <li>
              <ThemeRow isIcon={isCollapsed} />
            </li>
            <li>
              <button
                type="button"
                title={isCollapsed ? 'Sign Out' : undefined}
                onClick={onSignOut}
                className={FRAME_ROW_CLASS}
              >
                <LogOut aria-hidden="true" className="size-5 shrink-0" />
                <span className={isCollapsed ? 'sr-only' : ''}>Sign Out</span>
              </button>
            </li>
          </ul>
        </div>
      </nav>
    </header>
  )
}

/** In the full sidebar, the calendar itself is marked instead of the dashboard. */
function currentInSidebar(link: (typeof FIRST_LINKS)[number], pathname: string, isCollapsed: boolean) {
  const current = currentOf(link, pathname)
  return link.label === 'Dashboard' && current === 'true' && !isCollapsed ? undefined : current
}
