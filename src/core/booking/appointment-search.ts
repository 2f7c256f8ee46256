/** What an owner looks for in the list of appointments. An appointment is found when any part applies. */
export type AppointmentSearch = {
  /** Each contained in the name, the e-mail address or the client number, in whatever case and order. */
  readonly words: readonly string[]
  /** Digits contained in the phone number, however both are written; null when no phone number was typed. */
  readonly phoneDigits: string | null
  /** What the booking reference begins with; null when no reference was typed. */
  readonly referencePrefix: string | null
}

/**
 * Fewer digits than this begin the references of months, as they are milliseconds since 1970: four are those of eleven
 * days.
 */
const REFERENCE_DIGITS_MIN = 4
const PHONE_DIGITS_MIN = 3

/** Understands what was typed; null when it is nothing. The row's own marks (`Client #`, `BK-`) may be typed or not. */
export function toAppointmentSearch(typed: string): AppointmentSearch | null {
  const text = typed
    .trim()
    .replace(/^(client\s*)?#\s*/i, '')
    .replace(/\s+/g, ' ')
  if (text === '') return null
  const phoneDigits = phoneDigitsOf(text)
  // A phone number is one, however it is spaced.
  const words = phoneDigits === null ? [...new Set(text.split(' '))] : [text]
  return { words, phoneDigits, referencePrefix: referencePrefixOf(text) }
}

/** Zeros in front are dropped: `020 7946` is found in `+44 20 7946`. */
function phoneDigitsOf(text: string): string | null {
  if (!/^[+\d\s()./-]+$/.test(text)) return null
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length < PHONE_DIGITS_MIN ? null : digits
}

function referencePrefixOf(text: string): string | null {
  const digits = /^(?:bk\s?-?\s?)?(\d+)$/i.exec(text)?.[1]
  return digits === undefined || digits.length < REFERENCE_DIGITS_MIN ? null : `BK-${digits}`
}
