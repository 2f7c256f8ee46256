import { LOCALE } from '#core/shared/locale.ts'

/** Formats an amount in minor units of any currency, for plan prices (rule S9): `€9.99`. */
export function formatPrice({ amount_cents, currency }: { amount_cents: number; currency: string }): string {
  const format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency })
  // Some currencies have no minor unit, and others have one of a thousandth.
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
  return format.format(amount_cents / 10 ** digits)
}
