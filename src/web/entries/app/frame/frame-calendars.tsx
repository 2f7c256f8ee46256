import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { calendarsQuery } from '#web/areas/calendars/calendars/calendar-queries.ts'
import { ROW_CLASS } from '#web/entries/app/row-class.ts'
import { CalendarDot } from '#web/kit/calendar-dot.tsx'
import { paths } from '#web/shared/paths.ts'
import { classNames } from '#web/ui/class-names.ts'

/** This many calendars are never scrolled apart from the sidebar. */
const MAX_UNSCROLLED = 4

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
    <section
      aria-labelledby={headingId}
      // A long list scrolls within the sidebar, so that the foot below it stays visible.
      className={calendars.length > MAX_UNSCROLLED ? 'min-h-40 overflow-y-auto' : 'shrink-0'}
    >
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
              className={classNames(ROW_CLASS, 'min-h-9 py-1.5 aria-[current]:font-medium!')}
            >
              <CalendarDot color={color} className="mx-1 size-3" />
              <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
