import type { Insights } from '#contract/appointments/insights.ts'
import { toPercent } from '#core/appointments/booked-share.ts'
import { findMedianBand } from '#core/appointments/lead-times.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { formatHour } from '#web/shared/format-clock.ts'
import { formatCount } from '#web/shared/format-count.ts'
import { formatDayOfWeek } from '#web/shared/format-date.ts'
import { Table } from '#web/ui/table.tsx'
import { ChartCard } from './chart-card.tsx'
import { WeekdayHourChart } from './hour-chart.tsx'
import { LEAD_TIME_LABELS, pluralize, typeNameOrDefault } from './insight-words.ts'
import { HorizontalBarChart } from './row-chart.tsx'

/** A chart of the number of bookings per appointment type. */
export function BookingsByTypeCard({
  insights: { types, other_types, appointments },
}: {
  insights: Insights
}) {
  const rows = [
    ...types.map(({ name, appointments: value }) => ({
      key: name ?? '',
      name: typeNameOrDefault(name),
      value,
    })),
    ...(other_types > 0 ? [{ key: ' others', name: 'All other types', value: other_types }] : []),
  ]
  const [most] = rows
  const sentence =
    most === undefined
      ? 'No appointments in these months.'
      : `Most booked: ${wrapInBidiIsolates(most.name)}, ${formatCount(most.value)} of ${pluralize(appointments, 'appointment')}.`
  return (
    <ChartCard
      title="Bookings by type"
      sentence={sentence}
      table={<ShareTable caption="Bookings by type" head="Type" rows={rows} total={appointments} />}
    >
      <HorizontalBarChart label={`Bookings by type: ${sentence}`} rows={rows} />
    </ChartCard>
  )
}

/** A chart of how many appointments start in each hour of each weekday. */
export function BookingsByHourCard({ insights: { hours, hour_cycle } }: { insights: Insights }) {
  const most = hours.reduce<Insights['hours'][number] | null>(
    (best, row) => (best === null || row.appointments > best.appointments ? row : best),
    null,
  )
  const nameOf = ({ day_of_week, hour }: Insights['hours'][number]) =>
    `${formatDayOfWeek(day_of_week)}, ${formatHour(hour, hour_cycle)}`
  const sentence =
    most === null
      ? 'No appointments in these months.'
      : `Busiest time: ${formatDayOfWeek(most.day_of_week)}s at ${formatHour(most.hour, hour_cycle)} (${formatCount(most.appointments)}).`
  return (
    <ChartCard
      title="Weekdays and hours"
      sentence={sentence}
      table={
        <Table
          caption="Weekdays and hours"
          rows={hours}
          rowKey={nameOf}
          columns={[
            { id: 'hour', header: 'Starts', cell: nameOf },
            {
              id: 'appointments',
              header: 'Appointments',
              align: 'end',
              cell: ({ appointments }) => formatCount(appointments),
            },
          ]}
        />
      }
    >
      <WeekdayHourChart label={`Weekdays and hours: ${sentence}`} hours={hours} hourCycle={hour_cycle} />
    </ChartCard>
  )
}

/** A chart of the lead time: how long before an appointment it was booked. Source: rule N6. */
export function LeadTimeCard({ insights: { lead_times, appointments } }: { insights: Insights }) {
  const rows = lead_times.map(({ band, appointments: value }) => ({
    key: band,
    name: LEAD_TIME_LABELS[band].band,
    value,
  }))
  const middle = findMedianBand(lead_times)
  const sentence =
    middle === null
      ? 'No appointments in these months.'
      : `At least half of the appointments are booked ${LEAD_TIME_LABELS[middle].half}.`
  return (
    <ChartCard
      title="Lead time"
      sentence={sentence}
      table={<ShareTable caption="Lead time" head="Booked ahead" rows={rows} total={appointments} />}
    >
      <HorizontalBarChart label={`Lead time: ${sentence}`} rows={rows} />
    </ChartCard>
  )
}

type ShareTableProps = {
  caption: string
  head: string
  rows: readonly { key: string; name: string; value: number }[]
  total: number
}

function ShareTable({ caption, head, rows, total }: ShareTableProps) {
  return (
    <Table
      caption={caption}
      rows={rows}
      rowKey={({ key }) => key}
      columns={[
        { id: 'name', header: head, cell: ({ name }) => name },
        { id: 'value', header: 'Appointments', align: 'end', cell: ({ value }) => formatCount(value) },
        {
          id: 'share',
          header: 'Share',
          align: 'end',
          cell: ({ value }) => `${toPercent(value, total) ?? 0}%`,
        },
      ]}
    />
  )
}
