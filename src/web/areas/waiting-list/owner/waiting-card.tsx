import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { LinePlaceholder, LoadingPlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { Pagination } from '#web/kit/pagination.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { AddToWaitingListDialog } from './add-dialog.tsx'
import { WaitingListItem } from './waiting-item.tsx'
import { type WaitingListFilter, waitingListQuery } from './waiting-list-queries.ts'

const LISTS = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'ended', label: 'Ended' },
] as const satisfies readonly { value: WaitingListFilter; label: string }[]

/** The card's element id, to which links point. */
export const WAITING_LIST_ELEMENT_ID = 'waiting-list'

/** Shows a calendar's waiting list in order, with all offers. Source: rule Z3. */
export function WaitingListCard({ calendar }: { calendar: Calendar }) {
  const [show, setShow] = useState<WaitingListFilter>('waiting')
  const [page, setPage] = useState(1)
  const [isAdding, setAdding] = useState(false)
  const card = useRef<HTMLElement>(null)
  const { data, error, refetch, isPlaceholderData } = useQuery(waitingListQuery(calendar.id, show, page))
  const totalPages = data === undefined ? 1 : Math.max(1, Math.ceil(data.total / LIMITS.pageSize))
  // True if the page no longer exists, because its last customer has been removed or has accepted an offer.
  const isBeyond = data !== undefined && !isPlaceholderData && page > totalPages
  useEffect(() => {
    if (isBeyond) setPage(totalPages)
  }, [isBeyond, totalPages])
  const isLoaded = data !== undefined
  // Scroll to the list, because it was not rendered yet when the browser looked for the target of the URL's fragment.
  useEffect(() => {
    if (isLoaded && location.hash === `#${WAITING_LIST_ELEMENT_ID}`) card.current?.scrollIntoView()
  }, [isLoaded])
  return (
    <Card
      ref={card}
      id={WAITING_LIST_ELEMENT_ID}
      className="scroll-mt-4"
      title="Waiting list"
      description="When a time opens up, the first matching customer gets an email."
      actions={
        <div className="flex flex-wrap items-center gap-3">
          <Button onClick={() => setAdding(true)}>
            <Plus aria-hidden="true" className="size-5" />
            Add customer
          </Button>
          <SegmentedControl
            legend="Show customers"
            options={LISTS}
            value={show}
            onChange={(next) => {
              setShow(next)
              setPage(1)
            }}
          />
        </div>
      }
    >
      {data === undefined && error === null && (
        <LoadingPlaceholder text="Loading the waiting list...">
          <RepeatedPlaceholder count={3}>
            <div className="border-b border-line py-4">
              <LinePlaceholder className="w-48" />
              <LinePlaceholder size="sm" className="w-80" />
            </div>
          </RepeatedPlaceholder>
        </LoadingPlaceholder>
      )}
      {data === undefined && error !== null && (
        <ErrorState title="Error loading the waiting list" onRetry={() => refetch()} />
      )}
      {data?.total === 0 && (
        <EmptyState
          title={show === 'waiting' ? 'The waiting list is empty' : 'Nobody has left the list'}
          hint={
            show === 'waiting'
              ? 'Customers join on your booking page, below the times. You can also add them yourself.'
              : 'Requests that ended in the last 30 days appear here.'
          }
        />
      )}
      {data !== undefined && data.entries.length > 0 && (
        <ol aria-busy={isPlaceholderData} className="divide-y divide-line aria-busy:opacity-60">
          {data.entries.map((entry) => (
            <WaitingListItem
              key={entry.id}
              calendarId={calendar.id}
              entry={entry}
              timeZone={data.time_zone}
              hourCycle={data.hour_cycle}
            />
          ))}
        </ol>
      )}
      {totalPages > 1 && (
        <div className="border-t border-line pt-5">
          <Pagination page={Math.min(page, totalPages)} totalPages={totalPages} onChange={setPage} />
        </div>
      )}
      <AddToWaitingListDialog calendar={calendar} open={isAdding} onOpenChange={setAdding} />
    </Card>
  )
}
