import { Fragment } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { ExternalCalendars } from '#contract/external-calendars/external-calendars.ts'
import { paths } from '#web/shared/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { listOthers } from './account-use.ts'

type ReadElsewhereProps = { calendar: Calendar; external: ExternalCalendars }

/** Says that what other calendars of the person read counts here as well; nothing when there is none. Source: rule G32. */
export function ReadElsewhere({ calendar, external }: ReadElsewhereProps) {
  const others = listOthers(external)
  if (others.length === 0) return null
  return (
    <Notice className="mb-6">
      <span className="wrap-anywhere">
        What counts as busy for{' '}
        {others.map(({ id, name }, index) => (
          <Fragment key={id}>
            {separator(index, others.length)}
            <a
              href={paths.calendarSettings(id, 'integrations')}
              className="rounded-sm font-semibold text-link underline underline-offset-4"
            >
              {name}
            </a>
          </Fragment>
        ))}{' '}
        counts here, too, because {others.length === 1 ? 'both' : 'all of them'} are calendars of{' '}
        {calendar.person.name}.
      </span>
    </Notice>
  )
}

function separator(index: number, count: number): string {
  if (index === 0) return ''
  return index === count - 1 ? ' and ' : ', '
}
