import { z } from 'zod'
import { LIMITS } from '#contract/shared/limits.ts'
import { emailedCode } from '#contract/shared/primitives.ts'

/** The code from the email. */
export const emailConfirmationBody = z.object({
  code: emailedCode(LIMITS.emailCode, 'confirmation.wrong_code'),
})
