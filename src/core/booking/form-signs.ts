/** What a booking form tells about whoever filled it in. Both are absent where a program uses the API openly. */
export type FormSigns = {
  /** What stands in the field that no person sees. */
  readonly hiddenField: string | null
  /** How long the form was open, in milliseconds. */
  readonly openMs: number | null
}

/** Nobody chooses a day and a time and gives a name and an address in less, not even with a password manager. */
export const SHORTEST_FILL_MS = 1_500

/**
 * Whether a program filled the form in that fills in whatever it finds, or faster than anybody could. Source: rule B20.
 */
export function isFilledByProgram({ hiddenField, openMs }: FormSigns): boolean {
  return (hiddenField ?? '').trim() !== '' || (openMs !== null && openMs < SHORTEST_FILL_MS)
}
