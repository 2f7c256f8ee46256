/**
 * What a booking form tells about the person or program that filled it in. Both are absent when a program uses the API
 * openly.
 */
export type BotSignals = {
  /** What stands in the field that no person sees. */
  readonly hiddenField: string | null
  /** How long the form was open, in milliseconds. */
  readonly openMs: number | null
}

/** Nobody chooses a day and a time and types a name and an address in less time, not even with a password manager. */
export const MIN_FILL_MS = 1_500

/**
 * Whether a program filled in the form: it fills every field it finds, or is faster than any person. Source: rule B20.
 */
export function isFilledByBot({ hiddenField, openMs }: BotSignals): boolean {
  return (hiddenField ?? '').trim() !== '' || (openMs !== null && openMs < MIN_FILL_MS)
}
