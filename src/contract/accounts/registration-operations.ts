import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { emailVerificationBody, emailVerificationResponse, okResponse, signUpBody } from './sessions.ts'

/** Operations for the registration of owners. */
export const registrationOperations = defineOperations({
  signUp: {
    address: at.signUp,
    summary: 'Register; the answer does not reveal whether the address has an account',
    tag: 'Sessions',
    body: signUpBody,
    answers: { 200: okResponse },
    problems: [
      'auth.password_too_short',
      'auth.password_too_long',
      'auth.name_too_short',
      'auth.invalid_email',
      'auth.registration_closed',
      'auth.invitation_required',
      'auth.invitation_invalid',
    ],
  },
  confirmEmailAddress: {
    address: at.confirmEmailAddress,
    summary: 'Confirm an address by a link from an email; logs in once on the browser that registered',
    tag: 'Sessions',
    body: emailVerificationBody,
    answers: { 200: emailVerificationResponse },
    problems: [
      'auth.invalid_token',
      'auth.registration_replaced',
      'auth.registration_closed',
      'auth.invitation_invalid',
    ],
  },
})
