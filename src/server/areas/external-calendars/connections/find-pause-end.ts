import { DAY_MS } from '#core/shared/duration.ts'
import type { CalendarProviderError } from '#server/ports/external-calendar.ts'

/** The longest pause that a provider can ask for. */
const LONGEST_PAUSE_MS = DAY_MS

/** Until when a provider wants to be left alone; null when it did not ask for a pause. */
export function findPauseEnd({ kind, retryAfterMs }: CalendarProviderError, at: Date): Date | null {
  if (kind !== 'rate_limited' || retryAfterMs === null) return null
  return new Date(at.getTime() + Math.min(retryAfterMs, LONGEST_PAUSE_MS))
}
