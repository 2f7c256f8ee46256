import { useId } from 'react'
import { ROW_CLASS } from '#web/entries/app/row-class.ts'
import { SETTINGS_GROUPS } from '#web/entries/app/settings-tab.ts'
import { paths, type SettingsTab } from '#web/shared/paths.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronRight } from '#web/ui/icons/chevron-right.ts'

type SettingsListProps = {
  calendarId: string
  /** The shown tab; undefined when the list is a page of its own. */
  current: SettingsTab | undefined
  className?: string | undefined
}

/** The list of a calendar's settings, in three groups: beside the chosen tab, or as a page of its own. Source: rule W7. */
export function SettingsList({ calendarId, current, className }: SettingsListProps) {
  const headingId = useId()
  const isPage = current === undefined
  return (
    <nav aria-label="Calendar settings" className={classNames('flex flex-col gap-5', className)}>
      {SETTINGS_GROUPS.map(({ title, tabs }, i) => (
        <section key={title} aria-labelledby={`${headingId}-${i}`}>
          <h2
            id={`${headingId}-${i}`}
            className={classNames(
              'font-sans text-sm font-semibold tracking-normal text-ink-faint',
              isPage ? 'px-1 pb-2' : 'px-3 pb-1',
            )}
          >
            {title}
          </h2>
          <ul
            className={
              isPage
                ? 'divide-y divide-line overflow-clip rounded-card border border-line bg-surface shadow-card'
                : 'flex flex-col gap-0.5'
            }
          >
            {tabs.map(({ id, label }) => (
              <li key={id}>
                <a
                  href={paths.calendarSettings(calendarId, id)}
                  aria-current={id === current ? 'page' : undefined}
                  className={isPage ? PAGE_ROW_CLASS : LIST_ROW_CLASS}
                >
                  {label}
                  {isPage && <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-faint" />}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

const PAGE_ROW_CLASS =
  'flex min-h-12.5 items-center justify-between gap-3 px-4 py-2.5 font-medium hover:bg-sunken focus-visible:-outline-offset-2'

const LIST_ROW_CLASS = classNames(ROW_CLASS, 'min-h-9 py-1')
