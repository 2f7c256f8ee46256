import { useEffect, useState } from 'react'
import { type TimeOfDay, timeOfDay } from './time-of-day.ts'

/** How long the light takes from the horizon to where it stands now. */
const RISE_MS = 1_600
const MINUTE_MS = 60_000

/**
 * The light of the visitor's own day: rises once to where it stands now, then moves with the clock. Null in the first
 * render, which a server may have made, without a clock of the visitor's.
 */
export function useLight(): TimeOfDay | null {
  const [light, setLight] = useState<TimeOfDay | null>(null)
  useEffect(() => {
    const beganAt = performance.now()
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    let frame = 0
    const rise = (atMs: number) => {
      const now = timeOfDay(new Date())
      const share = calm ? 1 : Math.min((atMs - beganAt) / RISE_MS, 1)
      setLight({ ...now, at: now.at * easeOut(Math.max(share, 0)) })
      if (share < 1) frame = requestAnimationFrame(rise)
    }
    rise(beganAt)
    const minutes = setInterval(() => setLight(timeOfDay(new Date())), MINUTE_MS)
    return () => {
      cancelAnimationFrame(frame)
      clearInterval(minutes)
    }
  }, [])
  return light
}

/** Quick at first, slow at the end. */
function easeOut(share: number): number {
  return 1 - (1 - share) ** 3
}
