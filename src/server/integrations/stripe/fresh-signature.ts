import { SECOND_MS } from '#core/shared/duration.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { WebhookRequest } from '#server/ports/payment-provider.ts'

/** Maximum difference between a webhook's time and our clock, in seconds (300 s, as in Stripe's own libraries). */
export const SIGNATURE_TOLERANCE_S = 300

/**
 * True when a webhook claims a recent signature. This is checked before the signature itself, because verifying the
 * signature hashes the whole body. Source: https://docs.stripe.com/webhooks#verify-manually
 */
export function isFreshlySigned(now: Clock, { headers }: Pick<WebhookRequest, 'headers'>): boolean {
  const signature = headers['stripe-signature']
  if (typeof signature !== 'string' || !/(^|,)v1=[0-9a-f]{64}(,|$)/.test(signature)) return false
  const [, , signedAtS] = /(^|,)t=(\d{1,12})(,|$)/.exec(signature) ?? []
  return signedAtS !== undefined && Math.abs(now() / SECOND_MS - Number(signedAtS)) <= SIGNATURE_TOLERANCE_S
}
