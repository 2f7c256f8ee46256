import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useFillPatterns } from './fill-patterns.tsx'

const COMING = [
  'Money by month: taken, refunded and outstanding',
  'How full this week and the next are',
  'What is booked, on which weekdays and at what times',
  'New and returning customers',
  'How far ahead customers book, how many cancel, and how many don’t show up',
] as const

/** Tells an owner without appointments which charts will appear here. */
export function EmptyInsights() {
  return (
    <Card>
      <EmptyState
        illustration={<Sketch />}
        title="Your charts will be here"
        hint="There are no appointments in these months. Once customers book, you’ll see:"
        action={
          <ul className="flex list-disc flex-col gap-1 ps-5 text-start text-ink-soft">
            {COMING.map((chart) => (
              <li key={chart}>{chart}</li>
            ))}
          </ul>
        }
      />
    </Card>
  )
}

/** A decorative drawing of a column chart. */
function Sketch() {
  const inks = useFillPatterns()
  const heights = [14, 22, 18, 34, 46, 40]
  return (
    <svg aria-hidden="true" viewBox="0 0 120 64" className="chart mb-2 h-20">
      {inks.patterns}
      {heights.map((height, i) => (
        <rect
          key={height}
          x={8 + i * 18}
          y={58 - height}
          width="12"
          height={height}
          rx="2"
          fill={i === heights.length - 1 ? inks.dotted : 'var(--chart-empty)'}
          stroke={i === heights.length - 1 ? 'var(--chart-dots)' : 'var(--chart-line)'}
        />
      ))}
      <line x1="0" x2="120" y1="58" y2="58" stroke="var(--chart-line)" strokeWidth="1.5" />
    </svg>
  )
}
