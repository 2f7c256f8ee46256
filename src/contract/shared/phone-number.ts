import { z } from 'zod'

/** A phone number found in a phone field, for a `tel:` link. Source: rule Y15. */
export const dialableNumberSchema = z.object({
  /** The part of the field that forms the number, as typed. */
  typed: z.string(),
  /** The number for a `tel:` link: in international format, with `;ext=` before an extension. */
  dials: z.string(),
})
export type DialableNumber = z.infer<typeof dialableNumberSchema>
