/** Signals that distinguish a person from a bot in a booking form. Both are null for API clients. */
export type BotSignals = {
  /** Content of the honeypot field, which people cannot see. */
  readonly hiddenField: string | null
  /** How long the form was open, in milliseconds. */
  readonly openMs: number | null
}

/** Nobody can choose a time and enter a name and an address faster than this, even with a password manager. */
export const MIN_FORM_FILL_MS = 1_500

/** True when a bot filled in the form: it fills hidden fields, or is faster than any person. Source: rule B20. */
export function isFilledByBot({ hiddenField, openMs }: BotSignals): boolean {
  return (hiddenField ?? '').trim() !== '' || (openMs !== null && openMs < MIN_FORM_FILL_MS)
}
