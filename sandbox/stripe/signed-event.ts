import { createHmac } from 'node:crypto'

/** Builds the headers of a signed event. Source: https://docs.stripe.com/webhooks#verify-manually */
export function signEvent(payload: string, secret: string, nowMs: number): Record<string, string> {
  const timestamp = Math.floor(nowMs / 1_000)
  const signature = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex')
  return {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': `t=${timestamp},v1=${signature}`,
  }
}
