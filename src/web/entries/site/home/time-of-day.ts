import { DEFAULT_HOUR_CYCLE } from '#core/shared/hour-cycle.ts'
import { formatClock } from '#web/shared/format-clock.ts'

/**
 * The position of the sun or moon at one moment. The sun shines for twelve hours, from six to six; then the moon follows the same
 * path.
 */
export type SkyPosition = {
  /** `9:42 AM where you are` (rule W11). */
  words: string
  light: 'sun' | 'moon'
  /** The share of the way across the sky: 0 rising, 0.5 on the meridian, 1 setting. */
  at: number
}

/** Returns the clock time and the position of the sun or moon at `moment`, in the visitor's own zone. */
export function skyPositionAt(moment: Date): SkyPosition {
  const hours = moment.getHours() + moment.getMinutes() / 60
  const sinceSunrise = (hours - 6 + 24) % 24
  const byDay = sinceSunrise < 12
  const at = (sinceSunrise % 12) / 12
  const time = moment.toTimeString().slice(0, 5)
  return {
    words: `${formatClock(time, DEFAULT_HOUR_CYCLE)} where you are`,
    light: byDay ? 'sun' : 'moon',
    at,
  }
}
