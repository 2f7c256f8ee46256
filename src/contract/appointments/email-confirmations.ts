import { component } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { emailedCode } from '#contract/shared/primitives.ts'

/** The emailed code. */
export const emailConfirmationBody = component('EmailConfirmation', {
  code: emailedCode(LIMITS.emailCode, 'confirmation.wrong_code'),
})
