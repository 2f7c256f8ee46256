/** Whom an owner looks for. A person is found by all of the words or by the phone number. Source: rule V6. */
export type PersonSearch = {
  /** Each contained in the name, the e-mail address or the client number, in whatever case, accents, punctuation and order. */
  readonly words: readonly string[]
  /** Digits contained in the phone number, however both are written; null when no phone number was typed. */
  readonly phoneDigits: string | null
  /** The words with domains in their ASCII form, as addresses are stored; absent when they are the same. Source: rule X7. */
  readonly asciiWords?: readonly string[]
  /** The part of these digits that the national and the international form of the number have in common; absent when unknown. */
  readonly nationalDigits?: string
}

const PHONE_DIGITS_MIN = 3

/** Fewer digits without their country code would match too many numbers. */
const NATIONAL_DIGITS_MIN = 5

/** Reads parts of a search, with knowledge that the core does not have. */
export type SearchReaders = {
  /** The digits that the national and the international form of a number have in common; null for anything else. */
  readonly findNationalDigits: (typed: string) => string | null
  /** An email address or a domain, or the beginning of one, with its domain in the ASCII form; anything else as it was typed. */
  readonly toAsciiDomain: (typed: string) => string
}

const NO_READERS: SearchReaders = { findNationalDigits: () => null, toAsciiDomain: (typed) => typed }

/** Understands what was typed; null when it is nothing. */
export function toPersonSearch(typed: string, readers = NO_READERS): PersonSearch | null {
  const text = trimSearch(typed)
  if (text === '') return null
  const phoneDigits = phoneDigitsOf(text)
  // The digits of a phone number belong together, however it is spaced, so the text stays one word.
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

/** `Client #`, as the row shows it, may be typed or not. */
export function trimSearch(typed: string): string {
  return typed
    .trim()
    .replace(/^(client\s*)?#\s*/i, '')
    .replace(/\s+/g, ' ')
}

/** Each part of a double name is a word, because not everybody writes a hyphen between them. */
const WORD_BREAK = /\s|(?<=[\p{L}\p{M}])[\p{Pd}\u2212](?=\p{L})/u

/** Zeros in front are dropped: `020 7946` is found in `+44 20 7946`. Source: rule V5. */
function phoneDigitsOf(text: string): string | null {
  const plain = text.normalize('NFKC')
  if (!/^[+\d\s()./\p{Pd}\u2212]+$/u.test(plain)) return null
  const digits = plain.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length < PHONE_DIGITS_MIN ? null : digits
}
