import type { Insights } from '#contract/appointments/insights.ts'
import { formatCount } from '#web/shared/format-count.ts'
import { Table } from '#web/ui/table.tsx'
import { ChartCard } from './chart-card.tsx'
import { ColumnChart } from './column-chart.tsx'
import { formatLongMonth, formatShortMonth, pluralize } from './insight-words.ts'

/** A chart of new and returning customers per month. Source: rule N5. */
export function CustomersCard({ insights: { customers, last_month } }: { insights: Insights }) {
  const newcomers = customers.reduce((sum, month) => sum + month.new, 0)
  const sentence = `${pluralize(newcomers, 'new customer')} in these months. Returning ones are counted in each month in which they came.`
  return (
    <ChartCard
      title="New and returning customers"
      sentence={sentence}
      legend={[
        { ink: 'solid', name: 'Returning' },
        { ink: 'dotted', name: 'New' },
      ]}
      table={
        <Table
          caption="New and returning customers"
          rows={customers}
          rowKey={({ month }) => month}
          columns={[
            { id: 'month', header: 'Month', cell: ({ month }) => formatLongMonth(month) },
            { id: 'new', header: 'New', align: 'end', cell: (row) => formatCount(row.new) },
            {
              id: 'returning',
              header: 'Returning',
              align: 'end',
              cell: ({ returning }) => formatCount(returning),
            },
          ]}
        />
      }
    >
      <ColumnChart
        label={`New and returning customers: ${sentence}`}
        columns={customers.map((row) => ({
          key: row.month,
          label: formatShortMonth(row.month, customers),
          title: `${formatLongMonth(row.month)}: ${formatCount(row.new)} new, ${formatCount(row.returning)} returning`,
          above: [
            { ink: 'solid', value: row.returning },
            { ink: 'dotted', value: row.new },
          ],
          mark: row.new + row.returning > 0 ? formatCount(row.new + row.returning) : '',
          isPresent: row.month === last_month,
        }))}
      />
    </ChartCard>
  )
}
