import { LOCALE } from '#core/shared/locale.ts'

/** The currencies that have a symbol here (rule F12). */
const CURRENCIES = ['EUR', 'USD', 'GBP']

/** `€1,240`: without cents, for small spaces. */
export function formatWholeMoney(price: number, currency: string): string {
  return formatMoney(Math.round(price), currency).replace(/\.00$/, '')
}

const formats = new Map<string, Intl.NumberFormat>()

/** `€40.00`: euro with two decimals (rule F12). */
export function formatEuro(price: number): string {
  return formatMoney(price, 'EUR')
}

/** `£40.00`. The currency code may be lower case. Unsupported currencies are shown in euros (rule F12). */
export function formatMoney(price: number, currency: string): string {
  const code = currency.toUpperCase()
  const shown = CURRENCIES.includes(code) ? code : 'EUR'
  // Made when it is needed, because the first use of Intl is slow: `WARM_FORMATS` in vite.config.ts prepares it while
  // this loads.
  const format = formats.get(shown) ?? new Intl.NumberFormat(LOCALE, { style: 'currency', currency: shown })
  formats.set(shown, format)
  return format.format(price)
}
