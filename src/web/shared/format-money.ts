const euro = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' })

/** `€40.00`: euro with two decimals (spec §9). */
export function formatEuro(price: number): string {
  return euro.format(price)
}
