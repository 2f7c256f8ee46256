import { LOCALE } from '#core/shared/locale.ts'

/** `€9.99`: an amount in minor units of any currency, for plan prices (rule S9). */
export function formatPrice({ amount_cents, currency }: { amount_cents: number; currency: string }): string {
  const format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency })
  // Some currencies have no minor unit, and in some it is a thousandth.
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
  return format.format(amount_cents / 10 ** digits)
}
