import { useQuery } from '@tanstack/react-query'
import { ButtonLink } from '#web/ui/button.tsx'
import { Clock } from '#web/ui/icons/clock.ts'
import { WAITING_LIST_ID } from './waiting-card.tsx'
import { waitingCountsQuery } from './waiting-list-queries.ts'

type WaitingLinkProps = {
  calendarId: string
  /** The page with the list; the present one when absent. */
  page?: string
  size?: 'sm' | 'md'
}

/** How many wait on a calendar and how many offers are open, as a link to its list. Nothing when nobody waits. Source: rule Z13. */
export function WaitingLink({ calendarId, page = '', size = 'md' }: WaitingLinkProps) {
  const { data } = useQuery(waitingCountsQuery)
  const count = data?.calendars.find(({ calendar_id: id }) => id === calendarId)
  if (count === undefined) return null
  return (
    <ButtonLink size={size} href={`${page}#${WAITING_LIST_ID}`}>
      <Clock aria-hidden="true" className={size === 'sm' ? 'size-4' : 'size-5'} />
      {describeCount(count)}
    </ButtonLink>
  )
}

/** `1 customer waits`, `3 customers wait · 2 offers open`. */
function describeCount({ waiting, offered }: { waiting: number; offered: number }): string {
  const people = waiting === 1 ? '1 customer waits' : `${waiting} customers wait`
  return offered === 0 ? people : `${people} · ${offered} ${offered === 1 ? 'offer' : 'offers'} open`
}
