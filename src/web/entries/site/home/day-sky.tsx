import { useLayoutEffect, useRef, useState } from 'react'
import { ARC_CENTRE_X, ARC_RADIUS_X, ARC_RADIUS_Y, ARC_TOP, animateRise, positionOnArc } from './sky-arc.ts'
import type { SkyPosition } from './time-of-day.ts'
import { useSunAndMoonPosition } from './use-light.ts'

/**
 * Draws the visitor's own day as a sky above the sample card, with the sun or the moon at its current position. The drawing fits
 * any width and height: all positions are percentages, and the sun and moon stay round.
 */
export function DaySky({ className }: { className: string }) {
  const now = useSunAndMoonPosition()
  return (
    <div aria-hidden="true" dir="ltr" className={className}>
      <svg width="100%" height="100%" fill="none" aria-hidden="true" className="absolute inset-0">
        <defs>
          <linearGradient id="sky">
            <stop offset="0" stopColor="var(--dawn)" />
            <stop offset="0.5" stopColor="var(--day)" />
            <stop offset="1" stopColor="var(--dusk)" />
          </linearGradient>
          {/* The gradient is bright at the rim and clear behind the text. */}
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
          <circle key={hour} {...ofPicture(hour / 12)} r={hour % 3 === 0 ? 3.5 : 2} fill="var(--ink)" />
        ))}
        <line
          x1="50%"
          x2="50%"
          y1={`${ARC_TOP}%`}
          y2={`${ARC_TOP + 7}%`}
          stroke="var(--ink)"
          strokeWidth="1.5"
        />
      </svg>
      {/* The sun rises from behind the horizon. Clipping keeps visitors from scrolling to it there. */}
      <div className="absolute inset-0 overflow-clip">{now !== null && <Light now={now} />}</div>
      <p className="absolute inset-x-0 bottom-8 text-center text-sm text-ink-soft tabular-nums lg:top-[22%] lg:bottom-auto">
        {now?.words}
      </p>
    </div>
  )
}

/** Draws the sun or the moon. Its box is as large as the sky, so that it can be moved by percentages of the sky. */
function Light({ now }: { now: SkyPosition }) {
  const box = useRef<HTMLDivElement>(null)
  const [atFirst] = useState(now.at)
  useLayoutEffect(() => {
    if (box.current !== null) animateRise(box.current, atFirst)
  }, [atFirst])
  const { x, y } = positionOnArc(now.at)
  return (
    <div ref={box} className="absolute inset-0">
      <svg
        width="44"
        height="44"
        viewBox="-22 -22 44 44"
        aria-hidden="true"
        className="absolute -m-[22px]"
        style={{ left: `${x}%`, top: `${y}%` }}
      >
        {now.light === 'sun' ? (
          <circle r="17" fill="var(--noon)" stroke="var(--paper)" strokeWidth="5" />
        ) : (
          <path d={CRESCENT} fill="var(--ink)" stroke="var(--paper)" strokeWidth="5" paintOrder="stroke" />
        )}
      </svg>
    </div>
  )
}

const ARC = { cx: `${ARC_CENTRE_X}%`, cy: '100%', rx: `${ARC_RADIUS_X}%`, ry: `${ARC_RADIUS_Y}%` } as const

/** The shape of the moon, centred on its position. */
const CRESCENT = 'M4 -16A16 16 0 1 0 15 8A14 14 0 0 1 4 -16z'

/** The hours from 7 AM to 5 PM, counted from 6 AM. The hours on the horizon (0 and 12) are left out. */
const HOURS = Array.from({ length: 11 }, (_, index) => index + 1)

function ofPicture(at: number): { cx: string; cy: string } {
  const { x, y } = positionOnArc(at)
  return { cx: `${x.toFixed(2)}%`, cy: `${y.toFixed(2)}%` }
}
