/** A pattern that reads whole characters finds half of one only where it stands alone. */
const LONE_HALF = /\p{Surrogate}/u

/**
 * Whether PostgreSQL and JSON can store a text. Neither has the character NUL, and both need whole characters, so half
 * of a character that takes two code units (a lone surrogate) is refused.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && !LONE_HALF.test(text)
}

/** More marks on one letter than any language has (UAX 15, Stream-Safe Text Format). */
const ENDLESS_MARKS = /\p{M}{31}/u

/**
 * A text in the one form in which equal letters are equal characters (NFC): ö is one character, however a keyboard made it. A text with
 * endless marks stays as it is, because the time to sort them grows with the square of their number.
 */
export function normaliseToNfc(text: string): string {
  return ENDLESS_MARKS.test(text) ? text : text.normalize('NFC')
}

/**
 * Any visible character: no blank, no control character, and no character that only changes its neighbours, such as a
 * zero-width joiner. The blank of Braille (U+2800) counts as a symbol in Unicode and looks like a blank.
 */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether a text has anything visible. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text)
}

/**
 * Letters that are written from right to left, and the marks that behave like them. Digits and punctuation behind one take its
 * direction (UAX #9).
 */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Puts a text from right to left between an isolate (U+2068) and its end (U+2069), so that our words around it keep their order. */
export function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text
}

/** Embeddings, overrides and isolates. Text in a right-to-left script reads correctly without them. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g

/** Removes the characters that turn the direction of the text around them. */
export function withoutDirectionControls(text: string): string {
  return text.replace(DIRECTION_CONTROLS, '')
}

/** The beginning of a text, at most `max` UTF-16 code units and without half a character at its end. */
export function cutText(text: string, max: number): string {
  const splitsCharacter = (text.codePointAt(max - 1) ?? 0) > 0xffff
  return text.slice(0, splitsCharacter ? max - 1 : max)
}
