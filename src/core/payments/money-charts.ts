/** Money in one currency, real or sandbox. Amounts are in cents. */
type Purse = { readonly currency: string; readonly isSandbox: boolean }

type Moved = Purse & { readonly month: string; readonly takenCents: number; readonly refundedCents: number }
type Owed = { readonly currency: string; readonly month: string; readonly outstandingCents: number }

export type MoneyMonth = {
  /** yyyy-MM */
  readonly month: string
  readonly takenCents: number
  readonly refundedCents: number
  readonly outstandingCents: number
}

export type MoneyChart = Purse & { readonly months: readonly MoneyMonth[] }

/**
 * Builds one chart per currency, followed by one for its sandbox payments. Each chart has every month, including months
 * without payments. Sandbox payments are never outstanding. A currency with no payments and nothing outstanding has no
 * chart. Source: rule N3.
 */
export function toMoneyCharts(
  months: readonly string[],
  moved: readonly Moved[],
  owed: readonly Owed[],
): MoneyChart[] {
  const due = owed.filter(({ outstandingCents }) => outstandingCents > 0)
  const real = moved.filter(({ isSandbox }) => !isSandbox)
  const pretended = moved.filter(({ isSandbox }) => isSandbox)
  const chart = (purse: Purse, rows: readonly Moved[], dues: readonly Owed[]): MoneyChart => ({
    ...purse,
    months: months.map((month) => {
      const isThis = (row: Moved | Owed) => row.month === month && row.currency === purse.currency
      const row = rows.find(isThis)
      return {
        month,
        takenCents: row?.takenCents ?? 0,
        refundedCents: row?.refundedCents ?? 0,
        outstandingCents: dues.find(isThis)?.outstandingCents ?? 0,
      }
    }),
  })
  return [
    ...currenciesOf([...real, ...due]).map((currency) => chart({ currency, isSandbox: false }, real, due)),
    ...currenciesOf(pretended).map((currency) => chart({ currency, isSandbox: true }, pretended, [])),
  ]
}

function currenciesOf(rows: readonly { readonly currency: string }[]): string[] {
  return [...new Set(rows.map(({ currency }) => currency))].sort()
}
