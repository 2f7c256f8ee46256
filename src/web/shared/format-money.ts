/** The currencies that have a symbol here (spec §3, §9). */
const FORMATS = {
  eur: new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' }),
  usd: new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }),
  gbp: new Intl.NumberFormat('en-US', { style: 'currency', currency: 'GBP' }),
}

/** `€40.00`: euro with two decimals (spec §9). */
export function formatEuro(price: number): string {
  return FORMATS.eur.format(price)
}

/** `£40.00`: the symbol of the currency that was agreed, in capitals or not; euro for any other (spec §3). */
export function formatMoney(price: number, currency: string): string {
  const code = currency.toLowerCase()
  return FORMATS[code === 'usd' || code === 'gbp' ? code : 'eur'].format(price)
}
