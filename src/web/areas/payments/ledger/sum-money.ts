import type { MoneyOverview } from '#contract/payments/transactions.ts'

/** What came in, went back and is owed in one currency. Sandbox money is not real, and nobody owes it. */
type MoneySum = {
  readonly currency: string
  readonly isSandbox: boolean
  readonly taken: number
  readonly refunded: number
  readonly outstanding: number
}

/** Adds up the months and the outstanding amounts: a line for each currency, and one for its sandbox money after it. */
export function sumMoney({ months, outstanding }: MoneyOverview): MoneySum[] {
  const real = months.filter(({ sandbox }) => !sandbox)
  const pretended = months.filter(({ sandbox }) => sandbox)
  return [
    ...currenciesOf([...real, ...outstanding]).map((currency) => ({
      ...sumOf(real, currency),
      isSandbox: false,
      outstanding: outstanding.find((owed) => owed.currency === currency)?.amount ?? 0,
    })),
    ...currenciesOf(pretended).map((currency) => ({
      ...sumOf(pretended, currency),
      isSandbox: true,
      outstanding: 0,
    })),
  ]
}

function currenciesOf(amounts: readonly { readonly currency: string }[]): string[] {
  return [...new Set(amounts.map(({ currency }) => currency))].sort()
}

function sumOf(months: MoneyOverview['months'], currency: string) {
  const own = months.filter((month) => month.currency === currency)
  return {
    currency,
    taken: addUp(own.map(({ taken }) => taken)),
    refunded: addUp(own.map(({ refunded }) => refunded)),
  }
}

/** Adds cents, because sums of decimals drift. */
function addUp(amounts: readonly number[]): number {
  return amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100
}
