import { workspacePaths } from '#web/kit/workspace-paths.ts'
import { paths } from '#web/shared/paths.ts'
import { CalendarDays } from '#web/ui/icons/calendar-days.ts'
import { ChartColumn } from '#web/ui/icons/chart-column.ts'
import { House } from '#web/ui/icons/house.ts'
import { LayoutDashboard } from '#web/ui/icons/layout-dashboard.ts'
import { Sun } from '#web/ui/icons/sun.ts'
import { Tags } from '#web/ui/icons/tags.ts'
import { User } from '#web/ui/icons/user.ts'
import { Users } from '#web/ui/icons/users.ts'

export type FrameLink = {
  readonly label: string
  readonly path: string
  readonly Icon: typeof Sun
  /** Matches the paths of further pages that belong to this entry. */
  readonly area?: RegExp
}

/** Matches the path of a calendar's settings. */
export const SETTINGS_PATH = /^\/calendar\/[^/]+\/settings\/?$/

/** The entries of the bottom bar on a phone. `More` follows them. Source: rule W22. */
export const FIRST_LINKS: readonly FrameLink[] = [
  { label: 'Today', path: paths.today(), Icon: Sun },
  { label: 'Appointments', path: workspacePaths.appointments(), Icon: CalendarDays },
  {
    label: 'Customers',
    path: workspacePaths.customers(),
    Icon: Users,
    area: /^\/calendar\/[^/]+\/customers(\/|$)/,
  },
  {
    label: 'Dashboard',
    path: paths.dashboard(),
    Icon: LayoutDashboard,
    area: SETTINGS_PATH,
  },
]

/** The entries that follow in the sidebar, and behind *More* on a phone. */
export const REST_LINKS: readonly FrameLink[] = [
  { label: 'Insights', path: workspacePaths.insights(), Icon: ChartColumn },
  { label: 'Profile', path: paths.profile(), Icon: User },
]

/** The links to the public site, at the foot of the sidebar. */
export const SITE_LINKS: readonly FrameLink[] = [
  { label: 'Home', path: paths.home(), Icon: House },
  { label: 'Pricing', path: paths.pricing(), Icon: Tags },
]

/** Returns the `aria-current` of an entry: `page` on its own page, `true` on a page that belongs to it. */
export function currentOf({ path, area }: FrameLink, pathname: string): 'page' | 'true' | undefined {
  if (pathname.replace(/\/$/, '') === path) return 'page'
  return area?.test(pathname) ? 'true' : undefined
}
