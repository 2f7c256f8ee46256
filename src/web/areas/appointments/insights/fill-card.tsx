import type { Insights } from '#contract/appointments/insights.ts'
import { toPercent } from '#core/appointments/booked-share.ts'
import { formatDateHeading, formatWeekday } from '#web/shared/format-date.ts'
import { Table } from '#web/ui/table.tsx'
import { ChartCard } from './chart-card.tsx'
import { type ChartColumn, ColumnChart } from './column-chart.tsx'

type Days = Insights['days']

/** A chart of the booked share of the opening hours, for each day of this week and next week. Source: rule N4. */
export function BookedShareCard({ days, today }: { days: Days; today: string }) {
  const weeks = [
    { name: 'This week', days: days.slice(0, 7) },
    { name: 'Next week', days: days.slice(7) },
  ]
  const [now, next] = weeks.map((week) => fillOfWeek(week.days))
  const sentence = `This week is ${now}, next week ${next}.`
  return (
    <ChartCard
      title="How full the week is"
      className="@2xl:col-span-2"
      sentence={sentence}
      legend={[{ ink: 'solid', name: 'Percentage of opening hours booked' }]}
      table={
        <Table
          caption="How full the week is"
          rows={days}
          rowKey={({ date }) => date}
          columns={[
            { id: 'day', header: 'Day', cell: ({ date }) => formatDateHeading(date) },
            { id: 'booked', header: 'Booked', align: 'end', cell: (day) => hoursOf(day.booked_minutes) },
            { id: 'open', header: 'Open', align: 'end', cell: (day) => hoursOf(day.open_minutes) },
            { id: 'full', header: 'Full', align: 'end', cell: fillOfDay },
          ]}
        />
      }
    >
      <div className="grid gap-6 sm:grid-cols-2">
        {weeks.map((week) => (
          <div key={week.name}>
            <p className="text-sm font-semibold">{week.name}</p>
            <ColumnChart
              label={`${week.name}: ${week.days.map((day) => `${formatWeekday(day.date)} ${fillOfDay(day)}`).join(', ')}`}
              columns={week.days.map((day) => toColumn(day, today))}
            />
          </div>
        ))}
      </div>
    </ChartCard>
  )
}

function toColumn(day: Days[number], today: string): ChartColumn {
  const { date, open_minutes, booked_minutes } = day
  const percent = toPercent(booked_minutes, open_minutes)
  return {
    key: date,
    label: formatWeekday(date).slice(0, 2),
    title: `${formatDateHeading(date)}: ${fillOfDay(day)}`,
    above: [{ ink: 'solid', value: percent ?? 0 }],
    // A closed day has no outline, because there are no opening hours to fill.
    outline: percent === null ? 0 : 100,
    mark: percent === null ? '–' : String(percent),
    isPresent: date === today,
  }
}

function fillOfWeek(days: Days): string {
  const sum = (minutesOf: (day: Days[number]) => number) =>
    days.reduce((minutes, day) => minutes + minutesOf(day), 0)
  const percent = toPercent(
    sum(({ booked_minutes }) => booked_minutes),
    sum(({ open_minutes }) => open_minutes),
  )
  return percent === null ? 'closed' : `${percent}% full`
}

function fillOfDay({ open_minutes, booked_minutes }: Days[number]): string {
  const percent = toPercent(booked_minutes, open_minutes)
  return percent === null ? 'Closed' : `${percent}%`
}

/** Formats a duration: `7 h 30 min`. */
function hoursOf(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ')
}
