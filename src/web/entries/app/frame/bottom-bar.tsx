import type { Owner } from '#contract/accounts/sessions.ts'
import { Ellipsis } from '#web/ui/icons/ellipsis.ts'
import { currentOf, FIRST_LINKS, REST_LINKS } from './frame-links.ts'
import { MoreSheet } from './more-sheet.tsx'
import { RequestCount } from './request-count.tsx'
import type { MoreSheetState } from './use-more-sheet.ts'

type BottomBarProps = {
  owner: Owner | null | undefined
  pathname: string
  onSignOut: () => void
  more: MoreSheetState
}

/** The navigation of the owner's pages on a phone: five entries at the lower edge. Source: rule W22. */
export function BottomBar({ owner, pathname, onSignOut, more }: BottomBarProps) {
  const isInMore = REST_LINKS.some((link) => currentOf(link, pathname) !== undefined)
  return (
    <>
      <nav
        aria-label="Main"
        data-bottom-bar=""
        className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface ps-[env(safe-area-inset-left)] pe-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] print:hidden"
      >
        <ul className="mx-auto flex max-w-2xl">
          {FIRST_LINKS.map((link) => (
            <li key={link.path} className="min-w-0 flex-auto">
              <a
                href={link.path}
                aria-current={currentOf(link, pathname)}
                title={link.label}
                className={ENTRY_CLASS}
              >
                <link.Icon aria-hidden="true" className="size-5.5 shrink-0" />
                <span className={LABEL_CLASS}>{link.label}</span>
                {link.label === 'Appointments' && (
                  <RequestCount
                    isKnownOwner={!!owner}
                    className="absolute top-0.5 start-[calc(50%+0.25rem)]"
                  />
                )}
              </a>
            </li>
          ))}
          <li className="min-w-0 flex-auto">
            <button
              type="button"
              aria-haspopup="dialog"
              aria-expanded={more.isOpen}
              aria-current={isInMore ? 'true' : undefined}
              onClick={more.open}
              className={ENTRY_CLASS}
            >
              <Ellipsis aria-hidden="true" className="size-5.5 shrink-0" />
              <span className={LABEL_CLASS}>More</span>
            </button>
          </li>
        </ul>
      </nav>
      <MoreSheet owner={owner} pathname={pathname} onSignOut={onSignOut} more={more} />
    </>
  )
}

/** The CSS classes of an entry. A line at its upper edge marks the current page. */
const ENTRY_CLASS =
  'relative flex h-14 w-full flex-col items-center justify-center gap-0.5 px-1 font-medium text-ink-soft focus-visible:-outline-offset-2 before:absolute before:inset-x-3 before:top-0 before:h-[3px] before:rounded-b-full aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:before:bg-noon forced-colors:before:hidden'

/** With large text on a phone, five labels do not fit. The icons then stand alone, and the sheet behind *More* has all labels. */
const LABEL_CLASS = 'text-[0.6875rem] leading-tight whitespace-nowrap max-[17rem]:sr-only'
