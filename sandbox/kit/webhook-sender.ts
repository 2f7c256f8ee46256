import { setTimeout as sleep } from 'node:timers/promises'

export type WebhookMessage = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type WebhookSender = {
  /**
   * Calls `compose` before each attempt, because signatures expire. `compose` returns null while Meridian is not listening.
   */
  readonly send: (compose: () => WebhookMessage | null) => void
  readonly stop: () => Promise<void>
}

/** Delays before the attempts, in milliseconds. Real providers retry for days. */
const PAUSES_MS = [0, 1_000, 5_000, 30_000]
const TIMEOUT_MS = 10_000

/** Sends webhooks to Meridian, and retries those that Meridian did not accept. */
export function buildWebhookSender(): WebhookSender {
  const stopping = new AbortController()
  const underWay = new Set<Promise<void>>()

  async function deliver(compose: () => WebhookMessage | null): Promise<void> {
    for (const pauseMs of PAUSES_MS) {
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false })
      const message = compose()
      if (message === null || (await isTaken(message, stopping.signal))) return
    }
  }

  return {
    send: (compose) => {
      // A delivery is rejected only when `stop` aborts it, so the error is ignored.
      const delivery = deliver(compose).catch(() => {})
      underWay.add(delivery)
      delivery.finally(() => underWay.delete(delivery))
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(underWay)
    },
  }
}

async function isTaken({ url, headers, body }: WebhookMessage, stop: AbortSignal): Promise<boolean> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)])
    const response = await fetch(url, { method: 'POST', headers, body, signal })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
