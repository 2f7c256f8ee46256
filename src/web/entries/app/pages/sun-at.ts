const SUNRISE_HOUR = 6
const SUNSET_HOUR = 18

/** The position of the sun on a plain day: 0 at 6:00, 0.5 at noon, 1 at 18:00; null at night. In the browser's zone. */
export function sunAt(now: Date): number | null {
  const hours = now.getHours() + now.getMinutes() / 60
  if (hours < SUNRISE_HOUR || hours > SUNSET_HOUR) return null
  return (hours - SUNRISE_HOUR) / (SUNSET_HOUR - SUNRISE_HOUR)
}
