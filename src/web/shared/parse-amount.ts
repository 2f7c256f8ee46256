/** What is said of a typed amount that could mean two things, or none. */
export const AMOUNT_UNCLEAR =
  'Please write the amount as 1234.50 or 1234,50: no separators for thousands, and at most two decimals.'

/**
 * Converts a typed amount of money to units. A point and a comma both separate the decimals, because languages differ.
 * Null is no amount. Separators for thousands are refused, and so are three digits behind a separator: `1.234` is
 * a little more than one in English and more than a thousand in German. Source: rule F13.
 */
export function parseAmount(typed: string): number | null {
  const text = typed.trim()
  return AMOUNT.test(text) ? Number(text.replace(',', '.')) : null
}

/** One separator at most, with nothing or one or two digits behind it, and a digit somewhere. */
const AMOUNT = /^(?=.*\d)\d*(?:[.,]\d{0,2})?$/
