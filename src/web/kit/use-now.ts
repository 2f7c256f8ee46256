import { useEffect, useState } from 'react'

/** Interval at which the clock is read, in ms. */
const TICK_MS = 1_000

/** Returns the current minute (ISO instant) and updates it while the component is mounted. */
export function useNow(): string {
  const [now, setNow] = useState(thisMinute)
  useEffect(() => {
    const timer = setInterval(() => setNow(thisMinute()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

function thisMinute(): string {
  return new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString()
}
