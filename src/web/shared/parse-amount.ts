/** What is said of a typed amount that could mean two things, or none. */
export const AMOUNT_UNCLEAR =
  'Please write the amount as 1234.50 or 1234,50: no separators for thousands, and at most two decimals.'

/**
 * Converts a typed amount of money to units. Point and comma are the decimal separator alike, because people type what
 * their own language has. Null is no amount: what has separators for thousands, or three digits behind one separator,
 * is a thousand to one reader and one to another. Source: rule F13.
 */
export function parseAmount(typed: string): number | null {
  const text = typed.trim()
  return AMOUNT.test(text) ? Number(text.replace(',', '.')) : null
}

/** One separator at most, with nothing or one or two digits behind it, and a digit somewhere. */
const AMOUNT = /^(?=.*\d)\d*(?:[.,]\d{0,2})?$/
