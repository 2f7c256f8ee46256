import { LOCALE } from '#core/shared/locale.ts'

const count = new Intl.NumberFormat(LOCALE)

/** Formats a whole number: `1,204`. */
export function formatCount(number: number): string {
  return count.format(number)
}
