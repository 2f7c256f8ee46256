import type { PlanPrice } from '#contract/page-data.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { BillingProvider } from '#server/ports/billing-provider.ts'

/** How long the prices that we know are shown without asking again. */
const FRESH_MS = 10 * MINUTE_MS
/** How long we wait after a question that was not answered. */
const PAUSE_MS = MINUTE_MS

type PricesDeps = {
  readonly billing: Pick<BillingProvider, 'listPrices'> | null
  readonly now: Clock
  readonly log: Pick<Log, 'warn'>
}

/**
 * What the plans for sale cost, for the pages. The answer is what is known now, and nothing at first: no page waits for the
 * provider, which is asked in the background. Source: rule S9.
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
    // In both directions: a clock that was put right does not stop the questions.
    if (billing !== null && Math.abs(now() - askedAtMs) >= pauseMs) {
      askedAtMs = now()
      pauseMs = FRESH_MS
      void ask(billing)
    }
    return known
  }
}
