import { classNames } from './class-names.ts'

type DayArcProps = {
  /** The sun's position: 0 is sunrise, 0.5 noon, 1 sunset. Null when the sun is below the horizon. */
  at: number | null
  /** Class names, which must set the height. */
  className: string
}

const CENTRE = { x: 60, y: 58 }
const RADIUS = 46

/** Meridian's illustration: the sun on an arc over the horizon, with the meridian at noon. */
export function SunPathPicture({ at, className }: DayArcProps) {
  return (
    <svg viewBox="0 0 120 70" fill="none" aria-hidden="true" className={classNames('w-auto', className)}>
      <path
        d={`M${CENTRE.x - RADIUS} ${CENTRE.y}a${RADIUS} ${RADIUS} 0 0 1 ${2 * RADIUS} 0`}
        stroke="var(--line-strong)"
        strokeWidth="1.5"
        strokeDasharray="0.1 4.5"
        strokeLinecap="round"
      />
      <path d="M4 58h112" stroke="var(--line-strong)" strokeWidth="1.5" strokeLinecap="round" />
      <path d="M60 12v46" stroke="var(--line-strong)" strokeWidth="1.5" strokeLinecap="round" />
      {at === null ? <Afterglow /> : <Sun {...sunPosition(at)} />}
    </svg>
  )
}

/** Returns the coordinates of the sun at `at` (0 to 1). */
function sunPosition(at: number): { x: number; y: number } {
  const angle = Math.PI * (1 - at)
  return { x: CENTRE.x + RADIUS * Math.cos(angle), y: CENTRE.y - RADIUS * Math.sin(angle) }
}

function Sun({ x, y }: { x: number; y: number }) {
  return <circle cx={x} cy={y} r="9" fill="var(--noon)" />
}

/** Draws the sun below the horizon, with only its rim visible. */
function Afterglow() {
  return <path d="M97 58a9 9 0 0 1 18 0z" fill="var(--noon)" />
}
