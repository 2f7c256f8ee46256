/** The error message for an entered amount that is ambiguous or not a number. */
export const UNCLEAR_AMOUNT_MESSAGE =
  'Please enter the amount as 1234.50 or 1234,50, without thousands separators and with at most two decimals.'

/**
 * Parses a typed amount of money. Accepts both a point and a comma as the decimal separator, because languages differ. Returns
 * null for any other text, including thousands separators and three decimals: `1.234` is about one in English and over a thousand
 * in German. Source: rule F13.
 */
export function parseAmount(typed: string): number | null {
  const text = typed.trim()
  return AMOUNT.test(text) ? Number(text.replace(',', '.')) : null
}

/** Matches digits with at most one separator and at most two decimals. */
const AMOUNT = /^(?=.*\d)\d*(?:[.,]\d{0,2})?$/
