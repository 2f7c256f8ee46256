import { classNames } from '#web/ui/class-names.ts'
import { type FillPattern, type FillPatterns, strokeOf, useFillPatterns } from './fill-patterns.tsx'

type Part = { readonly ink: FillPattern; readonly value: number }

export type Column = {
  readonly key: string
  /** The label below the column. */
  readonly label: string
  /** The tooltip. */
  readonly title: string
  /** Values above the base line, stacked. */
  readonly above: readonly Part[]
  /** The value below the base line. */
  readonly below?: Part
  /** The height of an outline that marks a full column. */
  readonly outline?: number
  /** The text above the column. Shown only if all columns have room for theirs. */
  readonly mark: string
  /** The present month or day. */
  readonly isPresent: boolean
}

type ColumnChartProps = {
  /** The accessible name of the chart. */
  label: string
  columns: readonly Column[]
}

/** In pixels. */
const PLOT = 168
const MARK_ROOM = 22
const LABEL_ROOM = 30
/** The share of its slot that a column takes. */
const WIDTH = 0.62
/** With more columns than this, only the highest one has a mark. */
const MOST_MARKED = 7

/** Columns above and below a base line. Widths are in percent and heights in pixels, so that text is not stretched. */
export function ColumnChart({ label, columns }: ColumnChartProps) {
  const inks = useFillPatterns()
  const highest = Math.max(0, ...columns.map(heightOf))
  const deepest = Math.max(0, ...columns.map(({ below }) => below?.value ?? 0))
  const isEmpty = highest + deepest === 0
  const perUnit = isEmpty ? 0 : PLOT / (highest + deepest)
  const baseY = MARK_ROOM + (isEmpty ? PLOT : Math.round(highest * perUnit))
  const height = MARK_ROOM + PLOT + LABEL_ROOM
  const place = 100 / columns.length
  return (
    <svg
      role="img"
      aria-label={label}
      height={height}
      className="chart w-full overflow-visible text-sm tabular-nums [direction:ltr]"
      // Limits the width of a chart with few columns.
      style={{ maxWidth: `${columns.length * 12}rem` }}
    >
      {inks.patterns}
      {columns.map((column, i) => (
        <g key={column.key}>
          <title>{column.title}</title>
          {/* Makes the whole slot of a low column react to the pointer. */}
          <rect x={`${i * place}%`} width={`${place}%`} height={height} fill="transparent" />
          <Bar
            column={column}
            inks={inks}
            x={place * (i + (1 - WIDTH) / 2)}
            place={place}
            {...{ baseY, perUnit }}
          />
          {isMarked(column, columns, highest) && (
            <text
              x={`${(i + 0.5) * place}%`}
              y={baseY - heightOf(column) * perUnit - 7}
              textAnchor="middle"
              fill="var(--chart-text)"
            >
              {column.mark}
            </text>
          )}
          {isLabelled(i, columns) && (
            <text
              x={`${(i + 0.5) * place}%`}
              y={height - 9}
              textAnchor="middle"
              fill={column.isPresent ? 'var(--chart-solid)' : 'var(--chart-text)'}
              className={classNames(column.isPresent && 'font-semibold')}
            >
              {column.label}
            </text>
          )}
          {column.isPresent && (
            <circle cx={`${(i + 0.5) * place}%`} cy={height - 2} r="2" fill="var(--chart-dots)" />
          )}
        </g>
      ))}
      <line x1="0" x2="100%" y1={baseY} y2={baseY} stroke="var(--chart-line)" strokeWidth="1.5" />
    </svg>
  )
}

type BarProps = {
  column: Column
  inks: FillPatterns
  x: number
  place: number
  baseY: number
  perUnit: number
}

function Bar({ column: { above, below, outline }, inks, x, place, baseY, perUnit }: BarProps) {
  let top = baseY
  const box = { x: `${x}%`, width: `${place * WIDTH}%`, rx: 3 }
  return (
    <>
      {outline !== undefined && outline > 0 && (
        <rect
          {...box}
          y={baseY - outline * perUnit}
          height={outline * perUnit}
          fill="var(--chart-empty)"
          stroke="var(--chart-line)"
        />
      )}
      {above
        .filter(({ value }) => value > 0)
        .map(({ ink, value }) => {
          const height = Math.max(value * perUnit, 2)
          top -= height
          return <rect key={ink} {...box} y={top} height={height} fill={inks[ink]} stroke={strokeOf(ink)} />
        })}
      {below !== undefined && below.value > 0 && (
        <rect
          {...box}
          y={baseY}
          height={Math.max(below.value * perUnit, 2)}
          fill={inks[below.ink]}
          stroke={strokeOf(below.ink)}
        />
      )}
    </>
  )
}

function heightOf({ above, outline = 0 }: Column): number {
  return Math.max(
    outline,
    above.reduce((sum, { value }) => sum + value, 0),
  )
}

function isMarked(column: Column, columns: readonly Column[], highest: number): boolean {
  if (column.mark === '') return false
  if (columns.length <= MOST_MARKED) return true
  return column === columns.find((one) => heightOf(one) === highest)
}

/** Labels every column if there are few, else every second or sixth, counted from the last. */
function isLabelled(index: number, { length }: readonly Column[]): boolean {
  const step = length <= MOST_MARKED ? 1 : length <= 12 ? 2 : 6
  return (length - 1 - index) % step === 0
}
