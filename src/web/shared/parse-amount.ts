/** The error for an ambiguous or invalid amount. */
export const AMOUNT_UNCLEAR =
  'Please write the amount as 1234.50 or 1234,50: no separators for thousands, and at most two decimals.'

/**
 * Parses a typed amount of money. Both a point and a comma separate decimals, because languages differ. Returns null for
 * anything else, including thousands separators and three decimals: `1.234` is about one in English and over a thousand in
 * German. Source: rule F13.
 */
export function parseAmount(typed: string): number | null {
  const text = typed.trim()
  return AMOUNT.test(text) ? Number(text.replace(',', '.')) : null
}

/** Digits with at most one separator and at most two decimals. */
const AMOUNT = /^(?=.*\d)\d*(?:[.,]\d{0,2})?$/
