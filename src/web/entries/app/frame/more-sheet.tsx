import type { MouseEvent } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { isOwnerPagePath } from '#web/entries/app/app-paths.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { LogOut } from '#web/ui/icons/log-out.ts'
import { FrameCalendars } from './frame-calendars.tsx'
import { currentOf, FIRST_LINKS, type FrameLink, REST_LINKS, SITE_LINKS } from './frame-links.ts'
import { FRAME_ROW_CLASS, FrameRow } from './frame-row.tsx'
import { ThemeRow } from './theme-row.tsx'
import type { MoreSheetState } from './use-more-sheet.ts'

type MoreSheetProps = {
  owner: Owner | null | undefined
  pathname: string
  onSignOut: () => void
  more: MoreSheetState
}

/** The sheet behind *More*: the entries that do not fit in the bar, the owner's calendars, the public site and Sign Out. */
export function MoreSheet({ owner, pathname, onSignOut, more }: MoreSheetProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (opensElsewhere) return
    event.preventDefault()
    const { pathname: path, search, href } = event.currentTarget
    if (isOwnerPagePath(path)) more.goTo(`${path}${search}`)
    else location.replace(href)
  }
  const toRow = (link: FrameLink) => (
    <li key={link.path}>
      <FrameRow link={link} current={currentOf(link, pathname)} onFollow={follow} />
    </li>
  )
  return (
    <Dialog open={more.isOpen} onOpenChange={(open) => !open && more.close()} title="More">
      <nav aria-label="More" className="-mx-3 -my-2 flex flex-col gap-4">
        <ul>
          {/* With large text, the bar shows these entries without their labels. */}
          <li className="hidden max-[17rem]:block">
            <ul>{FIRST_LINKS.map(toRow)}</ul>
          </li>
          {REST_LINKS.map(toRow)}
        </ul>
        {owner && <FrameCalendars ownerId={owner.id} pathname={pathname} onFollow={follow} />}
        <ul className="border-t border-line pt-3">
          {SITE_LINKS.map(toRow)}
          <li>
            <ThemeRow />
          </li>
          <li>
            <button type="button" onClick={onSignOut} className={FRAME_ROW_CLASS}>
              <LogOut aria-hidden="true" className="size-5 shrink-0" />
              Sign Out
            </button>
          </li>
        </ul>
      </nav>
    </Dialog>
  )
}
