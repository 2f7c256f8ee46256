import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { emailedCode } from './primitives.ts'

/** The code of the email. */
export const emailConfirmationBody = z.object({
  code: emailedCode(LIMITS.emailCode, 'confirmation.wrong_code'),
})
