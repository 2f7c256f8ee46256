import { LOCALE } from '#core/shared/locale.ts'
import { formatEuro } from './format-money.ts'

/** The other currencies that have a symbol here (rule F12). */
const FORMATS = {
  usd: new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' }),
  gbp: new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'GBP' }),
}

/** `£40.00`: the symbol of the currency that was agreed, in capitals or not; euro for any other (rule F12). */
export function formatMoney(price: number, currency: string): string {
  const code = currency.toLowerCase()
  return code === 'usd' || code === 'gbp' ? FORMATS[code].format(price) : formatEuro(price)
}
