import { classNames } from './class-names.ts'

type DayArcProps = {
  /** Where the sun stands: 0 rises, 0.5 is noon on the meridian, 1 sets; null is below the horizon. */
  at: number | null
  /** Says how high it is, too. */
  className: string
}

const CENTRE = { x: 60, y: 58 }
const RADIUS = 46

/** The product's one picture: the day as an arc over the horizon, the meridian through its top, the sun. */
export function DayArc({ at, className }: DayArcProps) {
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

/** Where on the arc the sun stands at `at` (0 to 1), in the picture's own units. */
function sunPosition(at: number): { x: number; y: number } {
  const angle = Math.PI * (1 - at)
  return { x: CENTRE.x + RADIUS * Math.cos(angle), y: CENTRE.y - RADIUS * Math.sin(angle) }
}

function Sun({ x, y }: { x: number; y: number }) {
  return <circle cx={x} cy={y} r="9" fill="var(--noon)" />
}

/** The sun has set: only its rim is left over the horizon. */
function Afterglow() {
  return <path d="M97 58a9 9 0 0 1 18 0z" fill="var(--noon)" />
}
