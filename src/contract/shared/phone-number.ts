import { z } from 'zod'

/** A phone number within a phone field, for a `tel:` link. Source: rule Y15. */
export const dialableNumberSchema = z.object({
  /** The part of the field that is the number, as typed. */
  typed: z.string(),
  /** The address for `tel:`: the international number, with `;ext=` before an extension. */
  dials: z.string(),
})
export type DialableNumber = z.infer<typeof dialableNumberSchema>
