import { useQuery } from '@tanstack/react-query'
import type { MoneyOverview as Money } from '#contract/payments/transactions.ts'
import { SANDBOX_NOTE } from '#core/payments/provider-names.ts'
import { LoadingShape } from '#web/kit/loading-shape.tsx'
import { formatDay } from '#web/shared/format-date.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Table } from '#web/ui/table.tsx'
import { sumMoney } from './sum-money.ts'
import { FiguresPlaceholder } from './transaction-placeholders.tsx'
import { moneyQuery } from './transaction-queries.ts'

/** The income of a calendar, in total and by month. */
export function MoneyOverview({ calendarId }: { calendarId: string }) {
  const { data, error, refetch } = useQuery(moneyQuery(calendarId))
  return (
    <Card title="Money overview" description="The last twelve months, and what customers still owe you.">
      {data === undefined && error === null && (
        <LoadingShape text="Loading the overview...">
          <FiguresPlaceholder />
        </LoadingShape>
      )}
      {data === undefined && error !== null && (
        <ErrorState title="Failed to load the overview" hint={error.message} onRetry={() => refetch()} />
      )}
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
          {isSandbox && <p className="font-semibold">{SANDBOX_NOTE}</p>}
          <dl className="grid gap-3 sm:grid-cols-3">
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
    <div>
      {formatMonth(month)}
      {sandbox && <p className="text-sm text-ink-soft">{SANDBOX_NOTE}</p>}
    </div>
  )
}

/** `January 2027` */
function formatMonth(month: string): string {
  return formatDay(`${month}-01`, { year: 'numeric', month: 'long' })
}
