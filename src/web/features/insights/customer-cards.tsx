import type { Insights } from '#contract/insights.ts'
import { percentOf } from '#core/insights/week-fill.ts'
import { formatCount } from '#web/shared/format-count.ts'
import { Table } from '#web/ui/table.tsx'
import { ChartCard } from './chart-card.tsx'
import { ColumnChart } from './column-chart.tsx'
import { countOf, longMonth, shortMonth } from './insight-words.ts'

/** Who came for the first time, and who came again. Source: rule N5. */
export function CustomersCard({ insights: { customers, last_month } }: { insights: Insights }) {
  const newcomers = customers.reduce((sum, month) => sum + month.new, 0)
  const sentence = `${countOf(newcomers, 'new customer')} in these months. Returning ones are counted in each month in which they came.`
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
            { id: 'month', header: 'Month', cell: ({ month }) => longMonth(month) },
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
          label: shortMonth(row.month, customers),
          title: `${longMonth(row.month)}: ${formatCount(row.new)} new, ${formatCount(row.returning)} returning`,
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

/** How many appointments were cancelled. */
export function CancellationsCard({ insights: { cancellations, last_month } }: { insights: Insights }) {
  const all = cancellations.reduce((sum, { appointments }) => sum + appointments, 0)
  const cancelled = cancellations.reduce((sum, month) => sum + month.cancelled, 0)
  const sentence = `${formatCount(cancelled)} of ${countOf(all, 'appointment')} ${cancelled === 1 ? 'was' : 'were'} cancelled: ${percentOf(cancelled, all) ?? 0}%.`
  return (
    <ChartCard
      title="Cancellations"
      sentence={sentence}
      legend={[{ ink: 'striped', name: 'Share of the appointments of the month, in percent' }]}
      table={
        <Table
          caption="Cancellations"
          rows={cancellations}
          rowKey={({ month }) => month}
          columns={[
            { id: 'month', header: 'Month', cell: ({ month }) => longMonth(month) },
            {
              id: 'appointments',
              header: 'Appointments',
              align: 'end',
              cell: ({ appointments }) => formatCount(appointments),
            },
            { id: 'cancelled', header: 'Cancelled', align: 'end', cell: (row) => formatCount(row.cancelled) },
            { id: 'share', header: 'Share', align: 'end', cell: shareOf },
          ]}
        />
      }
    >
      <ColumnChart
        label={`Cancellations: ${sentence}`}
        columns={cancellations.map((row) => ({
          key: row.month,
          label: shortMonth(row.month, cancellations),
          title: `${longMonth(row.month)}: ${formatCount(row.cancelled)} of ${formatCount(row.appointments)} cancelled`,
          above: [{ ink: 'striped', value: percentOf(row.cancelled, row.appointments) ?? 0 }],
          mark: row.appointments === 0 ? '' : shareOf(row),
          isPresent: row.month === last_month,
        }))}
      />
    </ChartCard>
  )
}

function shareOf({ appointments, cancelled }: Insights['cancellations'][number]): string {
  const percent = percentOf(cancelled, appointments)
  return percent === null ? '–' : `${percent}%`
}
