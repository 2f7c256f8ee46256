import { type ReactNode, useState } from 'react'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronRight } from '#web/ui/icons/chevron-right.ts'
import { ChartLegend, type FillPattern } from './fill-patterns.tsx'

type ChartCardProps = {
  title: string
  /** A summary of the chart in one sentence. */
  sentence: string
  note?: string | undefined
  legend?: readonly { ink: FillPattern; name: string }[]
  /** An explanation of the numbers that are written in the chart. */
  marks?: string | undefined
  /** A table with the chart's data, rendered while it is open: most owners look only at the charts. */
  table: ReactNode
  className?: string
  children: ReactNode
}

/** A card with a chart, its summary, and a collapsed table of its numbers. Source: rule N8. */
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
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title={title} className={classNames('flex flex-col', className)}>
      <p className="-mt-2 mb-4 max-w-prose text-ink-soft">{sentence}</p>
      {note !== undefined && <p className="-mt-2 mb-4 font-semibold">{note}</p>}
      {legend !== undefined && <ChartLegend parts={legend} />}
      {marks !== undefined && <p className="mt-1 text-sm text-ink-soft">{marks}</p>}
      <div className="mt-3">{children}</div>
      <details className="group mt-auto" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="-mx-2 mt-3 flex min-h-11 w-fit list-none items-center gap-1 rounded-control px-2 text-sm font-semibold text-link [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            className="icon-turning size-4 transition-[rotate] group-open:rotate-90"
          />
          Show the numbers
          <span className="sr-only"> of {title}</span>
        </summary>
        {isOpen && table}
      </details>
    </Card>
  )
}
