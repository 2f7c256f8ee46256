import type { Insights } from '#contract/appointments/insights.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { formatHour } from '#web/shared/format-clock.ts'
import { formatDayOfWeek } from '#web/shared/format-date.ts'
import { pluralize } from './insight-words.ts'

type Hours = Insights['hours']
type HourChartProps = {
  /** The accessible name of the chart. */
  label: string
  hours: Hours
  hourCycle: HourCycle
}

/** The weekdays from Monday to Sunday, as numbers (0 = Sunday). */
const DAYS = [1, 2, 3, 4, 5, 6, 0]
/** Heights of a row, the header and the footer, and the largest dot's radius, in pixels. */
const ROW = 34
const HEAD = 26
const FOOT = 26
const LARGEST_DOT = 13
/** Minimum number of hours to show. With fewer hours, the dots would be far apart. */
const FEWEST_HOURS = 8
const MOST_LABELS = 5

/** The parts of the day. `from` and `until` are hours. Source: rule T31. */
const PARTS = [
  { name: 'Morning', from: 0, until: 12, fill: 'var(--chart-morning)' },
  { name: 'Afternoon', from: 12, until: 17, fill: 'var(--chart-afternoon)' },
  { name: 'Evening', from: 17, until: 24, fill: 'var(--chart-evening)' },
] as const

/** A chart with a dot per weekday and hour. The dot's area shows how many appointments start in that hour. */
export function WeekdayHourChart({ label, hours, hourCycle }: HourChartProps) {
  const { first, last } = spanOf(hours)
  const columns = last - first + 1
  const place = 100 / columns
  const shown = Array.from({ length: columns }, (_, i) => first + i)
  const most = Math.max(1, ...hours.map(({ appointments }) => appointments))
  // Limit the radius, so that adjacent dots do not touch on a narrow screen.
  const largest = Math.min(LARGEST_DOT, 130 / columns)
  const height = HEAD + DAYS.length * ROW + FOOT
  const step = Math.ceil(columns / MOST_LABELS)
  const parts = PARTS.map((part) => ({
    ...part,
    from: Math.max(part.from, first),
    until: Math.min(part.until, last + 1),
  })).filter(({ from, until }) => from < until)
  return (
    <div role="img" aria-label={label} className="flex gap-2 [direction:ltr]">
      <div aria-hidden="true" className="shrink-0 text-sm text-ink-soft" style={{ paddingTop: HEAD }}>
        {DAYS.map((day) => (
          <p key={day} className="flex items-center" style={{ height: ROW }}>
            {formatDayOfWeek(day).slice(0, 3)}
          </p>
        ))}
      </div>
      <svg aria-hidden="true" height={height} className="chart min-w-0 flex-1 overflow-visible text-sm">
        {parts.map(({ name, from, until, fill }) => (
          <g key={name}>
            <rect
              x={`${(from - first) * place}%`}
              width={`${(until - from) * place}%`}
              y={HEAD}
              height={DAYS.length * ROW}
              fill={fill}
            />
            {(until - from) * 3 >= columns && (
              <text
                x={`${((from + until) / 2 - first) * place}%`}
                y="16"
                textAnchor="middle"
                fill="var(--chart-text)"
              >
                {name}
              </text>
            )}
          </g>
        ))}
        {/* A line at noon. */}
        {first < 12 && last >= 12 && (
          <line
            x1={`${(12 - first) * place}%`}
            x2={`${(12 - first) * place}%`}
            y1={HEAD - 6}
            y2={HEAD + DAYS.length * ROW + 4}
            stroke="var(--chart-solid)"
            strokeWidth="1.5"
          />
        )}
        {DAYS.flatMap((day, row) =>
          shown.map((hour) => {
            const count = countAt(hours, day, hour)
            return (
              <circle
                key={`${day} ${hour}`}
                cx={`${(hour - first + 0.5) * place}%`}
                cy={HEAD + (row + 0.5) * ROW}
                r={count === 0 ? 1 : Math.max(2.5, largest * Math.sqrt(count / most))}
                fill={count === 0 ? 'var(--chart-line)' : 'var(--chart-solid)'}
              >
                <title>{`${formatDayOfWeek(day)}, ${formatHour(hour, hourCycle)}: ${pluralize(count, 'appointment')}`}</title>
              </circle>
            )
          }),
        )}
        {shown
          .filter((hour) => (hour - first) % step === 0)
          .map((hour) => (
            <text
              key={hour}
              x={`${(hour - first + 0.5) * place}%`}
              y={height - 6}
              textAnchor="middle"
              fill="var(--chart-text)"
            >
              {formatHour(hour, hourCycle)}
            </text>
          ))}
      </svg>
    </div>
  )
}

function countAt(hours: Hours, day: number, hour: number): number {
  return hours.find((row) => row.day_of_week === day && row.hour === hour)?.appointments ?? 0
}

/** Returns the first and last hour to show: all hours with appointments, and at least `FEWEST_HOURS`. */
function spanOf(hours: Hours): { first: number; last: number } {
  const taken = hours.map(({ hour }) => hour)
  const first = Math.min(9, ...taken)
  return { first, last: Math.max(first + FEWEST_HOURS - 1, ...taken) }
}
