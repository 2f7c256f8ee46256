import { useEffect, useState } from 'react'
import { type TimeOfDay, timeOfDay } from './time-of-day.ts'

const MINUTE_MS = 60_000

/**
 * Returns the current position of the sun or moon in the visitor's day, and updates it with the clock. Null in the first render,
 * because the server may have made it without knowing the visitor's clock.
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
