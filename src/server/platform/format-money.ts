import { LOCALE } from '#core/shared/locale.ts'

type Money = { readonly amountCents: number; readonly currency: string }

/** Formats an amount for display: €40.00. */
export function formatMoney({ amountCents, currency }: Money): string {
  return new Intl.NumberFormat(LOCALE, { style: 'currency', currency }).format(amountCents / 100)
}

/** Formats an amount with its currency code (`40.00 EUR`), for currencies that may be invalid and have no symbol. */
export function formatMoneyWithCode({ amountCents, currency }: Money): string {
  const amount = new Intl.NumberFormat(LOCALE, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    useGrouping: false,
  })
  return `${amount.format(amountCents / 100)} ${currency.toUpperCase()}`
}
