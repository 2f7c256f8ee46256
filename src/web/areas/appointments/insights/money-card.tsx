import type { Insights } from '#contract/appointments/insights.ts'
import { SANDBOX_LABEL } from '#core/payments/provider-names.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { Table } from '#web/ui/table.tsx'
import { ChartCard } from './chart-card.tsx'
import { type ChartColumn, ColumnChart } from './column-chart.tsx'
import { formatLongMonth, formatMoneyWithoutCents, formatShortMonth } from './insight-words.ts'

type MoneyChart = Insights['money'][number]
type MoneyCardProps = { chart: MoneyChart; presentMonth: string; isOnly: boolean }

/** A chart of money by month: received and outstanding above the line, refunded below. Source: rule N3. */
export function MonthlyMoneyCard({
  chart: { currency, sandbox, months },
  presentMonth,
  isOnly,
}: MoneyCardProps) {
  const money = (cents: number) => formatMoney(cents / 100, currency)
  const sum = (centsOf: (month: MoneyChart['months'][number]) => number) =>
    money(months.reduce((cents, month) => cents + centsOf(month), 0))
  const owed = sandbox ? '' : `, ${sum(({ outstanding_cents }) => outstanding_cents)} outstanding`
  const sentence = `${sum(({ taken_cents }) => taken_cents)} taken, ${sum(({ refunded_cents }) => refunded_cents)} refunded${owed}.`
  const markOf = (cents: number) => (cents > 0 ? formatMoneyWithoutCents(cents / 100, currency) : '')
  const columns: ChartColumn[] = months.map((bar) => ({
    key: bar.month,
    label: formatShortMonth(bar.month, months),
    title: `${formatLongMonth(bar.month)}: ${money(bar.taken_cents)} taken, ${money(bar.refunded_cents)} refunded${sandbox ? '' : `, ${money(bar.outstanding_cents)} outstanding`}`,
    above: [
      { ink: 'solid', value: bar.taken_cents },
      { ink: 'dotted', value: bar.outstanding_cents },
    ],
    below: { ink: 'striped', value: bar.refunded_cents },
    mark: markOf(bar.taken_cents + bar.outstanding_cents),
    isPresent: bar.month === presentMonth,
  }))
  const isOwed = months.some(({ outstanding_cents }) => outstanding_cents > 0)
  const title = isOnly
    ? 'Money by month'
    : `Money by month, ${sandbox ? `test payments in ${currency}` : currency}`
  return (
    <ChartCard
      title={title}
      className={isOnly ? '@2xl:col-span-2' : ''}
      sentence={sentence}
      note={sandbox ? SANDBOX_LABEL : undefined}
      marks={isOwed ? 'Over a month: taken and outstanding together.' : undefined}
      legend={[
        { ink: 'solid', name: 'Taken' },
        { ink: 'striped', name: 'Refunded' },
        ...(sandbox ? [] : [{ ink: 'dotted', name: 'Outstanding' } as const]),
      ]}
      table={
        <Table
          caption={title}
          rows={months}
          rowKey={({ month }) => month}
          columns={[
            { id: 'month', header: 'Month', cell: ({ month }) => formatLongMonth(month) },
            { id: 'taken', header: 'Taken', align: 'end', cell: ({ taken_cents }) => money(taken_cents) },
            {
              id: 'refunded',
              header: 'Refunded',
              align: 'end',
              cell: ({ refunded_cents }) => money(refunded_cents),
            },
            ...(sandbox
              ? []
              : [
                  {
                    id: 'outstanding',
                    header: 'Outstanding',
                    align: 'end' as const,
                    cell: ({ outstanding_cents }: MoneyChart['months'][number]) => money(outstanding_cents),
                  },
                ]),
          ]}
        />
      }
    >
      <ColumnChart label={`${title}: ${sentence}`} columns={columns} />
    </ChartCard>
  )
}
