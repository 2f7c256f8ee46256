import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { emailedCodeSchema } from '#contract/shared/primitives.ts'

/** The emailed code. */
export const emailConfirmationBody = componentSchema('EmailConfirmation', {
  code: emailedCodeSchema(LIMITS.emailCode, 'confirmation.wrong_code'),
})
