import { useEffect, useState } from 'react'
import { type SkyPosition, skyPositionAt } from './time-of-day.ts'

const MINUTE_MS = 60_000

/**
 * Returns the current position of the sun or moon in the visitor's day, and updates it with the clock. Null in the first render,
 * because the server may have made it without knowing the visitor's clock.
 */
export function useSunAndMoonPosition(): SkyPosition | null {
  const [light, setLight] = useState<SkyPosition | null>(null)
  useEffect(() => {
    const show = () => setLight(skyPositionAt(new Date()))
    show()
    const minutes = setInterval(show, MINUTE_MS)
    return () => clearInterval(minutes)
  }, [])
  return light
}
