import { LOCALE } from '#core/shared/locale.ts'

/** The currencies that are shown with their symbol (rule F12). */
const CURRENCIES_WITH_SYMBOL = /^(eur|usd|gbp)$/i

const formats = new Map<string, Intl.NumberFormat>()

/** Formats an amount in euros with two decimals (rule F12): `€40.00`. */
export function formatEuro(price: number): string {
  return formatMoney(price, 'EUR')
}

/** Returns the price in euros, or the fee note of a service without a price (rule C19). */
export function toPriceText(price: number | null, feeNote: string | null): string | null {
  return price === null ? feeNote : formatEuro(price)
}

/**
 * Formats an amount in a currency: `£40.00`. The currency code may be lower case. Unsupported currencies are shown in euros (rule
 * F12).
 */
export function formatMoney(price: number, currency: string): string {
  const shown = CURRENCIES_WITH_SYMBOL.test(currency) ? currency : 'EUR'
  // Formatters are created lazily, because the first use of Intl is slow. `WARM_FORMATS` in vite.config.ts warms Intl up while
  // the page loads.
  const format = formats.get(shown) ?? new Intl.NumberFormat(LOCALE, { style: 'currency', currency: shown })
  formats.set(shown, format)
  return format.format(price)
}
