import { formatCount } from '#web/shared/format-count.ts'
import { useFillPatterns } from './fill-patterns.tsx'

type RowChartProps = {
  /** The accessible name of the chart. */
  label: string
  rows: readonly { key: string; name: string; value: number }[]
}

/** A chart of horizontal bars, each with its name and number. */
export function HorizontalBarChart({ label, rows }: RowChartProps) {
  const inks = useFillPatterns()
  const longest = Math.max(1, ...rows.map(({ value }) => value))
  return (
    <div
      role="img"
      aria-label={label}
      className="grid grid-cols-[minmax(5.5rem,auto)_1fr_auto] items-center gap-x-3 gap-y-2.5"
    >
      {rows.map(({ key, name, value }) => (
        <div key={key} className="contents">
          <span className="max-w-40 text-sm break-words max-[17rem]:col-span-3 max-[17rem]:max-w-none">
            {name}
          </span>
          <svg aria-hidden="true" height="18" className="chart w-full max-[17rem]:col-span-2">
            {inks.patterns}
            <line x1="0" x2="100%" y1="9" y2="9" stroke="var(--chart-line)" strokeDasharray="1 5" />
            {value > 0 && <rect width={`${(value / longest) * 100}%`} height="18" rx="3" fill={inks.solid} />}
          </svg>
          <span className="min-w-6 text-end text-sm font-semibold tabular-nums">{formatCount(value)}</span>
        </div>
      ))}
    </div>
  )
}
