import { type ReactNode, useId } from 'react'

/**
 * The fill of a part of a chart. Dotted parts are new or outstanding, striped parts refunded or lost. Patterns are used
 * so that readers need not distinguish colours. Source: rule N8.
 */
export type FillPattern = 'solid' | 'dotted' | 'striped'

export type FillPatterns = Readonly<Record<FillPattern, string>> & { readonly patterns: ReactNode }

/** Returns the `fill` values for an SVG, and the `<defs>` that the SVG must contain. */
export function useFillPatterns(): FillPatterns {
  const id = useId()
  return {
    solid: 'var(--chart-solid)',
    dotted: `url(#${id}dots)`,
    striped: `url(#${id}stripes)`,
    patterns: (
      <defs>
        <pattern id={`${id}dots`} width="6" height="6" patternUnits="userSpaceOnUse">
          <rect width="6" height="6" fill="var(--chart-dotted)" />
          <circle cx="1.5" cy="1.5" r="1" fill="var(--chart-dots)" />
          <circle cx="4.5" cy="4.5" r="1" fill="var(--chart-dots)" />
        </pattern>
        <pattern
          id={`${id}stripes`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="6" height="6" fill="var(--chart-striped)" />
          <rect width="2.5" height="6" fill="var(--chart-stripes)" />
        </pattern>
      </defs>
    ),
  }
}

const STROKES: Readonly<Record<FillPattern, string>> = {
  solid: 'var(--chart-solid)',
  dotted: 'var(--chart-dots)',
  striped: 'var(--chart-stripes)',
}

/** Returns the colour of a part's outline, which keeps its pattern visible on any background. */
export function outlineColorOf(ink: FillPattern): string {
  return STROKES[ink]
}

/** The chart's legend, which explains the patterns. */
export function ChartLegend({ parts }: { parts: readonly { ink: FillPattern; name: string }[] }) {
  const inks = useFillPatterns()
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-soft">
      {parts.map(({ ink, name }) => (
        <li key={ink} className="flex items-center gap-2">
          <svg aria-hidden="true" className="chart size-3.5 shrink-0">
            {inks.patterns}
            <rect
              x="0.75"
              y="0.75"
              width="12.5"
              height="12.5"
              rx="3"
              fill={inks[ink]}
              stroke={outlineColorOf(ink)}
            />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
