/** Whom an owner looks for. A person is found by all of the words or by the phone number. Source: rule V6. */
export type PersonSearch = {
  /** Each contained in the name, the e-mail address or the client number, in whatever case, accents and order. */
  readonly words: readonly string[]
  /** Digits contained in the phone number, however both are written; null when no phone number was typed. */
  readonly phoneDigits: string | null
}

const PHONE_DIGITS_MIN = 3

/** Understands what was typed; null when it is nothing. */
export function toPersonSearch(typed: string): PersonSearch | null {
  const text = trimSearch(typed)
  if (text === '') return null
  const phoneDigits = phoneDigitsOf(text)
  // The digits of a phone number belong together, however it is spaced, so the text stays one word.
  const words = phoneDigits === null ? [...new Set(text.split(' '))] : [text]
  return { words, phoneDigits }
}

/** `Client #`, as the row shows it, may be typed or not. */
export function trimSearch(typed: string): string {
  return typed
    .trim()
    .replace(/^(client\s*)?#\s*/i, '')
    .replace(/\s+/g, ' ')
}

/** Zeros in front are dropped: `020 7946` is found in `+44 20 7946`. Source: rule V5. */
function phoneDigitsOf(text: string): string | null {
  if (!/^[+\d\s()./-]+$/.test(text)) return null
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length < PHONE_DIGITS_MIN ? null : digits
}
