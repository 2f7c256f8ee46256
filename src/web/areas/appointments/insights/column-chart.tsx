import { classNames } from '#web/ui/class-names.ts'
import { type FillPattern, type FillPatterns, outlineColorOf, useFillPatterns } from './fill-patterns.tsx'

type Part = { readonly ink: FillPattern; readonly value: number }

export type ChartColumn = {
  readonly key: string
  /** The label below the column. */
  readonly label: string
  /** The text of the column's tooltip. */
  readonly title: string
  /** The values that are stacked above the base line. */
  readonly above: readonly Part[]
  /** The value below the base line. */
  readonly below?: Part
  /** The value up to which an outline is drawn, to show the height of a full column. */
  readonly outline?: number
  /** The text above the column. If there are many columns, only the highest one shows its text. */
  readonly mark: string
  /** True for the current month or day. */
  readonly isPresent: boolean
}

type ColumnChartProps = {
  /** The accessible name of the chart. */
  label: string
  columns: readonly ChartColumn[]
}

/** Heights of the columns' area, the texts above it and the labels below it, in pixels. */
const PLOT = 168
const MARK_ROOM = 22
const LABEL_ROOM = 30
/** The width of a column as a share of its slot. */
const WIDTH = 0.62
/** Maximum number of columns that all have a mark. In a chart with more columns, only the highest one has a mark. */
const MOST_MARKED = 7

/** A chart of columns above and below a base line. Widths are in percent and heights in pixels, so text is not stretched. */
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
      // Limit the width of a chart with few columns.
      style={{ maxWidth: `${columns.length * 12}rem` }}
    >
      {inks.patterns}
      {columns.map((column, i) => (
        <g key={column.key}>
          <title>{column.title}</title>
          {/* This transparent shape shows the tooltip anywhere in the slot, even above a low column. */}
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
  column: ChartColumn
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
          return (
            <rect key={ink} {...box} y={top} height={height} fill={inks[ink]} stroke={outlineColorOf(ink)} />
          )
        })}
      {below !== undefined && below.value > 0 && (
        <rect
          {...box}
          y={baseY}
          height={Math.max(below.value * perUnit, 2)}
          fill={inks[below.ink]}
          stroke={outlineColorOf(below.ink)}
        />
      )}
    </>
  )
}

function heightOf({ above, outline = 0 }: ChartColumn): number {
  return Math.max(
    outline,
    above.reduce((sum, { value }) => sum + value, 0),
  )
}

function isMarked(column: ChartColumn, columns: readonly ChartColumn[], highest: number): boolean {
  if (column.mark === '') return false
  if (columns.length <= MOST_MARKED) return true
  return column === columns.find((one) => heightOf(one) === highest)
}

/** True if the column has a label: every column if there are few, otherwise every second or sixth, counted from the last. */
function isLabelled(index: number, { length }: readonly ChartColumn[]): boolean {
  const step = length <= MOST_MARKED ? 1 : length <= 12 ? 2 : 6
  return (length - 1 - index) % step === 0
}
