import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'

/** How long to keep asking a provider about a payment of unknown outcome. */
const PATIENCE_MS = 3 * DAY_MS
const SHORTEST_PAUSE_MS = MINUTE_MS
const LONGEST_PAUSE_MS = 2 * HOUR_MS

/**
 * Returns when to ask the provider again about a payment whose hold expired before its outcome was known. The pause is
 * a tenth of the payment's age, between one minute and two hours. Source: rule P13.
 * @returns null when the provider was asked long enough; the owner is then asked to check
 */
export function findNextPaymentCheckMs(beganAtMs: number, nowMs: number): number | null {
  const ageMs = nowMs - beganAtMs
  if (ageMs >= PATIENCE_MS) return null
  return nowMs + Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, Math.round(ageMs / 10)))
}
