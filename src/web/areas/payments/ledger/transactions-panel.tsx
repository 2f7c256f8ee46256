import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { LinePlaceholder, LoadingPlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { countPages } from '#web/kit/page-window.ts'
import { ListPagination } from '#web/kit/pagination.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PaymentsOverviewCard } from './money-overview.tsx'
import { transactionsQuery } from './transaction-queries.ts'
import { TransactionsTable } from './transactions-table.tsx'

/** Lists all payments for a calendar's appointments. Source: rule F9. */
export function TransactionsPanel({ calendar }: { calendar: Calendar }) {
  const [page, setPage] = useState(1)
  const head = useRef<HTMLElement>(null)
  const { data, error, refetch, isPlaceholderData } = useQuery(transactionsQuery(calendar.id, page))
  const totalPages = countPages(data?.total ?? 0, LIMITS.pageSize)
  const turn = (next: number) => {
    setPage(next)
    head.current?.scrollIntoView({ block: 'start' })
  }
  return (
    <div className="flex flex-col gap-6">
      <PaymentsOverviewCard calendarId={calendar.id} />
      <Card
        ref={head}
        title="Transactions"
        description="Every payment, newest first."
        className="scroll-mt-4"
      >
        {data === undefined && error === null && (
          <LoadingPlaceholder text="Loading transactions...">
            <TransactionsPlaceholder />
          </LoadingPlaceholder>
        )}
        {data === undefined && error !== null && (
          <ErrorState
            title="Error loading payment transactions. Please try again."
            onRetry={() => refetch()}
          />
        )}
        {data?.total === 0 && (
          <EmptyState title="No Transactions Yet" hint="Your customers’ payments will appear here." />
        )}
        {data !== undefined && data.transactions.length > 0 && (
          <div aria-busy={isPlaceholderData} className="aria-busy:opacity-60">
            <TransactionsTable transactions={data.transactions} timeZone={calendar.timezone} />
          </div>
        )}
        <ListPagination page={page} totalPages={totalPages} onChange={turn} />
      </Card>
    </div>
  )
}

/** The loading placeholder: three payments. */
function TransactionsPlaceholder() {
  return (
    <>
      <div className="h-9.5 border-b border-line max-sm:hidden" />
      <RepeatedPlaceholder count={3}>
        <div className="flex gap-6 border-line py-3 not-last:border-b max-sm:flex-col max-sm:gap-3 sm:h-18 sm:px-3">
          <LinePlaceholder className="w-28" />
          <LinePlaceholder className="w-20" />
          <div className="min-w-0 sm:flex-1">
            <LinePlaceholder className="w-36" />
            <LinePlaceholder size="sm" className="w-48" />
          </div>
          <div className="min-w-0 sm:flex-1">
            <LinePlaceholder className="w-40" />
            <LinePlaceholder size="sm" className="w-36" />
          </div>
          <Skeleton className="h-6 w-20" />
        </div>
      </RepeatedPlaceholder>
    </>
  )
}
