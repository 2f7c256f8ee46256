import { DAY_MS } from '#core/shared/duration.ts'
import type { CalendarProviderError } from '#server/ports/external-calendar.ts'

/** The longest accepted pause. */
const LONGEST_PAUSE_MS = DAY_MS

/** The end of the pause that a provider requested. Null when it requested none. */
export function findPauseEnd({ kind, retryAfterMs }: CalendarProviderError, at: Date): Date | null {
  if (kind !== 'rate_limited' || retryAfterMs === null) return null
  return new Date(at.getTime() + Math.min(retryAfterMs, LONGEST_PAUSE_MS))
}
