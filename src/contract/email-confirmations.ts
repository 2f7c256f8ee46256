import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { line } from './primitives.ts'

/** The code of the email, as somebody types it: spaces between the digits do not matter. */
export const emailConfirmationBody = z.object({
  code: line(LIMITS.emailCode, 'confirmation.wrong_code').regex(/^[\d\s]*$/, 'confirmation.wrong_code'),
})
