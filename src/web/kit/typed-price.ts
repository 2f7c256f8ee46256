import { z } from 'zod'
import { priceSchema } from '#contract/availability/appointment-types.ts'
import { parseAmount, UNCLEAR_AMOUNT_MESSAGE } from '#web/shared/parse-amount.ts'

/** A price as typed text. An empty field means no price. Source: rule F13. */
export const typedPriceSchema = z
  .string()
  .transform((typed, { addIssue }) => {
    if (typed.trim() === '') return null
    const price = parseAmount(typed)
    if (price !== null) return price
    addIssue(UNCLEAR_AMOUNT_MESSAGE)
    return z.NEVER
  })
  .pipe(priceSchema.nullable())
