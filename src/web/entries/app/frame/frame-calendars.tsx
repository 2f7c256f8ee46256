import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { calendarsQuery } from '#web/areas/calendars/calendars/calendar-queries.ts'
import { paths } from '#web/shared/paths.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ROW_CLASS } from './frame-row.tsx'

/** Lists the owner's calendars, each with a link to its settings. Hidden if there are none. */
export function FrameCalendars({
  ownerId,
  pathname,
  onFollow,
}: {
  ownerId: string
  pathname: string
  onFollow?: (event: React.MouseEvent<HTMLAnchorElement>) => void
}) {
  const { data: calendars = [] } = useQuery(calendarsQuery(ownerId))
  const headingId = useId()
  if (calendars.length === 0) return null
  return (
    <section aria-labelledby={headingId}>
      <p id={headingId} className="px-3 pb-1 text-sm font-semibold text-ink-faint">
        Calendars
      </p>
      <ul>
        {calendars.map(({ id, name, color }) => (
          <li key={id}>
            <a
              href={paths.calendarSettings(id)}
              aria-current={pathname === paths.calendarSettings(id) ? 'page' : undefined}
              onClick={onFollow}
              className={classNames(ROW_CLASS, 'min-h-9! aria-[current]:font-medium!')}
            >
              <span
                aria-hidden="true"
                className="mx-1 size-3 shrink-0 rounded-full forced-color-adjust-none"
                style={{ backgroundColor: color }}
              />
              <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
