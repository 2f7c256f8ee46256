/** A stretch of the day, in hours on a 24-hour clock, and its meaning. */
export type DayPeriod = readonly [from: number, to: number, kind: Kind]
type Kind = 'busy' | 'next' | 'dawn' | 'day' | 'dusk'

const CENTRE = { x: 120, y: 118 }
const OUTER_RADIUS = 100
/** The distance between two rings, in units of the drawing. */
const RING_STEP = 24
const SUNRISE_HOUR = 6
const DAY_HOURS = 12

/**
 * Draws working days as nested arcs over the horizon, with the meridian through all of them. Decorative: the text beside it says
 * the same.
 */
export function DayRings({ rings }: { rings: readonly (readonly DayPeriod[])[] }) {
  return (
    <svg viewBox="8 4 224 120" fill="none" aria-hidden="true" className="w-full max-w-80">
      {rings.map((stretches, index) => {
        const radius = OUTER_RADIUS - index * RING_STEP
        return (
          <g key={radius}>
            <path
              d={arc(radius, SUNRISE_HOUR, SUNRISE_HOUR + DAY_HOURS)}
              stroke="var(--line)"
              strokeOpacity="0.55"
              strokeWidth="16"
            />
            {stretches.map(([from, to, kind]) => (
              <path key={from} d={arc(radius, from, to)} {...KINDS[kind]} strokeWidth="16" />
            ))}
          </g>
        )
      })}
      <path d="M8 118h224M120 6v112" stroke="var(--line-strong)" strokeWidth="1.5" strokeLinecap="round" />
    </svg>
  )
}

const KINDS: Record<Kind, { stroke: string; strokeOpacity?: number }> = {
  busy: { stroke: 'var(--ink)', strokeOpacity: 0.28 },
  next: { stroke: 'var(--noon)' },
  dawn: { stroke: 'var(--dawn)' },
  day: { stroke: 'var(--day)' },
  dusk: { stroke: 'var(--dusk)' },
}

function arc(radius: number, from: number, to: number): string {
  return `M${pointAt(radius, from)}A${radius} ${radius} 0 0 1 ${pointAt(radius, to)}`
}

function pointAt(radius: number, hour: number): string {
  const angle = Math.PI * (1 - (hour - SUNRISE_HOUR) / DAY_HOURS)
  const [x, y] = [CENTRE.x + radius * Math.cos(angle), CENTRE.y - radius * Math.sin(angle)]
  return `${x.toFixed(1)} ${y.toFixed(1)}`
}
