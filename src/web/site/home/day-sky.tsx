import { useLight } from './use-light.ts'

/** Shares of the picture, in percent: the arc rises from its lower edge, with room for the sun above and beside it. */
const CENTRE_X = 50
const RADIUS_X = 47
const RADIUS_Y = 88

/**
 * The visitor's own day as a sky over the sample card: the sun, or the moon, stands where it stands now. A picture that
 * takes any width and height: everything is placed by percent, and the light stays round.
 */
export function DaySky({ className }: { className: string }) {
  const now = useLight()
  return (
    <div aria-hidden="true" dir="ltr" className={className}>
      <svg width="100%" height="100%" fill="none" className="absolute inset-0 overflow-hidden">
        <title>The day as an arc</title>
        <defs>
          <linearGradient id="sky">
            <stop offset="0" stopColor="var(--dawn)" />
            <stop offset="0.5" stopColor="var(--day)" />
            <stop offset="1" stopColor="var(--dusk)" />
          </linearGradient>
          {/* Bright at the rim, clear where words stand. */}
          <radialGradient id="haze">
            <stop offset="0.2" stopColor="white" stopOpacity="0.12" />
            <stop offset="0.75" stopColor="white" stopOpacity="0.3" />
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
          <circle
            {...onArc(now.at)}
            r="17"
            fill={now.light === 'sun' ? 'var(--noon)' : 'var(--surface)'}
            stroke={now.light === 'sun' ? 'var(--paper)' : 'var(--ink)'}
            strokeWidth={now.light === 'sun' ? 5 : 1.5}
          />
        )}
      </svg>
      <p className="absolute inset-x-0 bottom-8 text-center text-sm text-ink-soft tabular-nums lg:top-[22%] lg:bottom-auto">
        {now?.words}
      </p>
    </div>
  )
}

const ARC = { cx: `${CENTRE_X}%`, cy: '100%', rx: `${RADIUS_X}%`, ry: `${RADIUS_Y}%` } as const

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
