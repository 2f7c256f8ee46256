import { z } from 'zod'

/** A number in a phone field, as a screen links it. Source: rule Y15. */
export const dialableNumberSchema = z.object({
  /** The part of the field that is the number, as it was typed. */
  typed: z.string(),
  /** What `tel:` takes: an international number, and `;ext=` before an extension. */
  dials: z.string(),
})
export type DialableNumber = z.infer<typeof dialableNumberSchema>
