import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Insights } from '#contract/appointments/insights.ts'
import {
  INSIGHT_MONTHS,
  type InsightMonths,
  MAX_READ_APPOINTMENTS,
} from '#core/appointments/insight-range.ts'
import type { CalendarScope } from '#web/kit/calendar-scope.ts'
import { useNow } from '#web/kit/use-now.ts'
import { formatCount } from '#web/shared/format-count.ts'
import { formatZone, localDateOf } from '#web/shared/format-date.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { BookingsByHourCard, BookingsByTypeCard, LeadTimeCard } from './booking-cards.tsx'
import { CustomersCard } from './customer-cards.tsx'
import { EmptyInsights } from './empty-insights.tsx'
import { BookedShareCard } from './fill-card.tsx'
import { formatLongMonth, hasNoData } from './insight-words.ts'
import { InsightsPlaceholder } from './insights-placeholder.tsx'
import { insightsQuery } from './insights-query.ts'
import { MonthlyMoneyCard } from './money-card.tsx'
import { CancellationsCard, NoShowsCard } from './share-cards.tsx'

const RANGES = INSIGHT_MONTHS.map((months) => ({ value: months, label: months }))

/** Shows charts of the appointments and payments of a calendar or of all calendars. Source: rules N1 and V13. */
export function InsightsPanel({ scope }: { scope: CalendarScope }) {
  const [months, setMonths] = useState<InsightMonths>('6')
  const { data, error, refetch, isPlaceholderData } = useQuery(insightsQuery(scope, months))
  if (data === undefined && error === null) return <InsightsPlaceholder />
  if (data === undefined) {
    return <ErrorState title="Failed to load the insights" hint={error?.message} onRetry={() => refetch()} />
  }
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 className="min-w-0 text-2xl font-semibold">{rangeName(data)}</h2>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span aria-hidden="true" className="text-sm text-ink-soft">
            Months
          </span>
          <SegmentedControl legend="Months" options={RANGES} value={months} onChange={setMonths} />
        </div>
      </div>
      <div aria-busy={isPlaceholderData} className="aria-busy:opacity-60">
        {hasNoData(data) ? <EmptyInsights /> : <Charts insights={data} />}
      </div>
    </div>
  )
}

function Charts({ insights }: { insights: Insights }) {
  const nowIso = useNow()
  const { money, days, time_zone, last_month, is_complete } = insights
  return (
    <div className="grid gap-6 @2xl:grid-cols-2">
      {!is_complete && (
        <Notice tone="info" className="@2xl:col-span-2">
          There are too many appointments to count at once. These are the latest{' '}
          {formatCount(MAX_READ_APPOINTMENTS)}.
        </Notice>
      )}
      {money.map((chart) => (
        <MonthlyMoneyCard
          key={`${chart.currency} ${chart.sandbox}`}
          chart={chart}
          presentMonth={last_month}
          isOnly={money.length === 1}
        />
      ))}
      <BookedShareCard days={days} today={localDateOf(nowIso, time_zone)} />
      <BookingsByHourCard insights={insights} />
      <BookingsByTypeCard insights={insights} />
      <LeadTimeCard insights={insights} />
      <CustomersCard insights={insights} />
      <CancellationsCard insights={insights} />
      <NoShowsCard insights={insights} />
      <p className="text-sm text-ink-soft @2xl:col-span-2">
        Months, days and hours are in {formatZone(time_zone, nowIso)}. Cancelled appointments only count as
        cancellations.
      </p>
    </div>
  )
}

/** Formats the shown range of months: `August 2026 to January 2027`. */
function rangeName({ first_month, last_month }: Insights): string {
  return `${formatLongMonth(first_month)} to ${formatLongMonth(last_month)}`
}
