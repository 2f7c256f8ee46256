/** With the u flag, the pattern matches surrogates only when they are not part of a pair. */
const LONE_HALF = /\p{Surrogate}/u

/** True when PostgreSQL and JSON can store a text: neither can store NUL, and both reject lone surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && !LONE_HALF.test(text)
}

/** More combining marks on one letter than any language uses (UAX 15, Stream-Safe Text Format). */
const ENDLESS_MARKS = /\p{M}{31}/u

/**
 * Normalises a text to NFC, so that equal letters are equal characters whatever keyboard typed them. Text with
 * excessive combining marks is returned unchanged, because normalising takes quadratic time in their number.
 */
export function normaliseToNfc(text: string): string {
  return ENDLESS_MARKS.test(text) ? text : text.normalize('NFC')
}

/**
 * Matches a visible character: not whitespace, a control character, or a character that only modifies its neighbours,
 * such as a zero-width joiner. U+2800 (blank Braille pattern) is a symbol in Unicode but looks blank.
 */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

/** True when a text has a visible character. */
export function hasVisibleCharacters(text: string): boolean {
  return VISIBLE.test(text)
}

/** Right-to-left letters and marks. Digits and punctuation after one take its direction (UAX #9). */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Wraps right-to-left text in bidi isolates (U+2068, U+2069), so that the words around it keep their order. */
export function wrapInBidiIsolates(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text
}

/** Bidi embeddings, overrides and isolates. Right-to-left text displays correctly without them. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g

/** Removes bidi control characters, which change the direction of surrounding text. */
export function removeBidiControls(text: string): string {
  return text.replace(DIRECTION_CONTROLS, '')
}

/** Truncates a text to at most `max` UTF-16 code units without splitting a surrogate pair. */
export function truncateText(text: string, max: number): string {
  const splitsCharacter = (text.codePointAt(max - 1) ?? 0) > 0xffff
  return text.slice(0, splitsCharacter ? max - 1 : max)
}
