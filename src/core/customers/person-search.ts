/** Search for a person: matches all of the words, or the phone number. Source: rule V6. */
export type PersonSearch = {
  /**
   * Each word must occur in the name, email address or client number, regardless of case, accents, punctuation and
   * order.
   */
  readonly words: readonly string[]
  /** Digits that must occur in the phone number, regardless of formatting; null when no phone number was typed. */
  readonly phoneDigits: string | null
  /** The words with domains in their ASCII form, as addresses are stored; absent when identical. Source: rule X7. */
  readonly asciiWords?: readonly string[]
  /** Digits shared by the national and international form of the number; absent when unknown. */
  readonly nationalDigits?: string
}

const PHONE_DIGITS_MIN = 3

/** Fewer digits without a country code would match too many numbers. */
const NATIONAL_DIGITS_MIN = 5

/** Parsers for parts of a search that need libraries the core does not have. */
export type SearchParsers = {
  /** Returns the digits shared by the national and international form of a phone number; null for any other text. */
  readonly findNationalDigits: (typed: string) => string | null
  /** Converts the domain of an email address or domain, even a partial one, to ASCII; leaves other text unchanged. */
  readonly toAsciiDomain: (typed: string) => string
}

const NO_READERS: SearchParsers = { findNationalDigits: () => null, toAsciiDomain: (typed) => typed }

/** Parses a search text; null when it is blank. */
export function toPersonSearch(typed: string, readers = NO_READERS): PersonSearch | null {
  const text = trimSearch(typed)
  if (text === '') return null
  const phoneDigits = phoneDigitsOf(text)
  // A phone number stays one word, however it is spaced.
  if (phoneDigits !== null) {
    const nationalDigits = readers.findNationalDigits(text)
    const isLong = nationalDigits !== null && nationalDigits.length >= NATIONAL_DIGITS_MIN
    return { words: [text], phoneDigits, ...(isLong ? { nationalDigits } : {}) }
  }
  const words = [...new Set(text.split(WORD_BREAK))]
  const ascii = text.split(' ').map((part) => readers.toAsciiDomain(part))
  if (ascii.join(' ') === text) return { words, phoneDigits }
  return { words, phoneDigits, asciiWords: [...new Set(ascii.join(' ').split(WORD_BREAK))] }
}

/** Strips the `Client #` that the list shows before client numbers. */
export function trimSearch(typed: string): string {
  return typed
    .trim()
    .replace(/^(client\s*)?#\s*/i, '')
    .replace(/\s+/g, ' ')
}

/** Splits hyphenated names into words, because not everybody types the hyphen. */
const WORD_BREAK = /\s|(?<=[\p{L}\p{M}])[\p{Pd}\u2212](?=\p{L})/u

/** Leading zeros are dropped: `020 7946` matches `+44 20 7946`. Source: rule V5. */
function phoneDigitsOf(text: string): string | null {
  const plain = text.normalize('NFKC')
  if (!/^[+\d\s()./\p{Pd}\u2212]+$/u.test(plain)) return null
  const digits = plain.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length < PHONE_DIGITS_MIN ? null : digits
}
