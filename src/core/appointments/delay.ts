import { MINUTE_MS } from '#core/shared/duration.ts'
import type { AppointmentState } from './appointment-actions.ts'

/** How early before the start a customer can be told about a delay. Source: rule Y4. */
const TOLD_BEFORE_MS = 2 * 60 * MINUTE_MS

type Delayed = {
  readonly status: AppointmentState['status']
  readonly startsAtMs: number
  readonly hasEmail: boolean
  /** Number of delay messages sent so far. */
  readonly told: number
}

type DelayDecision =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'not_now' | 'no_email' | 'told_often' }

/**
 * Decides whether a customer can be told about a delay of `minutes`: from two hours before the agreed start until the
 * delayed start, and at most `maxTold` times. Source: rules Y4 and Y5.
 */
export function decideDelayNotice(
  { status, startsAtMs, hasEmail, told }: Delayed,
  { minutes, maxTold, nowMs }: { readonly minutes: number; readonly maxTold: number; readonly nowMs: number },
): DelayDecision {
  const isSoon = nowMs >= startsAtMs - TOLD_BEFORE_MS && nowMs < startsAtMs + minutes * MINUTE_MS
  if (status !== 'confirmed' || !isSoon) return { ok: false, reason: 'not_now' }
  if (!hasEmail) return { ok: false, reason: 'no_email' }
  return told < maxTold ? { ok: true } : { ok: false, reason: 'told_often' }
}
