import { type ReactNode, useId } from 'react'

/**
 * How a part of a chart is filled: solid; dotted for what is still to come or new; striped for what went back or was lost. Each is
 * another pattern, so that nobody has to tell colours apart. Source: rule N8.
 */
export type Ink = 'solid' | 'dotted' | 'striped'

export type Inks = Readonly<Record<Ink, string>> & { readonly patterns: ReactNode }

/** The fills of one drawing, and the patterns that it has to contain. */
export function useInks(): Inks {
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

const STROKES: Readonly<Record<Ink, string>> = {
  solid: 'var(--chart-solid)',
  dotted: 'var(--chart-dots)',
  striped: 'var(--chart-stripes)',
}

/** The line around a part, in which a pattern keeps its shape on any background. */
export function strokeOf(ink: Ink): string {
  return STROKES[ink]
}

/** Which pattern means what. */
export function Legend({ parts }: { parts: readonly { ink: Ink; name: string }[] }) {
  const inks = useInks()
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
              stroke={strokeOf(ink)}
            />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
