import { useQuery } from '@tanstack/react-query'
import { classNames } from '#web/ui/class-names.ts'
import { WAITING_LIST_ELEMENT_ID } from './waiting-card.tsx'
import { waitingListCountsQuery } from './waiting-list-queries.ts'

type WaitingLinkProps = {
  calendarId: string
  /** The path of the page that contains the waiting list; by default the current page. */
  page?: string
  className: string
}

/** A link to the waiting list, with the numbers of customers and offers. Hidden if the list is empty. Source: rule Z13. */
export function WaitingListLink({ calendarId, page = '', className }: WaitingLinkProps) {
  const { data } = useQuery(waitingListCountsQuery)
  const count = data?.calendars.find(({ calendar_id: id }) => id === calendarId)
  if (count === undefined) return null
  return (
    <a
      href={`${page}#${WAITING_LIST_ELEMENT_ID}`}
      className={classNames(
        'rounded-control font-semibold text-link underline underline-offset-4 touch:flex touch:min-h-11 touch:items-center',
        className,
      )}
    >
      {describeCount(count)}
    </a>
  )
}

/** Returns the numbers as text: `1 waiting`, or `3 waiting · 2 offers pending`. */
function describeCount({ waiting, offered }: { waiting: number; offered: number }): string {
  const people = `${waiting} waiting`
  return offered === 0 ? people : `${people} · ${offered} ${offered === 1 ? 'offer' : 'offers'} pending`
}
