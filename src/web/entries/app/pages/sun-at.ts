const SUNRISE_HOUR = 6
const SUNSET_HOUR = 18

/**
 * Returns the sun's position on a day from 6:00 to 18:00: 0 at 6:00, 0.5 at noon, 1 at 18:00; null at night. Uses the browser's
 * zone.
 */
export function sunPositionAt(now: Date): number | null {
  const hours = now.getHours() + now.getMinutes() / 60
  if (hours < SUNRISE_HOUR || hours > SUNSET_HOUR) return null
  return (hours - SUNRISE_HOUR) / (SUNSET_HOUR - SUNRISE_HOUR)
}
