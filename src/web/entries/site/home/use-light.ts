import { useEffect, useState } from 'react'
import { type TimeOfDay, timeOfDay } from './time-of-day.ts'

const MINUTE_MS = 60_000

/**
 * The light of the visitor's own day, which moves with the clock. Null in the first render, which a server may have made,
 * without a clock of the visitor's.
 */
export function useLight(): TimeOfDay | null {
  const [light, setLight] = useState<TimeOfDay | null>(null)
  useEffect(() => {
    const show = () => setLight(timeOfDay(new Date()))
    show()
    const minutes = setInterval(show, MINUTE_MS)
    return () => clearInterval(minutes)
  }, [])
  return light
}
