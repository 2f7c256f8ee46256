import type { Insights } from '#contract/appointments/insights.ts'
import { toPercent } from '#core/appointments/booked-share.ts'
import { formatCount } from '#web/shared/format-count.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { Table } from '#web/ui/table.tsx'
import { ChartCard } from './chart-card.tsx'
import { ColumnChart } from './column-chart.tsx'
import { formatLongMonth, formatShortMonth, pluralize } from './insight-words.ts'

/** A chart of the share of appointments that were cancelled, per month. */
export function CancellationsCard({ insights: { cancellations, last_month } }: { insights: Insights }) {
  const rows = cancellations.map(({ month, appointments, cancelled }) => ({
    month,
    appointments,
    counted: cancelled,
  }))
  const { all, counted, share } = sumOf(rows)
  return (
    <ShareCard
      title="Cancellations"
      sentence={`${formatCount(counted)} of ${pluralize(all, 'appointment')} ${counted === 1 ? 'was' : 'were'} cancelled: ${share}.`}
      legend="Percentage of the month’s appointments"
      heads={{ all: 'Appointments', counted: 'Cancelled' }}
      rows={rows}
      presentMonth={last_month}
    />
  )
}

/** A chart of the share of no-shows per month, with the total price of the missed appointments. Source: rule N9. */
export function NoShowsCard({ insights: { no_shows, no_show_money, last_month } }: { insights: Insights }) {
  const rows = no_shows.map(({ month, appointments, no_shows: counted }) => ({
    month,
    appointments,
    counted,
  }))
  const { all, counted, share } = sumOf(rows)
  const missed = `${formatCount(counted)} of ${pluralize(all, 'past appointment')} ${counted === 1 ? 'was a no-show' : 'were no-shows'}: ${share}.`
  return (
    <ShareCard
      title="No-shows"
      sentence={[missed, ...no_show_money.map((money) => toCost(money, counted === 1 ? 'It' : 'They'))].join(
        ' ',
      )}
      legend="Percentage of the month’s past appointments"
      heads={{ all: 'Past appointments', counted: 'No-shows' }}
      rows={rows}
      presentMonth={last_month}
    />
  )
}

function toCost(
  { currency, paid_cents, unpaid_cents }: Insights['no_show_money'][number],
  subject: 'It' | 'They',
): string {
  const money = (cents: number) => formatMoney(cents / 100, currency)
  const cost = `${subject} cost ${money(paid_cents + unpaid_cents)}`
  if (unpaid_cents === 0) return `${cost}, all of it paid.`
  return paid_cents === 0 ? `${cost}, none of it paid.` : `${cost}, of which ${money(paid_cents)} was paid.`
}

type ShareRow = { readonly month: string; readonly appointments: number; readonly counted: number }

type ShareCardProps = {
  title: string
  sentence: string
  legend: string
  heads: { all: string; counted: string }
  rows: readonly ShareRow[]
  presentMonth: string
}

/** A card with a chart of a share of the appointments, per month. */
function ShareCard({ title, sentence, legend, heads, rows, presentMonth }: ShareCardProps) {
  return (
    <ChartCard
      title={title}
      sentence={sentence}
      legend={[{ ink: 'striped', name: legend }]}
      table={
        <Table
          caption={title}
          rows={rows}
          rowKey={({ month }) => month}
          columns={[
            { id: 'month', header: 'Month', cell: ({ month }) => formatLongMonth(month) },
            { id: 'all', header: heads.all, align: 'end', cell: (row) => formatCount(row.appointments) },
            { id: 'counted', header: heads.counted, align: 'end', cell: (row) => formatCount(row.counted) },
            { id: 'share', header: 'Share', align: 'end', cell: shareOf },
          ]}
        />
      }
    >
      <ColumnChart
        label={`${title}: ${sentence}`}
        columns={rows.map((row) => ({
          key: row.month,
          label: formatShortMonth(row.month, rows),
          title: `${formatLongMonth(row.month)}: ${formatCount(row.counted)} of ${formatCount(row.appointments)}`,
          above: [{ ink: 'striped', value: toPercent(row.counted, row.appointments) ?? 0 }],
          mark: row.appointments === 0 ? '' : shareOf(row),
          isPresent: row.month === presentMonth,
        }))}
      />
    </ChartCard>
  )
}

function sumOf(rows: readonly ShareRow[]): { all: number; counted: number; share: string } {
  const all = rows.reduce((sum, { appointments }) => sum + appointments, 0)
  const counted = rows.reduce((sum, row) => sum + row.counted, 0)
  return { all, counted, share: `${toPercent(counted, all) ?? 0}%` }
}

function shareOf({ appointments, counted }: ShareRow): string {
  const percent = toPercent(counted, appointments)
  return percent === null ? '–' : `${percent}%`
}
