import { expect, test } from 'vitest'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { BillingError, type BillingPrice } from '#server/ports/billing-provider.ts'
import { waitFor } from '#tests/support/meridian.ts'
import { buildPlansForSale } from './plans-for-sale.ts'

const PRICE: BillingPrice = { tier: 'business', priceId: 'price_2', amountCents: 1_999, currency: 'eur' }
const SHOWN = { tier: 'business', amount_cents: 1_999, currency: 'eur' }

test('where nothing is for sale there are no prices', () => {
  const listPlans = buildPlansForSale({ billing: null, now: Date.now, log: { warn: () => {} } })
  expect(listPlans()).toEqual([])
})

test('nobody waits for the prices, and they are asked for once in ten minutes', async () => {
  const { listPlans, asked, clock } = start([PRICE])
  expect(listPlans()).toEqual([])
  expect(await waitFor(() => listPlans()[0])).toEqual(SHOWN)
  clock.ms += 10 * MINUTE_MS - 1
  listPlans()
  expect(asked).toHaveLength(1)
  clock.ms += 1
  listPlans()
  listPlans()
  expect(asked).toHaveLength(2)
})

test('a clock that was put back does not stop the questions', async () => {
  const { listPlans, asked, clock } = start([PRICE])
  await waitFor(() => listPlans()[0])
  clock.ms -= 365 * 24 * 60 * MINUTE_MS
  listPlans()
  expect(asked).toHaveLength(2)
})

test('while the provider does not answer, what was known is shown, the log says why, and it is asked a minute later', async () => {
  const answers = [PRICE]
  const { listPlans, asked, clock, warnings } = start(answers)
  await waitFor(() => listPlans()[0])
  answers.length = 0
  clock.ms += 10 * MINUTE_MS
  listPlans()
  await waitFor(() => warnings[0])
  expect(listPlans()).toEqual([SHOWN])
  expect(asked).toHaveLength(2)
  clock.ms += MINUTE_MS
  listPlans()
  expect(asked).toHaveLength(3)
})

/** Builds the prices function on a provider that responds until the given responses are used up. */
function start(answers: readonly BillingPrice[]) {
  const clock = { ms: Date.UTC(2027, 0, 4) }
  const asked: number[] = []
  const warnings: string[] = []
  const listPrices = async () => {
    asked.push(clock.ms)
    if (answers.length === 0) throw new BillingError('unavailable', 'Stripe could not be reached.')
    return [...answers]
  }
  const listPlans = buildPlansForSale({
    billing: { listPrices },
    now: () => clock.ms,
    log: { warn: (...words: unknown[]) => void warnings.push(String(words[1])) },
  })
  return { listPlans, asked, clock, warnings }
}
