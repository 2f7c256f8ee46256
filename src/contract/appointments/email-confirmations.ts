import { component } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { emailedCode } from '#contract/shared/primitives.ts'

/** The code from the email. */
export const emailConfirmationBody = component('EmailConfirmation', {
  code: emailedCode(LIMITS.emailCode, 'confirmation.wrong_code'),
})
