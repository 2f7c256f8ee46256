import type { PlanPrice } from '#contract/pages/page-data.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { BillingProvider } from '#server/ports/billing-provider.ts'

/** How long fetched prices are used before they are fetched again, in milliseconds. */
const FRESH_MS = 10 * MINUTE_MS
/** How long to wait after a failed fetch, in milliseconds. */
const PAUSE_MS = MINUTE_MS

type PricesDeps = {
  readonly billing: Pick<BillingProvider, 'listPrices'> | null
  readonly now: Clock
  readonly log: Pick<Log, 'warn'>
}

/**
 * Builds a function that returns the prices of the plans for sale, for the pages. It returns the prices known so far,
 * at first none: prices are fetched in the background, so that no page waits for the provider. Source: rule S9.
 */
export function buildPlansForSale({ billing, now, log }: PricesDeps): () => readonly PlanPrice[] {
  let known: readonly PlanPrice[] = []
  let askedAtMs = Number.NEGATIVE_INFINITY
  let pauseMs = 0

  async function ask(provider: Pick<BillingProvider, 'listPrices'>): Promise<void> {
    try {
      const prices = await provider.listPrices()
      known = prices.map(({ tier, amountCents, currency }) => ({ tier, amount_cents: amountCents, currency }))
    } catch (err) {
      log.warn({ err }, 'the prices of the plans could not be read')
      pauseMs = PAUSE_MS
    }
  }

  return () => {
    // Use the absolute difference, so that setting the clock back does not stop the fetching.
    if (billing !== null && Math.abs(now() - askedAtMs) >= pauseMs) {
      askedAtMs = now()
      pauseMs = FRESH_MS
      void ask(billing)
    }
    return known
  }
}
