import { useLight } from './use-light.ts'

/** Shares of the picture, in percent: the arc rises from its lower edge, with room for the sun above and beside it. */
const CENTRE_X = 50
const RADIUS_X = 45
const RADIUS_Y = 88

/**
 * The visitor's own day as a sky over the sample card: the sun, or the moon, stands where it stands now. A picture that
 * takes any width and height: everything is placed by percent, and the light stays round.
 */
export function DaySky({ className }: { className: string }) {
  const now = useLight()
  return (
    <div aria-hidden="true" dir="ltr" className={className}>
      <svg width="100%" height="100%" fill="none" aria-hidden="true" className="absolute inset-0">
        <defs>
          <linearGradient id="sky">
            <stop offset="0" stopColor="var(--dawn)" />
            <stop offset="0.5" stopColor="var(--day)" />
            <stop offset="1" stopColor="var(--dusk)" />
          </linearGradient>
          {/* Bright at the rim, clear where words stand. */}
          <radialGradient id="haze">
            <stop offset="0.3" stopColor="white" stopOpacity="0" />
            <stop offset="0.8" stopColor="white" stopOpacity="0.3" />
            <stop offset="1" stopColor="white" />
          </radialGradient>
          <mask id="haze-mask">
            <ellipse {...ARC} fill="url(#haze)" />
          </mask>
        </defs>
        <ellipse {...ARC} fill="url(#sky)" mask="url(#haze-mask)" />
        {HOURS.map((hour) => (
          <circle key={hour} {...onArc(hour / 12)} r={hour % 3 === 0 ? 3.5 : 2} fill="var(--ink)" />
        ))}
        <line
          x1="50%"
          x2="50%"
          y1={`${100 - RADIUS_Y}%`}
          y2={`${100 - RADIUS_Y + 7}%`}
          stroke="var(--ink)"
          strokeWidth="1.5"
        />
        {now !== null && (
          <svg x={onArc(now.at).cx} y={onArc(now.at).cy} aria-hidden="true" className="overflow-visible">
            {now.light === 'sun' ? (
              <circle r="17" fill="var(--noon)" stroke="var(--paper)" strokeWidth="5" />
            ) : (
              <path
                d={CRESCENT}
                fill="var(--ink)"
                stroke="var(--paper)"
                strokeWidth="5"
                paintOrder="stroke"
              />
            )}
          </svg>
        )}
      </svg>
      <p className="absolute inset-x-0 bottom-8 text-center text-sm text-ink-soft tabular-nums lg:top-[22%] lg:bottom-auto">
        {now?.words}
      </p>
    </div>
  )
}

const ARC = { cx: `${CENTRE_X}%`, cy: '100%', rx: `${RADIUS_X}%`, ry: `${RADIUS_Y}%` } as const

/** The moon, around the middle of its place. */
const CRESCENT = 'M4 -16A16 16 0 1 0 15 8A14 14 0 0 1 4 -16z'

/** Hours since six in the morning, without the two on the horizon. */
const HOURS = Array.from({ length: 11 }, (_, index) => index + 1)

function onArc(at: number): { cx: string; cy: string } {
  const angle = Math.PI * (1 - at)
  const percent = (share: number) => `${share.toFixed(2)}%`
  return {
    cx: percent(CENTRE_X + RADIUS_X * Math.cos(angle)),
    cy: percent(100 - RADIUS_Y * Math.sin(angle)),
  }
}
