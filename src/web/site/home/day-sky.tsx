import { useEffect, useState } from 'react'
import { useHydrated } from '#web/ui/use-hydrated.ts'
import { timeOfDay } from './time-of-day.ts'

const CENTRE_X = 230
const HORIZON_Y = 216
const RADIUS = 186

/** The visitor's own day as a sky over the sample card: the sun, or the moon, stands where it stands now. */
export function DaySky() {
  const { clock, light, at, side, meridian } = timeOfDay(useMinute())
  const textX = CENTRE_X + (side === 'before' ? -18 : 18)
  return (
    <svg viewBox="0 0 460 218" fill="none" className="block w-full" role="presentation">
      <defs>
        <linearGradient id="sky" x1="0" x2="1">
          <stop offset="0" stopColor="var(--dawn)" />
          <stop offset="0.5" stopColor="var(--day)" />
          <stop offset="1" stopColor="var(--dusk)" />
        </linearGradient>
        <linearGradient id="haze" x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" stopColor="white" />
          <stop offset="1" stopColor="white" stopOpacity="0.25" />
        </linearGradient>
        <mask id="haze-mask">
          <path d={dome(RADIUS)} fill="url(#haze)" />
        </mask>
      </defs>
      <path d={dome(RADIUS)} fill="url(#sky)" mask="url(#haze-mask)" />
      {HOURS.map((hour) => (
        <path key={hour} d={hourTick(hour)} stroke="var(--ink)" strokeWidth={hour % 3 === 0 ? 2 : 1} />
      ))}
      <path d={`M${CENTRE_X} ${HORIZON_Y - RADIUS + 14}V218`} stroke="var(--ink)" strokeWidth="1.5" />
      <g className={side === 'before' ? '[text-anchor:end]' : '[text-anchor:start]'}>
        <text x={textX} y={HORIZON_Y - 42} className="fill-ink font-display text-3xl font-semibold">
          {clock}
        </text>
        <text x={textX} y={HORIZON_Y - 20} className="fill-ink-soft text-base">
          {side} {meridian}
        </text>
      </g>
      <circle
        {...onArc(at, RADIUS)}
        r="17"
        fill={light === 'sun' ? 'var(--noon)' : 'var(--surface)'}
        stroke={light === 'sun' ? 'var(--paper)' : 'var(--ink)'}
        strokeWidth={light === 'sun' ? 5 : 1.5}
      />
    </svg>
  )
}

/** Hours since six in the morning, without the two on the horizon. */
const HOURS = Array.from({ length: 11 }, (_, index) => index + 1)

function onArc(at: number, radius: number): { cx: number; cy: number } {
  const angle = Math.PI * (1 - at)
  return { cx: CENTRE_X + radius * Math.cos(angle), cy: HORIZON_Y - radius * Math.sin(angle) }
}

function hourTick(hour: number): string {
  const outer = onArc(hour / 12, RADIUS)
  const inner = onArc(hour / 12, RADIUS - (hour % 3 === 0 ? 10 : 6))
  return `M${outer.cx} ${outer.cy}L${inner.cx} ${inner.cy}`
}

function dome(radius: number): string {
  return `M${CENTRE_X - radius} ${HORIZON_Y}a${radius} ${radius} 0 0 1 ${2 * radius} 0z`
}

/** The present moment, renewed when the minute changes; noon until the browser has taken over what the server drew. */
function useMinute(): Date {
  const [moment, setMoment] = useState(() => new Date())
  const hydrated = useHydrated()
  useEffect(() => {
    const timer = setTimeout(() => setMoment(new Date()), 60_000 - (moment.getTime() % 60_000))
    return () => clearTimeout(timer)
  }, [moment])
  return hydrated ? moment : NOON
}

/** In any zone: these numbers are read on the clock of whoever draws. */
const NOON = new Date(2026, 0, 1, 12)
