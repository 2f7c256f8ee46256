import { useQuery } from '@tanstack/react-query'
import type { PaymentsOverview as Money } from '#contract/payments/transactions.ts'
import { SANDBOX_LABEL } from '#core/payments/provider-names.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { formatDay } from '#web/shared/format-date.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Table } from '#web/ui/table.tsx'
import { paymentsOverviewQuery } from './transaction-queries.ts'

/** Shows a calendar's income, in total and by month. */
export function PaymentsOverviewCard({ calendarId }: { calendarId: string }) {
  const query = useQuery(paymentsOverviewQuery(calendarId))
  const { data } = query
  return (
    <Card title="Money overview" description="The last twelve months, and what customers still owe you.">
      <LoadStatus query={query} loading="Loading the overview..." failed="Failed to load the overview">
        <FiguresPlaceholder />
      </LoadStatus>
      {data !== undefined && <Figures money={data} />}
    </Card>
  )
}

const NOTHING = { currency: 'EUR', isSandbox: false, taken: 0, refunded: 0, outstanding: 0 }

function Figures({ money }: { money: Money }) {
  const sums = sumMoney(money)
  return (
    <div className="flex flex-col gap-6">
      {(sums.length === 0 ? [NOTHING] : sums).map(({ currency, isSandbox, taken, refunded, outstanding }) => (
        <div key={`${currency} ${isSandbox}`} className="flex flex-col gap-3">
          {isSandbox && <p className="font-semibold">{SANDBOX_LABEL}</p>}
          <dl className="grid gap-3 @2xl:grid-cols-3">
            <Figure term="Taken" amount={taken} currency={currency} />
            <Figure term="Refunded" amount={refunded} currency={currency} />
            {!isSandbox && <Figure term="Outstanding" amount={outstanding} currency={currency} />}
          </dl>
        </div>
      ))}
      {money.months.length > 0 && (
        <Table
          caption="Money by month"
          rows={money.months}
          rowKey={({ month, currency, sandbox }) => `${month} ${currency} ${sandbox}`}
          columns={[
            { id: 'month', header: 'Month', cell: (row) => <MonthName of={row} /> },
            {
              id: 'taken',
              header: 'Taken',
              align: 'end',
              cell: ({ taken, currency }) => formatMoney(taken, currency),
            },
            {
              id: 'refunded',
              header: 'Refunded',
              align: 'end',
              cell: ({ refunded, currency }) => formatMoney(refunded, currency),
            },
          ]}
        />
      )}
    </div>
  )
}

function Figure({ term, amount, currency }: { term: string; amount: number; currency: string }) {
  return (
    <div className="rounded-control bg-sunken px-4 py-3">
      <dt className="text-sm font-semibold text-ink-soft">{term}</dt>
      <dd className="text-2xl font-semibold tabular-nums">{formatMoney(amount, currency)}</dd>
    </div>
  )
}

function MonthName({ of: { month, sandbox } }: { of: Money['months'][number] }) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {formatMonth(month)}
      {sandbox && <Badge tone="warning">Sandbox</Badge>}
    </div>
  )
}

/** Formats a month: `January 2027`. */
function formatMonth(month: string): string {
  return formatDay(`${month}-01`, { year: 'numeric', month: 'long' })
}

/**
 * Received, refunded and outstanding money in one currency. Sandbox money has separate sums and is never outstanding.
 */
type MoneySum = {
  readonly currency: string
  readonly isSandbox: boolean
  readonly taken: number
  readonly refunded: number
  readonly outstanding: number
}

/** Adds up the money per currency. Sums of sandbox money follow the sums of real money. */
function sumMoney({ months, outstanding }: Money): MoneySum[] {
  const real = months.filter(({ sandbox }) => !sandbox)
  const pretended = months.filter(({ sandbox }) => sandbox)
  return [
    ...currenciesOf([...real, ...outstanding]).map((currency) => ({
      ...sumOf(real, currency),
      isSandbox: false,
      outstanding: outstanding.find((owed) => owed.currency === currency)?.amount ?? 0,
    })),
    ...currenciesOf(pretended).map((currency) => ({
      ...sumOf(pretended, currency),
      isSandbox: true,
      outstanding: 0,
    })),
  ]
}

function currenciesOf(amounts: readonly { readonly currency: string }[]): string[] {
  return [...new Set(amounts.map(({ currency }) => currency))].sort()
}

function sumOf(months: Money['months'], currency: string) {
  const own = months.filter((month) => month.currency === currency)
  return {
    currency,
    taken: addUp(own.map(({ taken }) => taken)),
    refunded: addUp(own.map(({ refunded }) => refunded)),
  }
}

/** Adds up amounts, in cents to avoid rounding errors. */
function addUp(amounts: readonly number[]): number {
  return amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100
}

/** The loading placeholder for the three figures. */
function FiguresPlaceholder() {
  return (
    <div className="grid gap-3 @2xl:grid-cols-3">
      <RepeatedPlaceholder count={3}>
        <Skeleton className="h-19.5" />
      </RepeatedPlaceholder>
    </div>
  )
}
