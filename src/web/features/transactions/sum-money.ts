import type { MoneyOverview } from '#contract/transactions.ts'

/** What came in, went back and is owed in one currency. */
type MoneySum = {
  readonly currency: string
  readonly taken: number
  readonly refunded: number
  readonly outstanding: number
}

/** The months and what is outstanding together, a line for each currency. */
export function sumMoney({ months, outstanding }: MoneyOverview): MoneySum[] {
  const currencies = [...new Set([...months, ...outstanding].map(({ currency }) => currency))].sort()
  return currencies.map((currency) => {
    const own = months.filter((month) => month.currency === currency)
    return {
      currency,
      taken: addUp(own.map(({ taken }) => taken)),
      refunded: addUp(own.map(({ refunded }) => refunded)),
      outstanding: outstanding.find((owed) => owed.currency === currency)?.amount ?? 0,
    }
  })
}

/** Through cents: sums of decimals drift. */
function addUp(amounts: readonly number[]): number {
  return amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100
}
