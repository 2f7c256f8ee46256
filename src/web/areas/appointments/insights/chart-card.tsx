import type { ReactNode } from 'react'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronRight } from '#web/ui/icons/chevron-right.ts'
import { type Ink, Legend } from './chart-ink.tsx'

type ChartCardProps = {
  title: string
  /** What the chart shows, for those who read and those who hear. */
  sentence: string
  note?: string | undefined
  legend?: readonly { ink: Ink; name: string }[]
  /** What is written in the chart, where that is not plain. */
  marks?: string | undefined
  /** The same as a table. */
  table: ReactNode
  className?: string
  children: ReactNode
}

/** A chart with what it says, and its numbers one press away. Source: rule N8. */
export function ChartCard({
  title,
  sentence,
  note,
  legend,
  marks,
  table,
  className,
  children,
}: ChartCardProps) {
  return (
    <Card title={title} className={classNames('flex flex-col', className)}>
      <p className="-mt-2 mb-4 max-w-prose text-ink-soft">{sentence}</p>
      {note !== undefined && <p className="-mt-2 mb-4 font-semibold">{note}</p>}
      {legend !== undefined && <Legend parts={legend} />}
      {marks !== undefined && <p className="mt-1 text-sm text-ink-soft">{marks}</p>}
      <div className="mt-3">{children}</div>
      <details className="group mt-auto">
        <summary className="-mx-2 mt-3 flex min-h-11 w-fit list-none items-center gap-1 rounded-control px-2 text-sm font-semibold text-link [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            className="icon-turning size-4 transition-[rotate] group-open:rotate-90"
          />
          Show the numbers
          <span className="sr-only"> of {title}</span>
        </summary>
        {table}
      </details>
    </Card>
  )
}
