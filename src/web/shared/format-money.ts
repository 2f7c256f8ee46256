import { LOCALE } from '#core/shared/locale.ts'

let euro: Intl.NumberFormat | undefined

/** `€40.00`: euro with two decimals (rule F12). */
export function formatEuro(price: number): string {
  // Made when it is needed, because the first use of Intl is slow: `WARM_FORMATS` in vite.config.ts prepares it while
  // this loads.
  euro ??= new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'EUR' })
  return euro.format(price)
}
